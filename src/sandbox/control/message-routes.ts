// Control routes of captured messages: the messages of every channel that a real service would have sent.

import { durationText, readDuration, unitMs } from '../../core/durations.ts';
import { errorMessage } from '../../core/errors.ts';
import { detailText } from '../../explain/causes.ts';
import { verdictMessage } from '../../explain/messages.ts';
import { type FindEvent, stepVerdicts, workflowIdentifier } from '../../explain/verdict.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { type Channel, channelTypes, isChannel } from '../../service/schemas/vocabulary.ts';
import { eventFinder, serializeActivity } from '../api/events.ts';
import { serializeCapturedMessage, serializeWithText } from '../api/messages.ts';
import { HttpError, notFound, unprocessable } from '../http/http-error.ts';
import { capturedMessages } from '../store/messages.ts';
import { searchNotifications } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { allWorkflows, findWorkflow } from '../store/workflows.ts';
import type { RejectedTriggers } from './refusals.ts';
import type { ControlCall, ControlOptions, ControlRoute } from './route.ts';
import {
  type ActivityPage,
  activityQuery,
  type MessagePage,
  messageQuery,
  type RequestPage,
  requestQuery,
  type TriggeredEvent,
} from './schemas.ts';
import { explainMissingMessages } from './wait-for-messages.ts';

export const messageRoutes = (options: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/messages',
    description: {
      id: 'listMessages',
      summary:
        'List the captured messages of every channel, newest first; wait until there are any',
      query: messageQuery,
      response: 'MessagePage',
      errors: [408, 422],
    },
    async handle({ scope: open, query }): Promise<MessagePage> {
      const { page, limit } = readPage(query);
      const filter = readMessageFilter(query);
      const wait = readWait(query);
      const scope = open();
      if (wait) await waitForMessages(options, scope, query, wait);
      const messages = capturedMessages(scope, {
        ...filter,
        limit: limit + 1,
        offset: page * limit,
      });
      const shown = messages.slice(0, limit);
      const data = readBoolean('text', query)
        ? await Promise.all(shown.map(serializeWithText))
        : shown.map(serializeCapturedMessage);
      return {
        ...{ data, hasMore: messages.length > limit, pageSize: data.length, page },
        ...knownWorkflows(scope, filter.workflow),
      };
    },
  },
  {
    method: 'GET',
    path: '/messages/{id}',
    description: {
      id: 'getMessage',
      summary: 'Show a captured message',
      response: 'Message',
      errors: [404],
    },
    handle({ scope, parameter }) {
      const id = parameter('id');
      const [message] = capturedMessages(scope(), { id, limit: 1, offset: 0 });
      if (!message) throw notFound(`Message with id ${id} not found`);
      return serializeWithText(message);
    },
  },
];

const readMessageFilter = (query: ControlCall['query']) => ({
  ...readFilter(query),
  status: readBoolean('delivered', query) ? ('sent' as const) : undefined,
});

interface Wait {
  ms: number;
  count: number;
}

const maxWaitMs = unitMs.m;

function readWait(query: ControlCall['query']): Wait | undefined {
  const text = query('wait');
  const count = parseInteger('count', query('count'), { min: 1, max: 1e6, defaultValue: 1 });
  if (text === undefined) {
    if (query('count') !== undefined) throw unprocessable('count is only for wait');
    return undefined;
  }
  const ms = readSpan(text);
  if (ms > maxWaitMs) throw unprocessable(`wait must be at most ${durationText(maxWaitMs)}`);
  return { ms, count };
}

function readSpan(text: string): number {
  try {
    return readDuration(text);
  } catch (error) {
    throw unprocessable(`wait: ${errorMessage(error)}`);
  }
}

/** Throws if too few messages match when the time is over. */
async function waitForMessages(
  { waiters, rejectedTriggers }: ControlOptions,
  scope: Scope,
  query: ControlCall['query'],
  { ms, count }: Wait,
): Promise<void> {
  const filter = readMessageFilter(query);
  const hasEnough = () =>
    capturedMessages(scope, { ...filter, limit: 1, offset: count - 1 }).length > 0;
  if (await waiters.wait(hasEnough, ms)) return;
  if (!scope.sql.isOpen()) throw new HttpError(408, 'The sandbox has stopped.');
  const { length } = capturedMessages(scope, { ...filter, limit: count, offset: 0 });
  const { knownWorkflows: known, reasons } = await explainMissingMessages(
    {
      activity: async (wanted = {}) =>
        listActivity(scope, (name) => optionalText(Reflect.get(wanted, name)), rejectedTriggers),
    },
    filter,
  );
  const texts = [
    ...(known ? [`Unknown workflow ${filter.workflow}.`] : []),
    ...reasons.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
  ];
  const title = `${length} of ${count} messages match after ${durationText(ms)}.`;
  throw new HttpError(408, [title, ...texts].join(' '));
}

const optionalText = (value: unknown) => (value === undefined ? undefined : String(value));

// Control route of the activity: why each step of an event was delivered or not, in sentences. The service lists the
// same events with their jobs and execution details.

export const activityRoutes = ({ rejectedTriggers }: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/activity',
    description: {
      id: 'listActivity',
      summary:
        'List triggered events, one item for each recipient, with the result of each channel step, newest first',
      query: activityQuery,
      response: 'ActivityPage',
      errors: [422],
    },
    handle: ({ scope, query }) => listActivity(scope(), query, rejectedTriggers),
  },
];

function listActivity(
  scope: Scope,
  query: ControlCall['query'],
  rejectedTriggers: RejectedTriggers,
): ActivityPage {
  const { page, limit } = readPage(query);
  const { workflow, channel, subscriberId, transactionId } = readFilter(query);
  const notifications = searchNotifications(
    scope,
    {
      templates: workflow === undefined ? undefined : [findId(workflow)],
      channels: optionalList(channel),
      subscriberIds: optionalList(subscriberId),
      transactionId: optionalList(transactionId),
    },
    { limit: limit + 1, offset: page * limit },
  );
  const findEvent = eventFinder(scope);
  const data = serializeActivity(scope, notifications.slice(0, limit)).map((item) =>
    toEvent(item, channel, findEvent),
  );
  return {
    ...{ data, hasMore: notifications.length > limit, pageSize: data.length, page },
    ...knownWorkflows(scope, workflow),
    ...(notifications.length === 0 && page === 0
      ? { rejectedTriggers: rejectedTriggers.list(scope.environmentId) }
      : {}),
  };

  /** A workflow that does not exist has no events. */
  function findId(identifier: string): string {
    return findWorkflow(scope, 'identifier', identifier)?.id ?? '';
  }
}

const optionalList = <T>(value: T | undefined) => (value === undefined ? undefined : [value]);

function toEvent(
  item: ActivityItem,
  channel: string | undefined,
  findEvent: FindEvent,
): TriggeredEvent {
  const { transactionId, createdAt = '', subscriber } = item;
  const verdicts = stepVerdicts(item, findEvent).filter(
    (step) => channel === undefined || step.channel === channel,
  );
  return {
    transactionId,
    createdAt,
    workflow: workflowIdentifier(item) ?? '',
    subscriberId: subscriber?.subscriberId ?? '',
    steps: verdicts.map((step) => ({
      channel: step.channel as TriggeredEvent['steps'][number]['channel'],
      verdict: step.verdict,
      cause: step.cause,
      message: verdictMessage(step),
      detail: step.detail ? detailText(step.detail) : null,
    })),
  };
}

// Control route of the requests of the application.

export const requestRoutes = ({ requestLog }: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/requests',
    description: {
      id: 'listRequests',
      summary: 'List the last requests of the application, newest first, without their secrets',
      query: requestQuery,
      response: 'RequestPage',
      errors: [422],
    },
    handle({ environmentId, query }): RequestPage {
      const { page, limit } = readPage(query);
      const status = query('status');
      const filter = {
        method: query('method'),
        path: query('path'),
        status: status === undefined ? undefined : parseInteger('status', status, statuses),
      };
      const requests = requestLog.list(environmentId, filter, limit + 1, page * limit);
      const data = requests.slice(0, limit);
      return { data, hasMore: requests.length > limit, pageSize: data.length, page };
    },
  },
];

const statuses = { min: 100, max: 599, defaultValue: 0 };

// Reads the query parameters of the lists of messages and activity.

type Query = ControlCall['query'];

const readPage = (query: Query) => ({
  page: parseInteger('page', query('page'), { min: 0, max: 1e6, defaultValue: 0 }),
  limit: parseInteger('limit', query('limit'), { min: 1, max: 100, defaultValue: 10 }),
});

const readFilter = (query: Query) => ({
  subscriberId: query('subscriberId'),
  channel: checkChannel(query('channel')),
  workflow: query('workflow'),
  transactionId: query('transactionId'),
});

function readBoolean(name: string, query: Query): boolean {
  const text = query(name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw unprocessable(`${name} must be true or false`);
}

/** The workflows of the environment, if none has this identifier: a misspelled filter would match nothing. */
function knownWorkflows(scope: Scope, workflow: string | undefined) {
  if (workflow === undefined || findWorkflow(scope, 'identifier', workflow)) return {};
  return { knownWorkflows: allWorkflows(scope).map(({ identifier }) => identifier) };
}

/** An unknown channel is an error: a test that expects no message must not pass because of a typo. */
function checkChannel(text: string | undefined): Channel | undefined {
  if (text === undefined || isChannel(text)) return text;
  throw unprocessable(`channel must be one of ${channelTypes.join(', ')}`);
}

function parseInteger(
  name: string,
  text: string | undefined,
  { min, max, defaultValue }: { min: number; max: number; defaultValue: number },
): number {
  if (text === undefined) return defaultValue;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw unprocessable(`${name} must be a whole number from ${min} to ${max}`);
}
