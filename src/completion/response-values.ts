// Extracts keys and ids from responses for Tab completion. A response of an unexpected shape yields no values.
import type { OperationId } from '../service/operations/index.ts';

export interface NamedValue {
  kind:
    | 'topics'
    | 'workflows'
    | 'steps'
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

type Fields = Record<string, unknown>;
type Extractor = (
  answer: unknown,
  path: Record<string, string>,
  body: unknown,
) => (NamedValue | undefined)[];

const extractors: Partial<Record<OperationId, Extractor>> = {
  listTopics: (answer) => objectsIn(answer, 'data').map(topic),
  getTopic: (answer) => [topic(asObject(answer))],
  renameTopic: (answer) => [topic(asObject(answer))],
  subscribeToTopic: (answer, { topicKey }) => [
    namedValue('topics', topicKey),
    ...objectsIn(answer, 'data').map(({ subscriber }) =>
      namedValue('subscribers', asObject(subscriber).subscriberId),
    ),
  ],
  listWorkflows: (answer) => objectsIn(answer, 'workflows').flatMap(workflow),
  getWorkflow: (answer) => workflow(asObject(answer)),
  listContexts: (answer) => objectsIn(answer, 'data').flatMap(context),
  getContext: (answer) => context(asObject(answer)),
  updateIntegration: (answer) => [integration(asObject(answer))],
  deleteIntegration: (answer) => asObjects(answer).map(integration),
  listActivity: (answer) =>
    objectsIn(answer, 'data').flatMap(({ transactionId, subscriber }) => [
      namedValue('transactions', transactionId),
      namedValue('subscribers', asObject(subscriber).subscriberId),
    ]),
  triggerEvents: (answer, _path, body) => [
    ...asObjects(answer).map(({ transactionId }) => namedValue('transactions', transactionId)),
    ...asObjects(asObject(body).events)
      .flatMap(({ to }) => asObjects(to))
      .map(({ subscriberId }) => namedValue('subscribers', subscriberId)),
  ],
  listInboxNotifications: (_answer, { subscriberId }) => [namedValue('subscribers', subscriberId)],
  getSubscriberPreferences: (_answer, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  updateSubscriberPreferences: (_answer, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  setSubscriberCredentials: (_answer, { subscriberId }) => [
    namedValue('subscribers', subscriberId),
  ],
  listSubscribers: (answer) => objectsIn(answer, 'data').map(subscriber),
  getSubscriber: (answer) => [subscriber(asObject(answer))],
  updateSubscriber: (answer) => [subscriber(asObject(answer))],
  listSubscriberTopics: (answer) => objectsIn(answer, 'data').flatMap(subscription),
  listTopicSubscriptions: (answer) => objectsIn(answer, 'data').flatMap(subscription),
  countInboxNotifications: (_answer, { subscriberId }) => [namedValue('subscribers', subscriberId)],
  createTopic: (answer) => [topic(asObject(answer))],
  createContext: (answer) => context(asObject(answer)),
  updateContext: (answer) => context(asObject(answer)),
  listIntegrations: (answer) => asObjects(answer).map(integration),
  createIntegration: (answer) => [integration(asObject(answer))],
  setPrimaryIntegration: (answer) => [integration(asObject(answer))],
  listMessages: (answer) =>
    objectsIn(answer, 'data').map(({ transactionId }) => namedValue('transactions', transactionId)),
  broadcastEvent: (answer) => [namedValue('transactions', asObject(answer).transactionId)],
  patchWorkflow: (answer) => workflow(asObject(answer)),
};

/** The keys and ids in a response of the operation, in order of appearance. */
export function extractValues(
  id: OperationId,
  { path = {}, body }: { path?: Record<string, string>; body?: unknown },
  answer: unknown,
): NamedValue[] {
  return extractors[id]?.(answer, path, body).filter((entry) => entry !== undefined) ?? [];
}

const topic = ({ key, name }: Fields) => namedValue('topics', key, name);
/** Without the name or address, which should not be stored on this machine. */
const subscriber = ({ subscriberId }: Fields) => namedValue('subscribers', subscriberId);
const subscription = ({ topic: topicFields, subscriber: person }: Fields) => [
  topic(asObject(topicFields)),
  subscriber(asObject(person)),
];
const integration = ({ _id, identifier }: Fields) => namedValue('integrations', _id, identifier);

const context = ({ type, id }: Fields) =>
  typeof type === 'string' && typeof id === 'string'
    ? [namedValue('contexts', `${type}:${id}`), namedValue('contextTypes', type)]
    : [];

const workflow = ({ workflowId, name, steps }: Fields) => [
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

const asObject = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const asObjects = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(asObject) : []);
const objectsIn = (answer: unknown, member: string) => asObjects(asObject(answer)[member]);
