// Writes a state into an empty store and triggers its events. Earlier items of a list get earlier creation times.
import { completeSettings } from '../../service/workflow-defaults.ts';
import { preferencesFrom } from '../definitions/preferences.ts';
import { ensureContext } from '../store/contexts.ts';
import { saveCredentials } from '../store/credentials.ts';
import { hasKey, insertEnvironment, setKey } from '../store/environments.ts';
import { ensurePrimaries } from '../store/integration-order.ts';
import { type StoredIntegration, saveIntegration } from '../store/integrations.ts';
import { insertLayout } from '../store/layouts.ts';
import { globalPreferenceKey, savePreference } from '../store/preferences.ts';
import type { Scope, Store } from '../store/scope.ts';
import { insertSubscriber } from '../store/subscribers.ts';
import { insertSubscription, insertTopic } from '../store/topics.ts';
import { insertWorkflow, type StoredWorkflow } from '../store/workflows.ts';
import { developmentId, productionId } from '../values/fixed-ids.ts';
import type { Ids } from '../values/ids.ts';
import { initialIntegrations } from './default-integrations.ts';
import type {
  EnvironmentState,
  LayoutState,
  SandboxState,
  SubscriberState,
  WorkflowState,
} from './schema.ts';
import { seedEvents } from './seed-events.ts';

export type SeedTarget = Pick<Store, 'scope' | 'ids' | 'sql' | 'clock'>;

export interface SeedOptions {
  /** Returns the id of a record, such as `topic:announcements`; default: a new id. */
  idOf?: (label: string) => string;
  /** Creates the ids of what the events produce. */
  ids?: Ids;
  /** When the first records were created, in milliseconds; default: now. */
  createdAt?: number;
  /** The id of the only environment, which is a copy of another one. */
  copyId?: string;
}

interface SeedScope extends Scope {
  idOf: (label: string) => string;
}

const seededIds = new Map([
  ['Development', developmentId],
  ['Production', productionId],
]);

export function seedState(
  store: SeedTarget,
  state: SandboxState,
  { idOf = () => store.ids.objectId(), ids = store.ids, createdAt, copyId }: SeedOptions = {},
): void {
  const { sql } = store;
  const now = new Date(createdAt ?? store.clock.now()).toISOString();
  const environments = state.environments.map((environment) => ({
    ...environment,
    id: copyId ?? seededIds.get(environment.name) ?? store.ids.objectId(),
  }));
  for (const [index, environment] of environments.entries()) {
    const { id, name, identifier = store.ids.apiKey().slice(0, 12) } = environment;
    const { color = '#808080', type = name === 'Development' ? 'dev' : 'prod' } = environment;
    const parentId = environments.find((candidate) => candidate.name === environment.parent)?.id;
    const scope = { ...store.scope(id), idOf, now };
    insertEnvironment(laterBy(scope, index), {
      ...{ id, name, identifier, type, color },
      ...(parentId === undefined ? {} : { parentId }),
      ...(copyId === undefined ? {} : { isCopy: true as const }),
    });
    if (!hasKey(sql, id)) setKey(sql, id, store.ids.apiKey());
    seedEnvironment(scope, environment);
  }
  seedEvents(store, ids, environments);
}

const laterBy = <T extends Scope>(scope: T, ms: number): T => ({
  ...scope,
  now: new Date(Date.parse(scope.now) + ms).toISOString(),
});

function seedEnvironment(scope: SeedScope, environment: EnvironmentState): void {
  const { idOf } = scope;
  const integrations = new Map<string, StoredIntegration>();
  for (const [index, given] of initialIntegrations(environment).entries()) {
    const { active = true, primary = false, credentials = {}, ...rest } = given;
    const id = idOf(`integration:${given.identifier}`);
    const integration = {
      ...{ id, environmentId: scope.environmentId, active, primary, credentials },
      ...rest,
    } as StoredIntegration;
    saveIntegration(laterBy(scope, index), integration);
    integrations.set(given.identifier, integration);
  }
  ensurePrimaries(scope);
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
    const { id } = insertTopic(scope, { key, name, id: idOf(`topic:${key}`) });
    for (const subscriberId of new Set(subscriberIds)) {
      const subscription = idOf(`subscription:${key}:${subscriberId}`);
      insertSubscription(scope, id, subscribers.get(subscriberId) ?? '', subscription);
    }
  }
  for (const { type, id, data = {} } of environment.contexts ?? []) {
    ensureContext(scope, type, id, data, idOf(`context:${type}:${id}`));
  }
}

export function seedLayout(
  scope: SeedScope,
  { layoutId, name = layoutId, isDefault = false, ...body }: LayoutState,
): void {
  const { now } = scope;
  const id = scope.idOf(`layout:${layoutId}`);
  insertLayout(scope, { id, layoutId, name, isDefault, createdAt: now, updatedAt: now, ...body });
}

export function toStoredWorkflow(
  { idOf, now }: Pick<SeedScope, 'idOf' | 'now'>,
  given: WorkflowState,
): StoredWorkflow {
  const { workflowId, name = workflowId, steps = [], active = true, preferences, ...rest } = given;
  const hasIssues = steps.some(({ issues }) => issues !== undefined);
  const workflow = {
    ...{ id: idOf(`workflow:${workflowId}`), identifier: workflowId, name },
    status: !active ? 'INACTIVE' : hasIssues ? 'ERROR' : 'ACTIVE',
    ...{ origin: 'novu-cloud', payloadExample: null },
    ...rest,
    ...completeSettings({ validatePayload: false, ...rest, active }),
    preferences: { ...preferencesFrom(null), ...preferences },
    steps: steps.map((step) => ({
      id: idOf(`step:${workflowId}:${step.stepId}`),
      ...{ name: step.stepId, active: true, controlValues: {} },
      ...step,
    })),
    ...{ createdAt: now, updatedAt: now, lastTriggeredAt: null },
  };
  return workflow as StoredWorkflow;
}

function seedSubscriber(
  scope: SeedScope,
  { subscriberId, credentials = {}, preferences = {}, ...profile }: SubscriberState,
  integrations: ReadonlyMap<string, StoredIntegration>,
  workflows: ReadonlyMap<string, string>,
): string {
  const id = scope.idOf(`subscriber:${subscriberId}`);
  insertSubscriber(scope, subscriberId, profile, id);
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
