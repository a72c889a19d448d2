// Control routes of captured messages: the messages of every channel that a real service would have sent.
import { channelTypes, isChannel } from '../../api/schemas/vocabulary.ts';
import { notFound, unprocessable } from '../http/http-error.ts';
import { serializeCapturedMessage } from '../serializers/captured.ts';
import { capturedMessages } from '../store/messages.ts';
import type { ControlRoute } from './route.ts';
import { type MessagePage, messageQuery } from './schemas.ts';

export const messageRoutes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/messages',
    description: {
      id: 'listMessages',
      summary: 'List the captured messages of every channel, newest first',
      query: messageQuery,
      response: 'MessagePage',
      errors: [422],
    },
    handle({ scope: open, query }): MessagePage {
      const scope = open();
      const page = parseInteger('page', query('page'), { min: 0, max: 1e6, defaultValue: 0 });
      const limit = parseInteger('limit', query('limit'), { min: 1, max: 100, defaultValue: 10 });
      const found = capturedMessages(scope, {
        subscriberId: query('subscriberId'),
        channel: checkChannel(query('channel')),
        workflow: query('workflow'),
        transactionId: query('transactionId'),
        limit: limit + 1,
        offset: page * limit,
      });
      const data = found.slice(0, limit).map(serializeCapturedMessage);
      return { data, hasMore: found.length > limit, pageSize: data.length, page };
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
      const [found] = capturedMessages(scope(), { id, limit: 1, offset: 0 });
      if (!found) throw notFound(`Message with id ${id} not found`);
      return serializeCapturedMessage(found);
    },
  },
];

/** An unknown channel is an error: a test that expects no message must not pass because of a typo. */
function checkChannel(text: string | undefined): string | undefined {
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
