// Control routes of what the application caused: the captured messages of every channel, the activity and the requests.

import type { z } from 'zod';
import { durationText, readDuration, unitMs } from '../../core/durations.ts';
import { errorMessage } from '../../core/errors.ts';
import { detailText } from '../../deliveries/details.ts';
import {
  type FindEvent,
  stepVerdicts,
  verdictMessage,
  workflowIdentifier,
} from '../../deliveries/verdict.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { eventFinder, serializeActivity } from '../api/events.ts';
import { serializeCapturedMessage, serializeWithText } from '../api/messages.ts';
import { HttpError, notFound, unprocessable } from '../http/http-error.ts';
import { capturedMessages } from '../store/messages.ts';
import { searchNotifications } from '../store/notifications.ts';
import type { Scope } from '../store/scope.ts';
import { allWorkflows, findWorkflow } from '../store/workflows.ts';
import type { RejectedTriggers } from './refusals.ts';
import { type ControlOptions, type ControlRoute, parse, withQuery } from './route.ts';
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
  withQuery(messageQuery, {
    method: 'GET',
    path: '/messages',
    description: {
      id: 'listMessages',
      summary:
        'List the captured messages of every channel, newest first; wait until there are any',
      response: 'MessagePage',
      errors: [408, 422],
    },
    async handle({ scope: open, query }): Promise<MessagePage> {
      const { page, limit } = query;
      const filter = toFilter(query);
      const wait = readWait(query);
      const scope = open();
      if (wait) await waitForMessages(options, scope, filter, wait);
      const messages = capturedMessages(scope, {
        ...filter,
        limit: limit + 1,
        offset: page * limit,
      });
      const newest = messages.slice(0, limit);
      const data =
        query.text === 'true'
          ? await Promise.all(newest.map(serializeWithText))
          : newest.map(serializeCapturedMessage);
      return {
        data,
        hasMore: messages.length > limit,
        pageSize: data.length,
        page,
        ...knownWorkflows(scope, filter.workflow),
      };
    },
  }),
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

type MessageQuery = z.output<typeof messageQuery>;

const toFilter = ({ subscriberId, channel, workflow, transactionId, delivered }: MessageQuery) => ({
  subscriberId,
  channel,
  workflow,
  transactionId,
  isDelivered: delivered === 'true' ? (true as const) : undefined,
});

interface Wait {
  ms: number;
  count: number;
}

const maxWaitMs = unitMs.m;

function readWait({ wait, count }: MessageQuery): Wait | undefined {
  if (wait === undefined) {
    if (count !== undefined) throw unprocessable('count is only for wait');
    return undefined;
  }
  const ms = readSpan(wait);
  if (ms > maxWaitMs) throw unprocessable(`wait must be at most ${durationText(maxWaitMs)}`);
  return { ms, count: count ?? 1 };
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
  filter: ReturnType<typeof toFilter>,
  { ms, count }: Wait,
): Promise<void> {
  const hasEnough = () =>
    capturedMessages(scope, { ...filter, limit: 1, offset: count - 1 }).length > 0;
  if (await waiters.wait(hasEnough, ms)) return;
  if (!scope.sql.isOpen()) throw new HttpError(408, 'The sandbox has stopped.');
  const { length } = capturedMessages(scope, { ...filter, limit: count, offset: 0 });
  const { knownWorkflows, reasons } = await explainMissingMessages(
    {
      activity: async (wanted) =>
        listActivity(scope, parse(activityQuery, wanted), rejectedTriggers),
    },
    filter,
  );
  const texts = [
    ...(knownWorkflows ? [`Unknown workflow ${filter.workflow}.`] : []),
    ...reasons.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
  ];
  const title = `${length} of ${count} messages match after ${durationText(ms)}.`;
  throw new HttpError(408, [title, ...texts].join(' '));
}

// Control route of the activity: why each step of an event was delivered or not, in sentences. The service lists the
// same events with their jobs and execution details.

export const activityRoutes = ({ rejectedTriggers }: ControlOptions): ControlRoute[] => [
  withQuery(activityQuery, {
    method: 'GET',
    path: '/activity',
    description: {
      id: 'listActivity',
      summary:
        'List triggered events, one item for each recipient, with the result of each channel step, newest first',
      response: 'ActivityPage',
      errors: [422],
    },
    handle: ({ scope, query }) => listActivity(scope(), query, rejectedTriggers),
  }),
];

function listActivity(
  scope: Scope,
  { page, limit, ...query }: z.output<typeof activityQuery>,
  rejectedTriggers: RejectedTriggers,
): ActivityPage {
  const { workflow, channel, subscriberId, transactionId } = query;
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
    data,
    hasMore: notifications.length > limit,
    pageSize: data.length,
    page,
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
  withQuery(requestQuery, {
    method: 'GET',
    path: '/requests',
    description: {
      id: 'listRequests',
      summary: 'List the last requests of the application, newest first, without their secrets',
      response: 'RequestPage',
      errors: [422],
    },
    handle({ environmentId, query: { page, limit, ...filter } }): RequestPage {
      const requests = requestLog.list(environmentId, filter, limit + 1, page * limit);
      const data = requests.slice(0, limit).map(({ request }) => request);
      return { data, hasMore: requests.length > limit, pageSize: data.length, page };
    },
  }),
];

/** The workflows of the environment, if none has this identifier: a misspelled filter would match nothing. */
function knownWorkflows(scope: Scope, workflow: string | undefined) {
  if (workflow === undefined || findWorkflow(scope, 'identifier', workflow)) return {};
  return { knownWorkflows: allWorkflows(scope).map(({ identifier }) => identifier) };
}
