// Exports the contents of a sandbox as a state: without messages, activity, events, API keys and the environments that
// tests have created as copies.
import { modeMark } from '../../service/mode.ts';
import { mask } from '../../service/secret-fields.ts';
import { definedSettings } from '../../service/workflow-defaults.ts';
import { contexts } from '../store/contexts.ts';
import { listCredentials } from '../store/credentials.ts';
import { listStoredEnvironments } from '../store/environments.ts';
import { listIntegrations } from '../store/integrations.ts';
import { listLayouts } from '../store/layouts.ts';
import {
  findPreferences,
  globalPreferenceKey,
  type StoredPreference,
} from '../store/preferences.ts';
import type { Scope, Store } from '../store/scope.ts';
import { fromJson } from '../store/sql.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { defaultIdentifier, subscriptionsOf, topics } from '../store/topics.ts';
import { allWorkflows, type StoredWorkflow } from '../store/workflows.ts';
import type { EnvironmentState, SandboxState, SubscriberState, WorkflowState } from './schema.ts';
import { workflowsWithSkip } from './validation-errors.ts';

export function exportState(store: Store, reveal: boolean): SandboxState {
  const stored = listStoredEnvironments(store.sql).filter(({ isCopy }) => isCopy !== true);
  const maskUnlessRevealed = <T>(value: T): T => (reveal ? value : (maskStrings(value) as T));
  const environments = stored.map(({ id, name, identifier, type, color, parentId }) => {
    const scope = store.scope(id);
    const parent = stored.find((environment) => environment.id === parentId)?.name;
    return {
      name,
      identifier,
      type,
      color,
      parent,
      integrations: listIntegrations(scope).map(
        ({ id, environmentId, createdAt, updatedAt, priority, credentials, ...rest }) => ({
          ...rest,
          credentials: maskUnlessRevealed(credentials),
        }),
      ),
      ...layoutStates(scope),
      workflows: allWorkflows(scope).map(toWorkflowState),
      subscribers: subscriberStates(scope, maskUnlessRevealed),
      ...topicsAndContexts(scope),
    };
  });
  // Converting to JSON and back drops members that are undefined.
  const exported = fromJson<SandboxState['environments']>(JSON.stringify(environments));
  const mark = modeMark(
    store.dialect.mode,
    workflowsWithSkip({ environments: exported }).length > 0,
  );
  const { service } = store.dialect;
  return { version: 1, ...(mark ? { compat: mark } : {}), service, environments: exported };
}

/** Without a `layouts` member if there are none. */
function layoutStates(scope: Scope): Pick<EnvironmentState, 'layouts'> {
  const layouts = listLayouts(scope).map((layout) => {
    const { layoutId, name, isDefault, isTranslationEnabled, editorType, body } = layout;
    return {
      layoutId,
      name,
      isDefault,
      ...(isTranslationEnabled ? { isTranslationEnabled } : {}),
      ...(editorType === undefined ? {} : { editorType }),
      ...(body === undefined ? {} : { body }),
    };
  });
  return layouts.length === 0 ? {} : { layouts };
}

/** Writes the members in a fixed order, regardless of the stored order. */
const toWorkflowState = (workflow: StoredWorkflow): WorkflowState => {
  const { identifier, name, origin, payloadExample, preferences, steps } = workflow;
  const { isTranslationEnabled, ...settings } = definedSettings(workflow);
  const state = {
    workflowId: identifier,
    name,
    origin,
    ...settings,
    ...(isTranslationEnabled ? { isTranslationEnabled } : {}),
    payloadExample,
    preferences: { user: preferences.user, default: preferences.default },
    steps: steps.map(({ stepId, name: title, type, active: on, controlValues, ...rest }) => ({
      stepId,
      name: title,
      type,
      active: on,
      controlValues,
      issues: rest.issues,
      filters: rest.filters,
      shouldStopOnFail: rest.shouldStopOnFail,
    })),
  };
  return state as WorkflowState;
};

function subscriberStates(scope: Scope, maskUnlessRevealed: <T>(value: T) => T): SubscriberState[] {
  const workflows = new Map(allWorkflows(scope).map(({ id, identifier }) => [id, identifier]));
  return scope.sql
    .all<{ name: string }>(
      'SELECT subscriber_id AS name FROM subscribers WHERE env = ? ORDER BY subscriber_id',
      scope.environmentId,
    )
    .flatMap(({ name }) => findSubscriber(scope, name) ?? [])
    .map(({ id, subscriberId, profile: { isOnline: _, lastOnlineAt: __, ...profile } }) => {
      const credentialEntries = listCredentials(scope, id).flatMap(
        ({ integrationIdentifier, credentials }) =>
          integrationIdentifier === undefined
            ? []
            : [[integrationIdentifier, maskUnlessRevealed(credentials)]],
      );
      const stored = findPreferences(scope, id);
      const workflowEntries = [...workflows].flatMap(([workflow, identifier]) => {
        const preference = toPreferenceState(stored.get(workflow));
        return preference ? [[identifier, preference]] : [];
      });
      const preferences = {
        global: toPreferenceState(stored.get(globalPreferenceKey)),
        ...(workflowEntries.length > 0 ? { workflows: Object.fromEntries(workflowEntries) } : {}),
      };
      const hasPreferences = preferences.global !== undefined || workflowEntries.length > 0;
      return {
        subscriberId,
        ...profile,
        ...(credentialEntries.length > 0
          ? { credentials: Object.fromEntries(credentialEntries) }
          : {}),
        ...(hasPreferences ? { preferences } : {}),
      } as SubscriberState;
    });
}

function toPreferenceState(preference: StoredPreference | undefined): object | undefined {
  const { channels = {}, schedule } = preference ?? {};
  const hasChannels = Object.keys(channels).length > 0;
  return hasChannels || schedule ? { ...(hasChannels ? { channels } : {}), schedule } : undefined;
}

/** With every stored member, except ids and times. */
const topicsAndContexts = (scope: Scope): Pick<EnvironmentState, 'topics' | 'contexts'> => ({
  topics: topics
    .all(scope, 'true ORDER BY key')
    .map(({ id, createdAt: _, updatedAt: __, ...topic }) => ({
      ...topic,
      ...subscriptionStates(scope, id, topic.key),
    })),
  contexts: contexts
    .all(scope, 'true ORDER BY type, context_id')
    .map(({ id: _, contextId: id, createdAt: __, updatedAt: ___, type, ...context }) => ({
      ...{ type, id },
      ...context,
    })),
});

function subscriptionStates(scope: Scope, topic: string, key: string) {
  const workflows = new Map(allWorkflows(scope).map(({ id, identifier }) => [id, identifier]));
  const all = subscriptionsOf(scope, topic).map((subscription) => {
    const { subscriberId, name, contextKeys, preferences = [] } = subscription;
    const isDefault = subscription.identifier === defaultIdentifier(key, subscriberId, contextKeys);
    return {
      subscriberId,
      ...(isDefault ? {} : { identifier: subscription.identifier }),
      ...(name === undefined ? {} : { name }),
      ...(contextKeys.length > 0 ? { contextKeys } : {}),
      ...(preferences.length > 0
        ? {
            // The choice of a deleted workflow has no effect, and the channels of a choice have none.
            preferences: preferences.flatMap(({ workflow, channels: _, ...choice }) => {
              const workflowId = workflows.get(workflow);
              return workflowId === undefined ? [] : [{ workflowId, ...choice }];
            }),
          }
        : {}),
    };
  });
  const isPlain = (subscription: object) => Object.keys(subscription).length === 1;
  const others = all.filter((subscription) => !isPlain(subscription));
  return {
    subscribers: all.filter(isPlain).map(({ subscriberId }) => subscriberId),
    ...(others.length > 0 ? { subscriptions: others } : {}),
  };
}

/** Replaces every non-empty string by the mask. Other values are kept. */
function maskStrings(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : mask;
  if (Array.isArray(value)) return value.map(maskStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskStrings(member)]),
  );
}
