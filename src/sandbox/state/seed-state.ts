// Writes a state into an empty store. Earlier items of a list get earlier creation times.
import { developmentId, productionId } from '../seed/ids.ts';
import { ensureContext } from '../store/contexts.ts';
import { saveCredentials } from '../store/credentials.ts';
import { hasKey, insertEnvironment, setKey } from '../store/environments.ts';
import { ensurePrimary, type StoredIntegration, saveIntegration } from '../store/integrations.ts';
import { insertLayout } from '../store/layouts.ts';
import type { Store } from '../store/open.ts';
import { globalPreferenceKey, savePreference } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import { insertSubscriber } from '../store/subscribers.ts';
import { ensureSubscription, insertTopic } from '../store/topics.ts';
import { insertWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import type {
  EnvironmentState,
  LayoutState,
  SandboxState,
  SubscriberState,
  WorkflowState,
} from './schema.ts';

const seededIds = new Map([
  ['Development', developmentId],
  ['Production', productionId],
]);

export function seedState(store: Pick<Store, 'scope' | 'ids' | 'sql'>, state: SandboxState): void {
  const { ids, sql } = store;
  const environmentIds = new Map(
    state.environments.map(({ name }) => [name, seededIds.get(name) ?? ids.objectId()]),
  );
  for (const [index, environment] of state.environments.entries()) {
    const { name, identifier = ids.apiKey().slice(0, 12), color = '#808080' } = environment;
    const id = environmentIds.get(name) ?? ids.objectId();
    const { type = name === 'Development' ? 'dev' : 'prod', parent } = environment;
    const parentId = parent === undefined ? undefined : environmentIds.get(parent);
    const scope = store.scope(id);
    insertEnvironment(laterBy(scope, index), {
      ...{ id, name, identifier, type, color },
      ...(parentId === undefined ? {} : { parentId }),
    });
    if (!hasKey(sql, id)) setKey(sql, id, ids.apiKey());
    seedEnvironment(scope, environment);
  }
}

const laterBy = (scope: Scope, ms: number): Scope => ({
  ...scope,
  now: new Date(Date.parse(scope.now) + ms).toISOString(),
});

function seedEnvironment(scope: Scope, environment: EnvironmentState): void {
  const { ids } = scope;
  const integrations = new Map<string, StoredIntegration>();
  for (const [index, given] of (environment.integrations ?? []).entries()) {
    const { active = true, primary = false, credentials = {}, ...rest } = given;
    const integration = {
      ...{ id: ids.objectId(), environmentId: scope.environmentId, active, primary, credentials },
      ...rest,
    } as StoredIntegration;
    saveIntegration(laterBy(scope, index), integration);
    integrations.set(given.identifier, integration);
  }
  for (const { channel } of integrations.values()) {
    ensurePrimary(scope.sql, scope.environmentId, channel);
  }
  for (const [index, given] of (environment.layouts ?? []).entries())
    seedLayout(laterBy(scope, index), given);
  const workflows = new Map<string, string>();
  for (const [index, given] of (environment.workflows ?? []).entries()) {
    const workflow = toStoredWorkflow(laterBy(scope, index), given);
    insertWorkflow(scope, workflow);
    workflows.set(given.workflowId, workflow.id);
  }
  const subscribers = new Map<string, string>();
  for (const given of environment.subscribers ?? []) {
    subscribers.set(given.subscriberId, seedSubscriber(scope, given, integrations, workflows));
  }
  for (const { key, name = null, subscribers: subscriberIds = [] } of environment.topics ?? []) {
    const { id } = insertTopic(scope, { key, name });
    for (const subscriberId of subscriberIds) {
      ensureSubscription(scope, id, subscribers.get(subscriberId) ?? '');
    }
  }
  for (const { type, id, data = {} } of environment.contexts ?? []) {
    ensureContext(scope, type, id, data);
  }
}

function seedLayout(
  scope: Scope,
  { layoutId, name = layoutId, isDefault = false, ...body }: LayoutState,
): void {
  const { ids, now } = scope;
  const id = ids.objectId();
  insertLayout(scope, { id, layoutId, name, isDefault, createdAt: now, updatedAt: now, ...body });
}

function toStoredWorkflow({ ids, now }: Scope, given: WorkflowState): StoredWorkflow {
  const { workflowId, name = workflowId, steps = [], active = true, preferences, ...rest } = given;
  const hasIssues = steps.some(({ issues }) => issues !== undefined);
  const workflow = {
    ...{ id: ids.objectId(), identifier: workflowId, name, active },
    status: !active ? 'INACTIVE' : hasIssues ? 'ERROR' : 'ACTIVE',
    ...{ description: '', tags: [], origin: 'novu-cloud', severity: 'none' },
    ...{ validatePayload: false, payloadSchema: null, payloadExample: null },
    ...rest,
    preferences: { user: null, default: {}, ...preferences },
    steps: steps.map((step) => ({
      ...{ id: ids.objectId(), name: step.stepId, active: true, controlValues: {} },
      ...step,
    })),
    ...{ createdAt: now, updatedAt: now, lastTriggeredAt: null },
  };
  return workflow as StoredWorkflow;
}

function seedSubscriber(
  scope: Scope,
  { subscriberId, credentials = {}, preferences = {}, ...profile }: SubscriberState,
  integrations: ReadonlyMap<string, StoredIntegration>,
  workflows: ReadonlyMap<string, string>,
): string {
  const id = insertSubscriber(scope, subscriberId, profile);
  for (const [identifier, channelCredentials] of Object.entries(credentials)) {
    const integration = integrations.get(identifier);
    if (integration) saveCredentials(scope, id, integration, channelCredentials);
  }
  const { global, workflows: perWorkflow = {} } = preferences;
  if (global) {
    const { channels = {}, schedule } = global;
    savePreference(scope, id, globalPreferenceKey, { channels, ...(schedule ? { schedule } : {}) });
  }
  for (const [identifier, { channels = {} }] of Object.entries(perWorkflow)) {
    savePreference(scope, id, workflows.get(identifier) ?? '', { channels });
  }
  return id;
}
