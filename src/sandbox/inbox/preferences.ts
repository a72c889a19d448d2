// The preferences of the subscriber of a session, and their schedule.
import { limits } from '../../service/limits.ts';
import { channelTypes } from '../../service/schemas/vocabulary.ts';
import {
  changedPreference,
  updateForWorkflow,
  updateGlobal,
  usedSwitches,
  withWorkflows,
  workflowPreference,
} from '../api/preferences.ts';
import { toWorkflow } from '../api/subscription-items.ts';
import { requireWorkflow } from '../api/workflows.ts';
import { isCritical } from '../engine/skip-rules.ts';
import { notFound, unprocessable } from '../http/http-error.ts';
import {
  type ChannelSwitches,
  channelsOf,
  findPreferences,
  globalPreferenceKey,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { subscriptions } from '../store/topics.ts';
import { allWorkflows, type StoredWorkflow } from '../store/workflows.ts';
import { toSeverities } from './filters.ts';
import type { AnyInboxCall, InboxCall, InboxHandlers } from './session-token.ts';
import { isOwn, knownContexts } from './subscriptions.ts';

function globalPreference(scope: Scope, subscriber: string) {
  const preference = findPreferences(scope, subscriber).get(globalPreferenceKey);
  return {
    level: 'global',
    enabled: true,
    channels: withoutTool(usedSwitches(scope, preference)),
    schedule: preference?.schedule,
  };
}

/** The inbox does not show the channel tool. */
const withoutTool = ({ tool: _, ...channels }: ChannelSwitches): ChannelSwitches => channels;

const changed = (scope: Scope, subscriber: string, workflow: StoredWorkflow) => ({
  ...changedPreference(scope, subscriber, workflow),
  workflow: toWorkflow(workflow),
});

const switchesIn = (body: ChannelSwitches): ChannelSwitches =>
  Object.fromEntries(
    channelTypes.flatMap((channel) =>
      Object.hasOwn(body, channel) ? [[channel, body[channel]]] : [],
    ),
  );

/** Changes whether a workflow reaches the subscriber through a subscription, which an internal id can name, too. */
function changeChoice(
  call: AnyInboxCall,
  identifier: string,
  workflow: StoredWorkflow,
  change: InboxCall<'changeOwnChoice'>['body'],
  contextKeys: readonly string[],
) {
  const { scope } = call;
  const subscription = subscriptions
    .all(scope, '(identifier = ? OR id = ?)', identifier, identifier)
    .find(isOwn(call, contextKeys));
  if (!subscription)
    throw notFound(
      `Subscription with identifier: ${identifier} is not found for the authenticated subscriber`,
    );
  const { preferences = [] } = subscription;
  const current = preferences.find((preference) => preference.workflow === workflow.id);
  const shown = channelsOf(scope.dialect).filter((channel) => channel !== 'tool');
  const all = (enabled: boolean) => Object.fromEntries(shown.map((channel) => [channel, enabled]));
  const { enabled = current?.enabled ?? true, condition = current?.condition } = change;
  const choice = {
    workflow: workflow.id,
    enabled,
    ...(condition === undefined || condition === null ? {} : { condition }),
    // The subscription began with the same switch for every channel.
    channels: { ...(current && (current.channels ?? all(current.enabled))), ...switchesIn(change) },
  };
  subscriptions.update(scope, {
    ...subscription,
    preferences: current
      ? preferences.map((preference) => (preference === current ? choice : preference))
      : [...preferences, choice],
  });
  return {
    level: 'template',
    enabled,
    condition: choice.condition,
    subscriptionId: identifier,
    channels: { ...all(enabled), ...choice.channels },
    workflow: toWorkflow(workflow),
  };
}

export const preferenceHandlers = {
  listPreferences({ query: { criticality = 'nonCritical', tags, severity }, scope, subscriber }) {
    const severities = toSeverities(severity);
    const stored = findPreferences(scope, subscriber.id);
    const isListed = (workflow: StoredWorkflow) =>
      workflow.active &&
      (criticality === 'all' || isCritical(workflow) === (criticality === 'critical')) &&
      (!tags?.length || workflow.tags.some((tag) => tags.includes(tag))) &&
      (!severities || severities.includes(workflow.severity ?? 'none'));
    const workflows = allWorkflows(scope)
      .filter(isListed)
      .sort((a, b) => (a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? -1 : 1));
    return [
      globalPreference(scope, subscriber.id),
      ...workflows.map((workflow) => ({
        level: 'template',
        ...workflowPreference(
          scope,
          workflow,
          stored.get(globalPreferenceKey),
          stored.get(workflow.id),
        ),
        enabled: true,
        workflow: toWorkflow(workflow, isCritical(workflow)),
      })),
    ];
  },
  getGlobalPreference: ({ scope, subscriber }) => globalPreference(scope, subscriber.id),
  changeGlobalPreference({ body, scope, subscriber }) {
    updateGlobal(scope, subscriber.id, { channels: switchesIn(body), schedule: body.schedule });
    return globalPreference(scope, subscriber.id);
  },
  changePreferences(call) {
    const { preferences } = call.body;
    const { scope, subscriber, contextKeys } = call;
    const most = limits.preferencesPerRequest;
    if (preferences.length > most)
      throw unprocessable(`preferences must contain no more than ${most} elements`);
    return withWorkflows(scope, preferences).map(({ entry, workflow }) => {
      const { subscriptionIdentifier } = entry;
      if (subscriptionIdentifier && scope.dialect.hasNamedSubscriptions)
        return changeChoice(call, subscriptionIdentifier, workflow, entry, contextKeys ?? []);
      updateForWorkflow(scope, subscriber.id, workflow.id, { channels: switchesIn(entry) });
      return changed(scope, subscriber.id, workflow);
    });
  },
  changePreference({ path: { id }, body, scope, subscriber }) {
    const workflow = requireWorkflow(scope, id);
    updateForWorkflow(scope, subscriber.id, workflow.id, { channels: switchesIn(body) });
    return changed(scope, subscriber.id, workflow);
  },
  changeOwnChoice(call) {
    const { identifier, workflowId } = call.path;
    const workflow = requireWorkflow(call.scope, workflowId);
    return changeChoice(call, identifier, workflow, call.body, knownContexts(call));
  },
} satisfies Partial<InboxHandlers>;
