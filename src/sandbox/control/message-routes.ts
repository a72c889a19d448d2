// Control routes of captured messages: the messages of every channel that a real service would have sent.

import { durationText, readDuration, unitMs } from '../../core/durations.ts';
import { errorMessage } from '../../core/errors.ts';
import { explainMissingMessages } from '../control-client/missing-messages.ts';
import { type MessagePage, messageQuery } from '../control-client/schemas.ts';
import { serializeCapturedMessage, serializeWithText } from '../serializers/captured.ts';
import { capturedMessages } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { HttpError, notFound, unprocessable } from '../values/http-error.ts';
import { listActivity } from './activity-routes.ts';
import { knownWorkflows, parseInteger, readBoolean, readFilter, readPage } from './queries.ts';
import type { ControlCall, ControlOptions, ControlRoute } from './route.ts';

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
    path: '/messages/:id',
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
