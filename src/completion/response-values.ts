// Extracts keys and ids from responses for Tab completion. A response of an unexpected shape yields no values.
import { asObject, type JsonObject } from '../core/objects.ts';
import type { OperationId } from '../service/operations/index.ts';

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
    | 'variables'
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
  listEnvironmentVariables: (response) => asObjects(response).map(variable),
  getEnvironmentVariable: (response) => [variable(asObject(response))],
  createEnvironmentVariable: (response) => [variable(asObject(response))],
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
/** Without the value. */
const variable = ({ key }: JsonObject) => namedValue('variables', key);

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
