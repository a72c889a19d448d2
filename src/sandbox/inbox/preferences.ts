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
import { requireWorkflow } from '../api/workflows.ts';
import { isCritical } from '../engine/skip-rules.ts';
import { unprocessable } from '../http/http-error.ts';
import {
  type ChannelSwitches,
  findPreferences,
  globalPreferenceKey,
} from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { allWorkflows, type StoredWorkflow } from '../store/workflows.ts';
import { toSeverities } from './filters.ts';
import type { InboxHandlers } from './session-token.ts';

export const workflowFields = ({ id, identifier, name, tags, severity }: StoredWorkflow) => ({
  id,
  identifier,
  name,
  tags,
  severity: severity ?? 'none',
});

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

/** Unlike in the list, the service does not say here that a workflow is critical. */
function changed(scope: Scope, subscriber: string, workflow: StoredWorkflow) {
  const preference = changedPreference(scope, subscriber, workflow);
  return {
    ...preference,
    workflow: { ...preference.workflow, critical: false, severity: workflow.severity ?? 'none' },
  };
}

const switchesIn = (body: ChannelSwitches): ChannelSwitches =>
  Object.fromEntries(
    channelTypes.flatMap((channel) =>
      body[channel] === undefined ? [] : [[channel, body[channel]]],
    ),
  );

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
        workflow: { ...workflowFields(workflow), critical: isCritical(workflow) },
      })),
    ];
  },
  getGlobalPreference: ({ scope, subscriber }) => globalPreference(scope, subscriber.id),
  changeGlobalPreference({ body, scope, subscriber }) {
    updateGlobal(scope, subscriber.id, { channels: switchesIn(body), schedule: body.schedule });
    return globalPreference(scope, subscriber.id);
  },
  changePreferences({ body: { preferences }, scope, subscriber }) {
    const most = limits.preferencesPerRequest;
    if (preferences.length > most)
      throw unprocessable(`preferences must contain no more than ${most} elements`);
    return withWorkflows(scope, preferences).map(({ entry, workflow }) => {
      updateForWorkflow(scope, subscriber.id, workflow.id, { channels: switchesIn(entry) });
      return changed(scope, subscriber.id, workflow);
    });
  },
  changePreference({ path: { id }, body, scope, subscriber }) {
    const workflow = requireWorkflow(scope, id);
    updateForWorkflow(scope, subscriber.id, workflow.id, { channels: switchesIn(body) });
    return changed(scope, subscriber.id, workflow);
  },
} satisfies Partial<InboxHandlers>;
