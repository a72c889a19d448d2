// Reads and updates the preferences of a subscriber: global, and per workflow.

import type { Preferences } from '../../service/schemas/preferences.ts';
import type { Criticality, StepType } from '../../service/schemas/vocabulary.ts';
import { channelOrders } from '../../service/schemas/vocabulary.ts';
import { globalSwitches, isCritical, mergePreferences } from '../engine/channel-preferences.ts';
import {
  type ChannelSwitches,
  globalPreferenceKey,
  preferencesOf,
  type StoredPreference,
  savePreference,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { allWorkflows, type StoredWorkflow } from '../store/workflows.ts';
import { notFound } from '../values/http-error.ts';
import { slugOf } from '../values/slugs.ts';
import type { Call, Handler } from './handler.ts';
import { requireWorkflow } from './workflows.ts';

export const getSubscriberPreferences: Handler<'getSubscriberPreferences'> = ({
  path: { subscriberId },
  query: { criticality = 'nonCritical' },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber ${subscriberId} not found`);
  return readPreferences(scope, subscriber.id, criticality);
};

export const updateSubscriberPreferences: Handler<'updateSubscriberPreferences'> = ({
  path: { subscriberId },
  body,
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber with id: ${subscriberId} is not found`);
  // The service takes null and an empty text as absent.
  if (!body.workflowId) updateGlobal(scope, subscriber.id, body);
  else updateForWorkflow(scope, subscriber.id, body.workflowId, body.channels);
  return readPreferences(scope, subscriber.id, 'nonCritical');
};

/** A global preference also removes the preferences for single workflows on the same channels. */
function updateGlobal(
  scope: Scope,
  subscriber: string,
  { channels = {}, schedule }: Call<'updateSubscriberPreferences'>['body'],
): void {
  const stored = preferencesOf(scope, subscriber);
  for (const [workflow, preference] of stored) {
    if (workflow === globalPreferenceKey) continue;
    savePreference(scope, subscriber, workflow, {
      ...preference,
      channels: omitChannels(preference.channels, channels),
    });
  }
  const current: StoredPreference = stored.get(globalPreferenceKey) ?? { channels: {} };
  savePreference(scope, subscriber, globalPreferenceKey, {
    ...current,
    channels: { ...current.channels, ...channels },
    ...(schedule ? { schedule } : {}),
  });
}

export function updateForWorkflow(
  scope: Scope,
  subscriber: string,
  workflowId: string,
  channels: ChannelSwitches | undefined,
): void {
  const workflow = requireWorkflow(scope, workflowId);
  const current = preferencesOf(scope, subscriber).get(workflow.id);
  savePreference(scope, subscriber, workflow.id, {
    channels: { ...current?.channels, ...channels },
  });
}

const omitChannels = (switches: ChannelSwitches, others: ChannelSwitches): ChannelSwitches =>
  Object.fromEntries(Object.entries(switches).filter(([channel]) => !(channel in others)));

function readPreferences(scope: Scope, subscriber: string, criticality: Criticality): Preferences {
  const stored = preferencesOf(scope, subscriber);
  const globalPreference = stored.get(globalPreferenceKey);
  const workflows = allWorkflows(scope).filter(
    (workflow) =>
      (workflow.active || scope.dialect.showsInactiveWorkflows) &&
      (criticality === 'all' || isCritical(workflow) === (criticality === 'critical')),
  );
  return {
    global: {
      enabled: true,
      channels: usedSwitches(scope, globalPreference),
      ...(globalPreference?.schedule ? { schedule: globalPreference.schedule } : {}),
    },
    workflows: workflows.map((workflow) => ({
      ...workflowPreference(scope, workflow, globalPreference, stored.get(workflow.id)),
      workflow: {
        slug: slugOf(workflow.name, 'wf', workflow.id),
        identifier: workflow.identifier,
        name: workflow.name,
        updatedAt: workflow.updatedAt,
      },
    })),
  };
}

/** The service lists the channels that active workflows use. */
function usedSwitches(scope: Scope, global: StoredPreference | undefined): ChannelSwitches {
  const switches = globalSwitches(global?.channels);
  if (scope.dialect.showsAllChannels) return switches;
  const steps = allWorkflows(scope).flatMap((workflow) => (workflow.active ? workflow.steps : []));
  const used = new Set<string>(steps.filter(({ active }) => active).map(({ type }) => type));
  return Object.fromEntries(Object.entries(switches).filter(([channel]) => used.has(channel)));
}

/** The service names the subscriber as the source of each channel. */
export function workflowPreference(
  { dialect }: Scope,
  workflow: StoredWorkflow,
  global: StoredPreference | undefined,
  own: StoredPreference | undefined,
) {
  const merged = mergePreferences(workflow, global?.channels, own?.channels);
  const types = new Set(workflow.steps.filter(({ active }) => active).map(({ type }) => type));
  const isUsed = (channel: string) => types.has(channel as StepType);
  const isShown = (channel: string) => dialect.showsAllChannels || isUsed(channel);
  return {
    enabled: merged.enabled,
    channels: Object.fromEntries(
      Object.entries(merged.channels).filter(([channel]) => isShown(channel)),
    ) as ChannelSwitches,
    overrides: channelOrders.subscriberOverrides
      .filter(isUsed)
      .map((channel) => ({ channel, source: 'subscriber' as const })),
  };
}
