// Control routes of captured messages: the messages of every channel that a real service would have sent.

import { type MessagePage, messageQuery } from '../control-client/schemas.ts';
import { serializeCapturedMessage, serializeWithText } from '../serializers/captured.ts';
import { capturedMessages } from '../store/messages.ts';
import { notFound } from '../values/http-error.ts';
import { knownWorkflows, readBoolean, readFilter, readPage } from './queries.ts';
import type { ControlRoute } from './route.ts';

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
    async handle({ scope: open, query }): Promise<MessagePage> {
      const scope = open();
      const { page, limit } = readPage(query);
      const status = readBoolean('delivered', query) ? ('sent' as const) : undefined;
      const filter = { ...readFilter(query), status };
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
