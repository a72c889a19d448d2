// Records keys and ids from responses for Tab completion, and saves them when the command is finished.

import { dirname, join } from 'node:path';
import type { CandidateKind } from '../cli/command.ts';
import { asObject, type JsonObject } from '../core/objects.ts';
import { replaceFile } from '../platform/files/atomic-write.ts';
import { makeFolder } from '../platform/files/folder.ts';
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
  const recorded = new Map<Kind, NamedValue[]>();
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
    makeFolder(dirname(file));
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

type Kind = Exclude<
  CandidateKind,
  'files' | 'profiles' | 'providers' | 'credentialProviders' | 'runs'
>;

interface NamedValue extends CachedValue {
  kind: Kind;
}

type Extracted = (NamedValue | undefined)[];
type Extractor = (response: unknown, path: Record<string, string>, body: unknown) => Extracted;

/** Reads a response that is one resource, and one with a list of them in `member`. */
const one =
  (read: (value: JsonObject) => Extracted): Extractor =>
  (response) =>
    read(asObject(response));
const each =
  (member: string, read: (value: JsonObject) => Extracted): Extractor =>
  (response) =>
    objectsIn(response, member).flatMap(read);
const inArray =
  (read: (value: JsonObject) => Extracted): Extractor =>
  (response) =>
    asObjects(response).flatMap(read);
const fromPath: Extractor = (_response, { subscriberId }) => subscriber({ subscriberId });

const topic = ({ key, name }: JsonObject) => [namedValue('topics', key, name)];
/** Without the name or address, which should not be stored on this machine. */
const subscriber = ({ subscriberId }: JsonObject) => [namedValue('subscribers', subscriberId)];
const subscription = ({ topic: topicFields, subscriber: person }: JsonObject) => [
  ...topic(asObject(topicFields)),
  ...subscriber(asObject(person)),
];
const layout = ({ layoutId, name }: JsonObject) => [namedValue('layouts', layoutId, name)];
const integration = ({ _id, identifier }: JsonObject) => [
  namedValue('integrations', _id, identifier),
];
/** Without the value. */
const variable = ({ key }: JsonObject) => [namedValue('variables', key)];
const transaction = ({ transactionId }: JsonObject) => [namedValue('transactions', transactionId)];
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

const extractors: Partial<Record<OperationId, Extractor>> = {
  listTopics: each('data', topic),
  listEnvironmentVariables: inArray(variable),
  getEnvironmentVariable: one(variable),
  createEnvironmentVariable: one(variable),
  getTopic: one(topic),
  createTopic: one(topic),
  renameTopic: one(topic),
  subscribeToTopic: (response, { topicKey }) => [
    ...topic({ key: topicKey }),
    ...objectsIn(response, 'data').flatMap((row) => subscriber(asObject(row.subscriber))),
  ],
  listTopicSubscriptions: each('data', subscription),
  listSubscriberTopics: each('data', subscription),
  listWorkflows: each('workflows', workflow),
  getWorkflow: one(workflow),
  patchWorkflow: one(workflow),
  listLayouts: each('layouts', layout),
  getLayout: one(layout),
  listContexts: each('data', context),
  getContext: one(context),
  createContext: one(context),
  updateContext: one(context),
  listIntegrations: inArray(integration),
  createIntegration: one(integration),
  updateIntegration: one(integration),
  setPrimaryIntegration: one(integration),
  deleteIntegration: inArray(integration),
  listActivity: each('data', (event) => [
    ...transaction(event),
    ...subscriber(asObject(event.subscriber)),
  ]),
  triggerEvents: (response, _path, body) => [
    ...asObjects(response).flatMap(transaction),
    ...objectsIn(body, 'events')
      .flatMap(({ to }) => asObjects(to))
      .flatMap(subscriber),
  ],
  broadcastEvent: one(transaction),
  listMessages: each('data', transaction),
  listSubscribers: each('data', subscriber),
  getSubscriber: one(subscriber),
  updateSubscriber: one(subscriber),
  listInboxNotifications: fromPath,
  countInboxNotifications: fromPath,
  listNotifications: fromPath,
  countNotifications: fromPath,
  getSubscriberPreferences: fromPath,
  updateSubscriberPreferences: fromPath,
  setSubscriberCredentials: fromPath,
};

/** The keys and ids in a response of the operation, in order of appearance. */
function extractValues(
  id: OperationId,
  { path = {}, body }: { path?: Record<string, string>; body?: unknown },
  response: unknown,
): NamedValue[] {
  return extractors[id]?.(response, path, body).filter((entry) => entry !== undefined) ?? [];
}

function namedValue(kind: Kind, value: unknown, name?: unknown): NamedValue | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return { kind, value, ...(typeof name === 'string' && name !== value ? { name } : {}) };
}

const asObjects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map(asObject) : [];
const objectsIn = (response: unknown, member: string) => asObjects(asObject(response)[member]);
