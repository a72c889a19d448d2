// What an answer names that somebody may want to type again: keys and ids, by kind. Reads leniently:
// an answer of another shape names nothing.
import type { OperationId } from '../api/operations/index.ts';

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
type Reading = (
  answer: unknown,
  path: Record<string, string>,
  body: unknown,
) => (NamedValue | undefined)[];

const readings: Partial<Record<OperationId, Reading>> = {
  listTopics: (answer) => items(answer, 'data').map(topic),
  getTopic: (answer) => [topic(fields(answer))],
  renameTopic: (answer) => [topic(fields(answer))],
  subscribeToTopic: (answer, { topicKey }) => [
    named('topics', topicKey),
    ...items(answer, 'data').map(({ subscriber }) =>
      named('subscribers', fields(subscriber).subscriberId),
    ),
  ],
  listWorkflows: (answer) => items(answer, 'workflows').flatMap(workflow),
  getWorkflow: (answer) => workflow(fields(answer)),
  listContexts: (answer) => items(answer, 'data').flatMap(context),
  getContext: (answer) => context(fields(answer)),
  updateIntegration: (answer) => [integration(fields(answer))],
  deleteIntegration: (answer) => list(answer).map(integration),
  listActivity: (answer) =>
    items(answer, 'data').flatMap(({ transactionId, subscriber }) => [
      named('transactions', transactionId),
      named('subscribers', fields(subscriber).subscriberId),
    ]),
  triggerEvents: (answer, _path, body) => [
    ...list(answer).map(({ transactionId }) => named('transactions', transactionId)),
    ...list(fields(body).events)
      .flatMap(({ to }) => list(to))
      .map(({ subscriberId }) => named('subscribers', subscriberId)),
  ],
  listInboxNotifications: (_answer, { subscriberId }) => [named('subscribers', subscriberId)],
  getSubscriberPreferences: (_answer, { subscriberId }) => [named('subscribers', subscriberId)],
  updateSubscriberPreferences: (_answer, { subscriberId }) => [named('subscribers', subscriberId)],
  setSubscriberCredentials: (_answer, { subscriberId }) => [named('subscribers', subscriberId)],
};

/** The values that an answer of the operation names, in its order. */
export function namedValues(
  id: OperationId,
  { path = {}, body }: { path?: Record<string, string>; body?: unknown },
  answer: unknown,
): NamedValue[] {
  return readings[id]?.(answer, path, body).filter((one) => one !== undefined) ?? [];
}

const topic = ({ key, name }: Fields) => named('topics', key, name);
const integration = ({ _id, identifier }: Fields) => named('integrations', _id, identifier);

const context = ({ type, id }: Fields) =>
  typeof type === 'string' && typeof id === 'string'
    ? [named('contexts', `${type}:${id}`), named('contextTypes', type)]
    : [];

const workflow = ({ workflowId, name, steps }: Fields) => [
  named('workflows', workflowId, name),
  ...list(steps).map(({ stepId, type }) => {
    const step = named('steps', stepId, type);
    return step && typeof workflowId === 'string' ? { ...step, under: workflowId } : undefined;
  }),
];

function named(kind: NamedValue['kind'], value: unknown, name?: unknown): NamedValue | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return { kind, value, ...(typeof name === 'string' && name !== value ? { name } : {}) };
}

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const items = (answer: unknown, member: string) => list(fields(answer)[member]);
