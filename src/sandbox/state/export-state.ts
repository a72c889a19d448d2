// What a sandbox holds, as a state: no messages, no activity, never API keys.
import { credentialsOf } from '../store/credentials.ts';
import { listStoredEnvironments } from '../store/environments.ts';
import { listIntegrations } from '../store/integrations.ts';
import type { Store } from '../store/open.ts';
import { globalPreferenceKey, preferencesOf, type StoredPreference } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { fromJson } from '../store/sql.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { topicSubscribers } from '../store/topics.ts';
import { allWorkflows, type StoredWorkflow } from '../store/workflows.ts';
import type { EnvironmentState, SandboxState, SubscriberState, WorkflowState } from './schema.ts';
import { mask } from './validation-errors.ts';

export function exportState(store: Store, reveal: boolean): SandboxState {
  const stored = listStoredEnvironments(store.sql);
  const hide = <T>(value: T): T => (reveal ? value : (maskStrings(value) as T));
  const state = {
    version: 1,
    environments: stored.map(({ id, name, identifier, type, color, parentId }) => {
      const scope = store.scope(id);
      const parent = stored.find((one) => one.id === parentId)?.name;
      return {
        ...{ name, identifier, type, color, parent },
        integrations: listIntegrations(scope).map(
          ({ id: _, environmentId: __, credentials, ...rest }) => ({
            ...rest,
            credentials: hide(credentials),
          }),
        ),
        workflows: allWorkflows(scope).map(toWorkflowState),
        subscribers: subscriberStates(scope, hide),
        ...topicsAndContexts(scope),
      };
    }),
  };
  // Through JSON: members that are absent leave no trace.
  return fromJson<SandboxState>(JSON.stringify(state));
}

/** Members stand in one order, whatever order they were stored in. */
const toWorkflowState = (workflow: StoredWorkflow): WorkflowState => {
  const { identifier, name, description, tags, origin, severity, active } = workflow;
  const { validatePayload, payloadSchema, payloadExample, preferences, steps } = workflow;
  const state = {
    ...{ workflowId: identifier, name, description, tags, origin, severity, active },
    ...{ validatePayload, payloadSchema, payloadExample },
    preferences: { user: preferences.user, default: preferences.default },
    steps: steps.map(({ stepId, name: title, type, active: on, controlValues, ...rest }) => ({
      ...{ stepId, name: title, type, active: on, controlValues },
      ...{ issues: rest.issues, shouldStopOnFail: rest.shouldStopOnFail },
    })),
  };
  return state as WorkflowState;
};

function subscriberStates(scope: Scope, hide: <T>(value: T) => T): SubscriberState[] {
  const workflows = new Map(allWorkflows(scope).map(({ id, identifier }) => [id, identifier]));
  return scope.sql
    .all<{ name: string }>(
      'SELECT subscriber_id AS name FROM subscribers WHERE env = ? ORDER BY subscriber_id',
      scope.environmentId,
    )
    .flatMap(({ name }) => findSubscriber(scope, name) ?? [])
    .map(({ id, subscriberId, profile }) => {
      const held = credentialsOf(scope, id).flatMap(({ integrationIdentifier, credentials }) =>
        integrationIdentifier === undefined ? [] : [[integrationIdentifier, hide(credentials)]],
      );
      const chosen = preferencesOf(scope, id);
      const here = [...workflows].flatMap(([workflow, identifier]) => {
        const preference = toPreferenceState(chosen.get(workflow));
        return preference ? [[identifier, preference]] : [];
      });
      const preferences = {
        global: toPreferenceState(chosen.get(globalPreferenceKey)),
        ...(here.length > 0 ? { workflows: Object.fromEntries(here) } : {}),
      };
      const any = preferences.global !== undefined || here.length > 0;
      return {
        subscriberId,
        ...profile,
        ...(held.length > 0 ? { credentials: Object.fromEntries(held) } : {}),
        ...(any ? { preferences } : {}),
      } as SubscriberState;
    });
}

function toPreferenceState(preference: StoredPreference | undefined): object | undefined {
  const { channels = {}, schedule } = preference ?? {};
  const some = Object.keys(channels).length > 0;
  return some || schedule ? { ...(some ? { channels } : {}), schedule } : undefined;
}

function topicsAndContexts(scope: Scope): Pick<EnvironmentState, 'topics' | 'contexts'> {
  const { sql, environmentId } = scope;
  const topics = sql.all<{ id: string; key: string; name: string | null }>(
    'SELECT id, key, name FROM topics WHERE env = ? ORDER BY key',
    environmentId,
  );
  const contexts = sql.all<{ type: string; context_id: string; body: string }>(
    'SELECT type, context_id, body FROM contexts WHERE env = ? ORDER BY type, context_id',
    environmentId,
  );
  return {
    topics: topics.map(({ id, key, name }) => ({
      ...{ key, name },
      subscribers: topicSubscribers(scope, id, []),
    })),
    contexts: contexts.map(({ type, context_id, body }) => ({
      ...{ type, id: context_id },
      data: fromJson<Record<string, unknown>>(body),
    })),
  };
}

/** Texts become masks; switches stay. */
function maskStrings(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : mask;
  if (Array.isArray(value)) return value.map(maskStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskStrings(one)]));
}
