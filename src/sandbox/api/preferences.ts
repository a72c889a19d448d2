// Preferences of a subscriber: global, and per workflow.
import type { Preferences } from '../../service/schemas/preferences.ts';
import { type Channel, type Criticality, channelOrders } from '../../service/schemas/vocabulary.ts';
import { globalSwitches, isCritical, mergePreferences } from '../engine/skip-rules.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { ensureContexts } from '../store/contexts.ts';
import {
  type ChannelSwitches,
  channelsOf,
  findPreferences,
  globalPreferenceKey,
  type StoredPreference,
  savePreference,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { createSlug, idInSlug } from '../store/slugs.ts';
import { findSubscriber } from '../store/subscribers.ts';
import {
  activeTypes,
  allWorkflows,
  findWorkflow,
  type StoredWorkflow,
} from '../store/workflows.ts';
import type { Call, Handler } from './handler.ts';
import { requireWorkflow } from './workflows.ts';

export const getSubscriberPreferences: Handler<'getSubscriberPreferences'> = ({
  path: { subscriberId },
  query: { criticality = 'nonCritical', contextKeys },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber)
    throw notFound(
      scope.dialect.showsTimes
        ? `Subscriber with id: ${subscriberId} not found`
        : `Subscriber ${subscriberId} not found`,
    );
  return readPreferences(scope, subscriber.id, criticality, contextKeys);
};

export const updateSubscriberPreferences: Handler<'updateSubscriberPreferences'> = ({
  path: { subscriberId },
  body,
  scope,
}) => {
  const subscriber = requireSubscriber(scope, subscriberId);
  // The service takes null and an empty text as absent.
  const channels = body.channels && knownChannels(scope, body.channels);
  const { workflowId, schedule } = body;
  const contextKeys = contextsOf(scope, body);
  if (workflowId) updateForWorkflow(scope, subscriber.id, workflowId, { channels, contextKeys });
  else updateGlobal(scope, subscriber.id, { channels, schedule, contextKeys });
  return readPreferences(scope, subscriber.id, 'nonCritical', contextKeys);
};

function requireSubscriber(scope: Scope, subscriberId: string) {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber with id: ${subscriberId} is not found`);
  return subscriber;
}

const contextsOf = (
  scope: Scope,
  { context }: { context?: Record<string, unknown> | undefined },
): string[] => (scope.dialect.hasContextPreferences ? ensureContexts(scope, context) : []);

/** A global preference also removes the preferences for single workflows on the same channels. */
export function updateGlobal(
  scope: Scope,
  subscriber: string,
  {
    channels = {},
    schedule,
    contextKeys = [],
  }: Pick<Call<'updateSubscriberPreferences'>['body'], 'channels' | 'schedule'> & {
    contextKeys?: string[];
  },
): void {
  const stored = findPreferences(scope, subscriber, contextKeys);
  const save = (workflow: string, preference: StoredPreference) =>
    savePreference(scope, subscriber, workflow, preference, contextKeys);
  for (const [workflow, preference] of stored) {
    if (workflow === globalPreferenceKey) continue;
    save(workflow, { ...preference, channels: omitChannels(preference.channels, channels) });
  }
  const current: StoredPreference = stored.get(globalPreferenceKey) ?? { channels: {} };
  save(globalPreferenceKey, {
    ...current,
    channels: { ...current.channels, ...channels },
    ...(schedule === undefined ? {} : { schedule }),
  });
}

export function updateForWorkflow(
  scope: Scope,
  subscriber: string,
  workflowId: string,
  {
    channels,
    contextKeys = [],
  }: { channels: ChannelSwitches | undefined; contextKeys?: readonly string[] },
): void {
  const workflow = requireWorkflow(scope, workflowId);
  const current = findPreferences(scope, subscriber, contextKeys).get(workflow.id);
  const preference = {
    channels: { ...current?.channels, ...channels },
    ...(scope.dialect.showsTimes ? { updatedAt: scope.now } : {}),
  };
  savePreference(scope, subscriber, workflow.id, preference, contextKeys);
}

const omitChannels = (switches: ChannelSwitches, others: ChannelSwitches): ChannelSwitches =>
  Object.fromEntries(Object.entries(switches).filter(([channel]) => !(channel in others)));

export function readPreferences(
  scope: Scope,
  subscriber: string,
  criticality: Criticality,
  contextKeys: readonly string[] = [],
): Preferences {
  const stored = findPreferences(scope, subscriber, contextKeys);
  const globalPreference = stored.get(globalPreferenceKey);
  const findsNone = criticality === 'critical' && !scope.dialect.findsCritical;
  const workflows = allWorkflows(scope).filter(
    (workflow) =>
      !findsNone &&
      (workflow.active || scope.dialect.showsInactiveWorkflows) &&
      (criticality === 'all' || isCritical(workflow) === (criticality === 'critical')),
  );
  return {
    global: {
      enabled: true,
      channels: findsNone ? {} : usedSwitches(scope, globalPreference),
      schedule: globalPreference?.schedule,
    },
    workflows: workflows.map((workflow) => ({
      ...workflowPreference(scope, workflow, globalPreference, stored.get(workflow.id)),
      ...updatedTime(stored.get(workflow.id)),
      workflow: {
        slug: createSlug(workflow.name, 'wf', workflow.id),
        identifier: workflow.identifier,
        name: workflow.name,
        updatedAt: workflow.updatedAt,
      },
    })),
  };
}

const updatedTime = ({ updatedAt }: Partial<StoredPreference> = {}) =>
  updatedAt === undefined ? {} : { updatedAt };

/** The service lists the channels that active workflows use. */
export function usedSwitches(scope: Scope, global: StoredPreference | undefined): ChannelSwitches {
  const switches = globalSwitches(scope.dialect, global?.channels);
  if (scope.dialect.showsAllChannels) return switches;
  const active = allWorkflows(scope).filter((workflow) => workflow.active);
  const isUsed = (channel: string) => active.some((workflow) => activeTypes(workflow).has(channel));
  return Object.fromEntries(Object.entries(switches).filter(([channel]) => isUsed(channel)));
}

/** The service shows every workflow as enabled, and names the subscriber as the source of each channel. */
export function workflowPreference(
  { dialect }: Scope,
  workflow: StoredWorkflow,
  global: StoredPreference | undefined,
  own: StoredPreference | undefined,
) {
  const { channels } = mergePreferences(dialect, workflow, global?.channels, own?.channels);
  const types = activeTypes(workflow);
  const isUsed = (channel: string) => types.has(channel);
  const isShown = (channel: string) => dialect.showsAllChannels || isUsed(channel);
  return {
    enabled: true,
    channels: Object.fromEntries(
      Object.entries(channels).filter(([channel]) => isShown(channel)),
    ) as ChannelSwitches,
    overrides: channelOrders.subscriberOverrides
      .filter(isUsed)
      .map((channel) => ({ channel, source: 'subscriber' as const })),
  };
}

export const updateManyPreferences: Handler<'updateManyPreferences'> = ({
  path: { subscriberId },
  body: { preferences, ...body },
  scope,
}) => {
  const subscriber = requireSubscriber(scope, subscriberId);
  const contextKeys = contextsOf(scope, body);
  return withWorkflows(scope, preferences).map(({ entry, workflow }) => {
    const channels = knownChannels(scope, entry.channels);
    if (!isCritical(workflow))
      updateForWorkflow(scope, subscriber.id, workflow.id, { channels, contextKeys });
    return changedPreference(scope, subscriber.id, workflow, contextKeys);
  });
};

/** The last of several entries for a workflow counts. Throws for an empty list and for an unknown workflow. */
export function withWorkflows<Entry extends { workflowId: string }>(
  scope: Scope,
  entries: readonly Entry[],
): { entry: Entry; workflow: StoredWorkflow }[] {
  if (entries.length === 0) throw badRequest('No preferences provided for bulk update');
  const changes = new Map<string, { entry: Entry; workflow: StoredWorkflow }>();
  const unknown: string[] = [];
  for (const entry of entries) {
    const workflow = findByIdOrSlug(scope, entry.workflowId);
    if (workflow) changes.set(workflow.id, { entry, workflow });
    else unknown.push(entry.workflowId);
  }
  if (unknown.length > 0) throw notFound(`Workflows with ids: ${unknown.join(', ')} not found`);
  return [...changes.values()];
}

type Channels = Call<'updateManyPreferences'>['body']['preferences'][number]['channels'];

const knownChannels = ({ dialect }: Scope, channels: Channels): Channels =>
  Object.fromEntries(
    Object.entries(channels).filter(([name]) => channelsOf(dialect).includes(name as Channel)),
  );

function findByIdOrSlug(scope: Scope, id: string): StoredWorkflow | undefined {
  const internalId = idInSlug(id, 'wf') ?? id;
  return findWorkflow(scope, 'identifier', id) ?? findWorkflow(scope, 'id', internalId);
}

/** The preference has the channels of the workflow's active steps. */
export function changedPreference(
  scope: Scope,
  subscriber: string,
  workflow: StoredWorkflow,
  contextKeys: readonly string[] = [],
) {
  const stored = findPreferences(scope, subscriber, contextKeys);
  const { enabled, channels } = mergePreferences(
    scope.dialect,
    workflow,
    stored.get(globalPreferenceKey)?.channels,
    stored.get(workflow.id)?.channels,
  );
  const used = activeTypes(workflow);
  const { id, identifier, name, tags, severity } = workflow;
  return {
    level: 'template',
    enabled,
    channels: Object.fromEntries(
      channelsOf(scope.dialect)
        .filter((channel) => used.has(channel))
        .map((channel) => [channel, channels[channel]]),
    ),
    workflow: { id, identifier, name, critical: isCritical(workflow), tags, severity },
  };
}
