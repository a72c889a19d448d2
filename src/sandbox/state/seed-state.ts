// Writes a state into an empty store and triggers its events. Earlier items of a list get earlier creation times.

import { readDuration } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';
import { completeSettings } from '../../service/workflow-defaults.ts';
import { acceptEvent } from '../engine/accept-event.ts';
import { cancelTransaction } from '../engine/cancel.ts';
import { markMessage } from '../engine/change-inbox.ts';
import { runDue } from '../engine/run-jobs.ts';
import { boundTime } from '../store/clock.ts';
import { ensureContext } from '../store/contexts.ts';
import { saveCredentials } from '../store/credentials.ts';
import { hasKey, insertEnvironment, setKey } from '../store/environments.ts';
import { developmentId, type Ids, productionId } from '../store/ids.ts';
import { ensurePrimaries, type StoredIntegration, saveIntegration } from '../store/integrations.ts';
import { findLayout, insertLayout, listLayouts, saveLayout } from '../store/layouts.ts';
import { messagesOfTransaction } from '../store/messages.ts';
import { globalPreferenceKey, savePreference } from '../store/preferences.ts';
import type { Scope, Store } from '../store/scope.ts';
import { insertSubscriber } from '../store/subscribers.ts';
import { defaultIdentifier, insertSubscription, insertTopic } from '../store/topics.ts';
import {
  findWorkflow,
  insertWorkflow,
  type StoredWorkflow,
  saveWorkflow,
} from '../store/workflows.ts';
import { preferencesFrom } from '../templates/definition.ts';
import { initialIntegrations } from './default-integrations.ts';
import type {
  EnvironmentState,
  EventState,
  LayoutState,
  SandboxState,
  SubscriberState,
  TopicState,
  WorkflowState,
} from './schema.ts';
import { checkSkipModes } from './validation-errors.ts';

export type SeedTarget = Pick<Store, 'scope' | 'ids' | 'sql' | 'clock'>;

interface SeedOptions {
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
      id,
      name,
      identifier,
      type,
      color,
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
  for (const [index, state] of initialIntegrations(environment).entries()) {
    const { active = true, primary = false, credentials = {}, ...rest } = state;
    const id = idOf(`integration:${state.identifier}`);
    const integration = {
      id,
      environmentId: scope.environmentId,
      active,
      primary,
      credentials,
      ...rest,
    } as StoredIntegration;
    saveIntegration(laterBy(scope, index), integration);
    integrations.set(state.identifier, integration);
  }
  ensurePrimaries(scope);
  for (const [index, layout] of (environment.layouts ?? []).entries())
    seedLayout(laterBy(scope, index), layout);
  const workflows = new Map<string, string>();
  for (const [index, state] of (environment.workflows ?? []).entries()) {
    const workflow = toStoredWorkflow(laterBy(scope, index), state);
    insertWorkflow(scope, workflow);
    workflows.set(state.workflowId, workflow.id);
  }
  const subscribers = new Map<string, string>();
  for (const state of environment.subscribers ?? []) {
    subscribers.set(state.subscriberId, seedSubscriber(scope, state, integrations, workflows));
  }
  for (const topic of environment.topics ?? []) seedTopic(scope, topic, subscribers, workflows);
  for (const { type, id, data = {} } of environment.contexts ?? []) {
    ensureContext(scope, type, id, data, idOf(`context:${type}:${id}`));
  }
}

function seedLayout(
  scope: SeedScope,
  { layoutId, name = layoutId, isDefault = false, ...body }: LayoutState,
): void {
  const { now } = scope;
  const id = scope.idOf(`layout:${layoutId}`);
  insertLayout(scope, { id, layoutId, name, isDefault, createdAt: now, updatedAt: now, ...body });
}

export function toStoredWorkflow(
  { idOf, now, dialect }: Pick<SeedScope, 'idOf' | 'now' | 'dialect'>,
  state: WorkflowState,
): StoredWorkflow {
  const { workflowId, name = workflowId, steps = [], active = true, preferences, ...rest } = state;
  const hasIssues = steps.some(({ issues }) => issues !== undefined);
  const workflow = {
    id: idOf(`workflow:${workflowId}`),
    identifier: workflowId,
    name,
    status: !active ? 'INACTIVE' : hasIssues ? 'ERROR' : 'ACTIVE',
    origin: 'novu-cloud',
    payloadExample: null,
    ...rest,
    ...completeSettings({ validatePayload: false, ...rest, active }),
    preferences: dialect.hasLaterSteps
      ? preferencesFrom({ user: preferences?.user, workflow: preferences?.default }, dialect)
      : { ...preferencesFrom(null, dialect), ...preferences },
    steps: steps.map((step) => ({
      id: idOf(`step:${workflowId}:${step.stepId}`),
      name: step.stepId,
      active: true,
      controlValues: {},
      ...step,
    })),
    createdAt: now,
    updatedAt: now,
    lastTriggeredAt: null,
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

function seedTopic(
  scope: SeedScope,
  { key, name = null, subscribers: plain = [], subscriptions = [] }: TopicState,
  subscribers: ReadonlyMap<string, string>,
  workflows: ReadonlyMap<string, string>,
): void {
  const { id } = insertTopic(scope, { key, name, id: scope.idOf(`topic:${key}`) });
  const { hasNamedSubscriptions } = scope.dialect;
  const ids = hasNamedSubscriptions
    ? plain
    : [...plain, ...subscriptions.map(({ subscriberId }) => subscriberId)];
  for (const subscriberId of new Set(ids))
    insertSubscription(scope, {
      topic: id,
      subscriber: subscribers.get(subscriberId) ?? '',
      identifier: defaultIdentifier(key, subscriberId),
      id: scope.idOf(`subscription:${key}:${subscriberId}`),
    });
  if (!hasNamedSubscriptions) return;
  for (const { subscriberId, preferences, contextKeys = [], ...rest } of subscriptions) {
    const { identifier = defaultIdentifier(key, subscriberId, contextKeys), name } = rest;
    insertSubscription(scope, {
      topic: id,
      subscriber: subscribers.get(subscriberId) ?? '',
      identifier,
      name,
      id: scope.idOf(`subscription:${key}:${subscriberId}:${identifier}`),
      contextKeys,
      preferences: preferences?.map(({ workflowId, enabled = true, condition }) => ({
        workflow: workflows.get(workflowId) ?? '',
        enabled,
        condition,
      })),
    });
  }
}

// Triggers the events of a state, each with the clock at its time, and runs the jobs that came due since.

interface Action {
  time: number;
  act(scope: Scope): void;
  environmentId: string;
}

/** Throws if the engine does not process an event: the events of a state must have an effect. */
function seedEvents(
  { sql, clock, scope: open }: Pick<Store, 'sql' | 'clock' | 'scope'>,
  ids: Ids,
  environments: readonly { id: string; name: string; events?: EventState[] | undefined }[],
): void {
  const now = clock.now();
  const scope = (id: string) => ({ ...open(id), ids, jobsAt: undefined });
  const onInternalError = (error: unknown) => {
    throw error;
  };
  const runUntil = (time: number) => runDue({ sql, clock, scope, onInternalError }, time);
  const actions = environments.flatMap(({ id, name, events = [] }) =>
    events.flatMap((event, index) =>
      toActions(event, now, `Event ${index + 1} of environment ${name}`, ids).map((action) => ({
        ...action,
        environmentId: id,
      })),
    ),
  );
  for (const { time, act, environmentId } of actions.toSorted((a, b) => a.time - b.time)) {
    runUntil(time);
    clock.withTime(time, () => act(scope(environmentId)));
  }
  runUntil(now);
}

function toActions(
  { ago, cancelAfter, markAs, ...event }: EventState,
  now: number,
  title: string,
  ids: Ids,
): Omit<Action, 'environmentId'>[] {
  const time = boundTime(now - readDuration(ago));
  const { transactionId = ids.transactionId() } = event;
  const trigger = (scope: Scope) => {
    const { status, error = [] } = acceptEvent(scope, { payload: {}, ...event, transactionId });
    if (status === 'processed') return;
    throw usageError(`${title} is not processed: ${error.join(', ') || status}.`, {
      hint: 'Fix the event in the state file.',
    });
  };
  const cancel = (scope: Scope) => cancelTransaction(scope, transactionId);
  const mark = (scope: Scope) => {
    for (const message of messagesOfTransaction(scope, transactionId))
      if (message.channel === 'in_app' && markAs) markMessage(scope, message, markAs);
  };
  return [
    { time, act: trigger },
    ...(cancelAfter === undefined ? [] : [{ time: time + readDuration(cancelAfter), act: cancel }]),
    ...(markAs === undefined ? [] : [{ time: now, act: mark }]),
  ];
}

// Replaces workflows and layouts of the environment Development, while the sandbox runs. All other data stays.

/** Throws if a workflow was written for the other mode. */
export function replaceDefinitions(store: Store, state: SandboxState): void {
  checkSkipModes(state, store.dialect);
  const scope = { ...store.scope(developmentId), idOf: () => store.ids.objectId() };
  store.sql.transaction(() => {
    for (const { workflows = [], layouts = [] } of state.environments) {
      for (const { isDefault: _, ...layout } of layouts) {
        const current = findLayout(scope, layout.layoutId);
        if (current)
          saveLayout(scope, { ...current, ...layout, name: layout.name ?? layout.layoutId });
        else seedLayout(scope, { ...layout, isDefault: listLayouts(scope).length === 0 });
      }
      for (const workflow of workflows) replaceWorkflow(store, workflow);
    }
  });
}

/** The workflow and its steps keep their ids, so that earlier events still belong to them. */
function replaceWorkflow(store: Store, state: WorkflowState): void {
  const scope = store.scope(developmentId);
  const current = findWorkflow(scope, 'identifier', state.workflowId);
  const ids = new Map(
    current?.steps.map(({ stepId, id }) => [`step:${state.workflowId}:${stepId}`, id]),
  );
  const idOf = (label: string) =>
    label.startsWith('workflow:') && current
      ? current.id
      : (ids.get(label) ?? store.ids.objectId());
  const workflow = toStoredWorkflow({ ...scope, idOf }, state);
  if (current) {
    const { createdAt, lastTriggeredAt } = current;
    saveWorkflow(scope, { ...workflow, createdAt, lastTriggeredAt });
  } else insertWorkflow(scope, workflow);
}

/** Returns environments with other versions of some workflows and layouts, by the name of the environment. */
export const withDefinitions = (
  environments: readonly EnvironmentState[],
  changed: readonly EnvironmentState[],
): EnvironmentState[] =>
  environments.map((environment) => {
    const { workflows, layouts } = changed.find(({ name }) => name === environment.name) ?? {};
    return {
      ...environment,
      workflows: replaced(environment.workflows, workflows, ({ workflowId }) => workflowId),
      layouts: replaced(environment.layouts, layouts, ({ layoutId }) => layoutId),
    };
  });

function replaced<Item>(
  all: readonly Item[] | undefined,
  others: readonly Item[] | undefined,
  idOf: (item: Item) => string,
): Item[] {
  const byId = new Map([...(all ?? []), ...(others ?? [])].map((item) => [idOf(item), item]));
  return [...byId.values()];
}
