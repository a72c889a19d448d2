// Preferences of a subscriber in version 1 of the routes: all channels, unless the inactive ones are left out.
import { channelOrders } from '../../service/schemas/vocabulary.ts';
import { globalSwitches, isCritical, mergePreferences } from '../engine/skip-rules.ts';
import { generalError, notFound } from '../http/http-error.ts';
import {
  type ChannelSwitches,
  channelsOf,
  findPreferences,
  globalPreferenceKey,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { activeTypes, allWorkflows, type StoredWorkflow } from '../store/workflows.ts';
import { serializeTrigger } from './events.ts';
import type { Handler } from './handler.ts';
import { updateForWorkflow, updateGlobal } from './preferences.ts';
import { requireWorkflow } from './workflows.ts';

export const listPreferencesV1: Handler<'listPreferencesV1'> = ({
  path: { subscriberId },
  query,
  scope,
}) => {
  const isShown = showsInactive(scope, query);
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber with id: ${subscriberId} not found`);
  return activeWorkflows(scope)
    .filter((workflow) => !isCritical(workflow))
    .map((workflow) => {
      const channels = isShown ? channelsOf(scope.dialect) : usedChannels([workflow]);
      return {
        preference: {
          ...workflowSwitches(scope, subscriber.id, workflow, channels),
          overrides: channelOrders.subscriberOverrides
            .filter((channel) => channels.includes(channel))
            .map((channel) => ({ channel, source: 'subscriber' })),
        },
        template: {
          ...templateFields(workflow),
          triggers: [serializeTrigger(workflow)],
          updatedAt: workflow.updatedAt,
          createdAt: workflow.createdAt,
          severity: workflow.severity,
        },
        type: 'SUBSCRIBER_WORKFLOW',
      };
    });
};

const showsInactive = (
  { dialect }: Scope,
  {
    includeInactiveChannels = !dialect.hidesInactiveChannels,
  }: { includeInactiveChannels?: boolean | undefined },
): boolean => includeInactiveChannels;

const levels = ['global', 'template'];

export const listPreferencesOfLevel: Handler<'listPreferencesOfLevel'> = ({
  path: { subscriberId, parameter },
  query,
  scope,
}) => {
  if (!levels.includes(parameter)) {
    throw generalError([`parameter must be one of the following values: ${levels.join(', ')}`]);
  }
  if (parameter === 'template')
    return listPreferencesV1({ path: { subscriberId }, query, scope, body: undefined });
  const channels = showsInactive(scope, query)
    ? channelsOf(scope.dialect)
    : usedChannels(activeWorkflows(scope));
  return [{ preference: globalPreference(scope, subscriberId, channels) }];
};

/** `enabled` of the preference itself has no effect. */
export const updatePreferenceV1: Handler<'updatePreferenceV1'> = ({
  path: { subscriberId, parameter: workflowId },
  body: { channel },
  scope,
}) => {
  const subscriber = requireForUpdate(scope, subscriberId);
  const workflow = requireWorkflow(scope, workflowId);
  updateForWorkflow(scope, subscriber, workflow.id, {
    channels: channel && { [channel.type]: channel.enabled },
  });
  return {
    preference: workflowSwitches(scope, subscriber, workflow, channelsOf(scope.dialect)),
    template: {
      ...templateFields(workflow),
      critical: false,
      triggers: [{ identifier: workflow.identifier, type: 'event', variables: [] }],
    },
  };
};

export const updateGlobalPreferenceV1: Handler<'updateGlobalPreferenceV1'> = ({
  path: { subscriberId },
  body: { preferences = [] },
  scope,
}) => {
  const subscriber = requireForUpdate(scope, subscriberId);
  const channels = Object.fromEntries(preferences.map(({ type, enabled }) => [type, enabled]));
  updateGlobal(scope, subscriber, { channels });
  const { enabled, channels: changed } = globalPreference(
    scope,
    subscriberId,
    channelsOf(scope.dialect),
  );
  return { preference: { channels: changed, enabled } };
};

function requireForUpdate(scope: Scope, subscriberId: string): string {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber with id: ${subscriberId} is not found`);
  return subscriber.id;
}

function globalPreference(scope: Scope, subscriberId: string, included: readonly string[]) {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber ${subscriberId} not found`);
  const stored = findPreferences(scope, subscriber.id).get(globalPreferenceKey);
  return {
    enabled: true,
    channels: only(globalSwitches(scope.dialect, stored?.channels), included),
    ...(stored?.schedule ? { schedule: stored.schedule } : {}),
  };
}

function workflowSwitches(
  scope: Scope,
  subscriber: string,
  workflow: StoredWorkflow,
  included: readonly string[],
) {
  const stored = findPreferences(scope, subscriber);
  const global = stored.get(globalPreferenceKey)?.channels;
  const own = stored.get(workflow.id)?.channels;
  const { channels } = mergePreferences(scope.dialect, workflow, global, own);
  return { enabled: true, channels: only(channels, included) };
}

const only = (switches: ChannelSwitches, included: readonly string[]): ChannelSwitches =>
  Object.fromEntries(Object.entries(switches).filter(([channel]) => included.includes(channel)));

const activeWorkflows = (scope: Scope) => allWorkflows(scope).filter(({ active }) => active);

const usedChannels = (workflows: readonly StoredWorkflow[]): readonly string[] =>
  workflows.flatMap((workflow) => [...activeTypes(workflow)]);

const templateFields = (workflow: StoredWorkflow) => ({
  _id: workflow.id,
  name: workflow.name,
  critical: isCritical(workflow),
  tags: workflow.tags,
});
