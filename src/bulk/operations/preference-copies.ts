// Plan for writing preferences that follow from the stored ones: for each subscriber, one request reads them and another
// one writes the change, if there is one.
import type { Preferences } from '../../service/schemas/preferences.ts';
import type { Outcome, Plan } from '../engine/plan.ts';
import { type IdReader, requestPerId } from './id-list.ts';
import { type Channels, hasChannels } from './unchanged-preferences.ts';

interface CopyOptions {
  idOf: IdReader;
  /** The workflow that is changed. */
  workflowId: string;
  /** The channels to write; undefined to skip the subscriber. */
  choose: (preferences: Preferences) => Channels | undefined;
  /** Whether all subscribers are skipped without a request. */
  skipsAll: boolean;
}

const skipped: Outcome = { state: 'skipped' };

export const createPreferenceCopyPlan = ({
  idOf,
  workflowId,
  choose,
  skipsAll,
}: CopyOptions): Plan => ({
  ...requestPerId('updateSubscriberPreferences', idOf, { field: 'subscriberId' }),
  subscriberOf: idOf,
  async sendRow({ id }, { call }) {
    if (skipsAll) return skipped;
    const path = { subscriberId: id };
    const channels = choose(await call('getSubscriberPreferences', { path }));
    if (!channels) return skipped;
    const { workflows } = await call('updateSubscriberPreferences', {
      path,
      body: { workflowId, channels },
    });
    const changed = workflows.find(({ workflow }) => workflow.identifier === workflowId);
    if (!changed) return { state: 'unknown' };
    if (hasChannels(changed.channels, channels)) return { state: 'updated' };
    return { state: 'failed', reason: 'the service did not change the preferences' };
  },
  readRejection: ({ exitReason, message, details: { notOffered } }) =>
    exitReason === 'notFound' && !notOffered ? [{ state: 'failed', reason: message }] : undefined,
});
