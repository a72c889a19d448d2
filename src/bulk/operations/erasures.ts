// Erasing people: a plan for a list of them, with all requests of a person in a row of the run, and the same for a few ids.
import type { Client } from '../../api/client.ts';
import { DryRun, type PlannedRequest } from '../../api/dry-run.ts';
import { fillPath } from '../../api/url.ts';
import { counted, listText } from '../../core/text.ts';
import { operations } from '../../service/operations/index.ts';
import type { Outcome, Plan } from '../engine/plan.ts';
import {
  type Call,
  type Erasure,
  erasePerson,
  type PendingTransaction,
  type PersonalData,
  planErasure,
  surveyPerson,
} from './erasure.ts';
import { type IdReader, toPathItem } from './id-list.ts';
import type { ServerFacts } from './person-channels.ts';

interface ErasurePlanOptions {
  idOf: IdReader;
  /** Erase people with pending transactions, too. */
  keepsPending: boolean;
  /** Called for each id of the list. */
  onId: (id: string) => void;
  /** Called for each person with events that stay in the service. */
  onActivity: () => void;
  /** Called for each id that does not exist. */
  onAbsent: (id: string) => void;
  /** Filled in during the run. */
  server?: ServerFacts;
}

export const createErasurePlan = ({
  idOf,
  keepsPending,
  onId,
  onActivity,
  onAbsent,
  server = {},
}: ErasurePlanOptions): Plan => ({
  operation: 'deleteSubscriber',
  successStates: ['erased', 'absent'],
  isOrdered: true,
  target: ([item]) => subscriberPath(item?.id ?? ''),
  toItem(record) {
    const item = toPathItem(idOf(record), 'subscriberId', subscriberPath);
    if ('id' in item) onId(item.id);
    return item;
  },
  onFinishedRow(record) {
    const item = toPathItem(idOf(record), 'subscriberId', subscriberPath);
    if ('id' in item) onId(item.id);
  },
  readOutcomes: () => [],
  async sendRow({ id }, { call, maybeApplied }): Promise<Outcome> {
    const data = await surveyPerson(call, id, server);
    if (!data && maybeApplied) return { state: 'unknown', reason: unknownText(['preferences']) };
    if (!data) {
      onAbsent(id);
      return { state: 'absent' };
    }
    if (data.pending.length > 0 && !keepsPending)
      return { state: 'failed', reason: pendingText(data.pending) };
    const { left, unknown } = await erasePerson(call, id, data).catch((error: unknown) => {
      if (error instanceof DryRun) return planErasures(call, new Map([[id, data]]));
      throw error;
    });
    if (data.hasActivity) onActivity();
    const unexpected = left.filter((kind) => kind !== 'activity');
    if (unexpected.length > 0)
      return { state: 'failed', reason: `the service still has: ${unexpected.join(', ')}` };
    return unknown.length > 0
      ? { state: 'unknown', reason: unknownText(unknown) }
      : { state: 'erased' };
  },
});

/** The subscriber is gone, but an error or a lost response leaves open whether everything was deleted. */
export const unknownText = (kinds: readonly string[]) =>
  `the service did not confirm that it deleted: ${kinds.join(', ')}`;

const subscriberPath = (subscriberId: string) =>
  fillPath(operations.deleteSubscriber.path, { subscriberId });

const maxNamed = 5;

function pendingText(pending: readonly PendingTransaction[]): string {
  const ids = pending.slice(0, maxNamed).map(({ transactionId }) => transactionId);
  const more = pending.length - ids.length;
  const names = listText(more > 0 ? [...ids, `${more} more`] : ids);
  return `${counted(pending.length, 'transaction')} pending: ${names}`;
}

export const surveyFor = (client: Client, subscriberId: string, server: ServerFacts) =>
  surveyPerson(toCall(client), subscriberId, server);

export const eraseFor = (
  client: Client,
  subscriberId: string,
  data: PersonalData,
): Promise<Erasure> => erasePerson(toCall(client), subscriberId, data);

export const planFor = (client: Client, people: ReadonlyMap<string, PersonalData>) =>
  planErasures(toCall(client), people);

const toCall =
  (client: Client): Call =>
  (id, input) =>
    client.call(id, input);

/** Throws the dry run of all deletions. */
async function planErasures(call: Call, people: ReadonlyMap<string, PersonalData>): Promise<never> {
  const planned: PlannedRequest[] = [];
  const collect: Call = async (id, input) => {
    try {
      return await call(id, input);
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
      planned.push(...error.requests);
      return undefined as never;
    }
  };
  for (const [subscriberId, data] of people) await planErasure(collect, subscriberId, data);
  throw new DryRun(planned);
}
