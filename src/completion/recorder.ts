// Records keys and ids from responses for Tab completion, and saves them when the command is finished.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asObject, type JsonObject } from '../core/objects.ts';
import { replaceFile } from '../platform/files/atomic-write.ts';
import type { OperationId } from '../service/operations/index.ts';
import { type CachedValue, isSafeValue, readValues, withoutControls } from './cache.ts';

/** The most recent response of the command, with the operation that returned it. */
export interface LastResponse {
  operationId: OperationId;
  response: unknown;
}

export interface CompletionRecorder {
  record(
    operationId: OperationId,
    input: { path?: Record<string, string>; body?: unknown },
    response: unknown,
  ): void;
  lastResponse(): LastResponse | undefined;
  /** Writes the recorded values to the folder. */
  save(folder: () => string): void;
}

export function createCompletionRecorder(): CompletionRecorder {
  const recorded = new Map<NamedValue['kind'], NamedValue[]>();
  let last: LastResponse | undefined;
  return {
    lastResponse: () => last,
    record(operationId, input, response) {
      last = { operationId, response };
      for (const value of extractValues(operationId, input, response)) {
        const values = recorded.get(value.kind) ?? [];
        if (values.length === 0) recorded.set(value.kind, values);
        if (values.length < maxValues) values.push(value);
      }
    },
    save(folder) {
      for (const [kind, values] of recorded) addValues(folder(), kind, values);
    },
  };
}

// Adds values to the cache. Failed writes are ignored.

/** The maximum number of values per kind. The newest are kept. */
export const maxValues = 500;

/** Adds values before the existing ones, without duplicates. Replaces the file atomically, with mode 0600. */
export function addValues(folder: string, kind: string, values: readonly CachedValue[]): void {
  const fresh = values.filter(({ value, under = '' }) => isSafeValue(value) && isSafeValue(under));
  if (fresh.length === 0) return;
  const before = readValues(folder, kind);
  const kept = new Map<string, CachedValue>();
  for (const entry of [...fresh, ...before]) {
    const id = `${entry.under ?? ''}\t${entry.value}`;
    if (!kept.has(id)) kept.set(id, entry);
    if (kept.size === maxValues) break;
  }
  const text = serialize([...kept.values()]);
  if (text === serialize(before)) return;
  const file = join(folder, kind);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, text, { durable: false });
  } catch {
    // A full disk or a read-only folder.
  }
}

const serialize = (values: readonly CachedValue[]) =>
  values
    .map(({ value, under = '', name = '' }) => `${value}\t${under}\t${withoutControls(name)}\n`)
    .join('');

// Extracts keys and ids from responses. A response of an unexpected shape yields no values.

export interface NamedValue {
  kind:
    | 'topics'
    | 'workflows'
    | 'steps'
    | 'layouts'
    | 'contexts'
    | 'contextTypes'
    | 'subscribers'
    | 'integrations'
    | 'transactions';
  value: string;
  /** The workflow of a step. */
  under?: string;
  name?: string;
}

type Extractor = (
  response: unknown,
  path: Record<string, string>,
  body: unknown,
) => (NamedValue | undefined)[];

const extractors: Partial<Record<OperationId, Extractor>> = {
  listTopics: (response) => objectsIn(response, 'data').map(topic),
  getTopic: (response) => [topic(asObject(response))],
  renameTopic: (response) => [topic(asObject(response))],
  subscribeToTopic: (response, { topicKey }) => [
    namedValue('topics', topicKey),
    ...objectsIn(response, 'data').map(({ subscriber }) =>
      namedValue('subscribers', asObject(subscriber).subscriberId),
    ),
  ],
  listWorkflows: (response) => objectsIn(response, 'workflows').flatMap(workflow),
  getWorkflow: (response) => workflow(asObject(response)),
  listLayouts: (response) => objectsIn(response, 'layouts').map(layout),
  getLayout: (response) => [layout(asObject(response))],
  listContexts: (response) => objectsIn(response, 'data').flatMap(context),
  getContext: (response) => context(asObject(response)),
  updateIntegration: (response) => [integration(asObject(response))],
  deleteIntegration: (response) => asObjects(response).map(integration),
  listActivity: (response) =>
    objectsIn(response, 'data').flatMap(({ transactionId, subscriber }) => [
      namedValue('transactions', transactionId),
      namedValue('subscribers', asObject(subscriber).subscriberId),
    ]),
  triggerEvents: (response, _path, body) => [
    ...asObjects(response).map(({ transactionId }) => namedValue('transactions', transactionId)),
    ...asObjects(asObject(body).events)
      .flatMap(({ to }) => asObjects(to))
      .map(({ subscriberId }) => namedValue('subscribers', subscriberId)),
  ],
  listInboxNotifications: (_response, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  listNotifications: (_response, { subscriberId }) => [namedValue('subscribers', subscriberId)],
  countNotifications: (_response, { subscriberId }) => [namedValue('subscribers', subscriberId)],
  getSubscriberPreferences: (_response, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  updateSubscriberPreferences: (_response, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  setSubscriberCredentials: (_response, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  listSubscribers: (response) => objectsIn(response, 'data').map(subscriber),
  getSubscriber: (response) => [subscriber(asObject(response))],
  updateSubscriber: (response) => [subscriber(asObject(response))],
  listSubscriberTopics: (response) => objectsIn(response, 'data').flatMap(subscription),
  listTopicSubscriptions: (response) => objectsIn(response, 'data').flatMap(subscription),
  countInboxNotifications: (_response, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  createTopic: (response) => [topic(asObject(response))],
  createContext: (response) => context(asObject(response)),
  updateContext: (response) => context(asObject(response)),
  listIntegrations: (response) => asObjects(response).map(integration),
  createIntegration: (response) => [integration(asObject(response))],
  setPrimaryIntegration: (response) => [integration(asObject(response))],
  listMessages: (response) =>
    objectsIn(response, 'data').map(({ transactionId }) =>
      namedValue('transactions', transactionId),
    ),
  broadcastEvent: (response) => [namedValue('transactions', asObject(response).transactionId)],
  patchWorkflow: (response) => workflow(asObject(response)),
};

/** The keys and ids in a response of the operation, in order of appearance. */
export function extractValues(
  id: OperationId,
  { path = {}, body }: { path?: Record<string, string>; body?: unknown },
  response: unknown,
): NamedValue[] {
  return extractors[id]?.(response, path, body).filter((entry) => entry !== undefined) ?? [];
}

const topic = ({ key, name }: JsonObject) => namedValue('topics', key, name);
/** Without the name or address, which should not be stored on this machine. */
const subscriber = ({ subscriberId }: JsonObject) => namedValue('subscribers', subscriberId);
const subscription = ({ topic: topicFields, subscriber: person }: JsonObject) => [
  topic(asObject(topicFields)),
  subscriber(asObject(person)),
];
const layout = ({ layoutId, name }: JsonObject) => namedValue('layouts', layoutId, name);
const integration = ({ _id, identifier }: JsonObject) =>
  namedValue('integrations', _id, identifier);

const context = ({ type, id }: JsonObject) =>
  typeof type === 'string' && typeof id === 'string'
    ? [namedValue('contexts', `${type}:${id}`), namedValue('contextTypes', type)]
    : [];

const workflow = ({ workflowId, name, steps }: JsonObject) => [
  namedValue('workflows', workflowId, name),
  ...asObjects(steps).map(({ stepId, type }) => {
    const step = namedValue('steps', stepId, type);
    return step && typeof workflowId === 'string' ? { ...step, under: workflowId } : undefined;
  }),
];

function namedValue(
  kind: NamedValue['kind'],
  value: unknown,
  name?: unknown,
): NamedValue | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return { kind, value, ...(typeof name === 'string' && name !== value ? { name } : {}) };
}

const asObjects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map(asObject) : [];
const objectsIn = (response: unknown, member: string) => asObjects(asObject(response)[member]);
