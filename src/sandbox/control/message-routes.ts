// Control routes of captured messages: the messages of every channel that a real service would have sent.
import type { Hono } from 'hono';
import type { Scheduler } from '../engine/scheduler.ts';
import { authorize } from '../http/authorization.ts';
import { notFound, unprocessable } from '../http/http-error.ts';
import { json } from '../http/responses.ts';
import { serializeCapturedMessage } from '../serializers/captured.ts';
import { capturedMessages } from '../store/messages.ts';
import type { Store } from '../store/scope.ts';

export function messageRoutes(
  app: Hono,
  { store, scheduler }: { store: Store; scheduler: Scheduler },
): void {
  const scopeFor = (request: Request) => {
    const environmentId = authorize(store.sql, request.headers.get('authorization'));
    scheduler.catchUp();
    return store.scope(environmentId);
  };
  app.get('/__sandbox/messages', ({ req }) => {
    const scope = scopeFor(req.raw);
    const page = parseInteger('page', req.query('page'), { min: 0, max: 1e6, defaultValue: 0 });
    const limit = parseInteger('limit', req.query('limit'), { min: 1, max: 100, defaultValue: 10 });
    const found = capturedMessages(scope, {
      subscriberId: req.query('subscriberId'),
      channel: req.query('channel'),
      transactionId: req.query('transactionId'),
      limit: limit + 1,
      offset: page * limit,
    });
    const items = found.slice(0, limit).map(serializeCapturedMessage);
    return json(200, {
      data: items,
      hasMore: found.length > limit,
      pageSize: items.length,
      page,
    });
  });
  app.get('/__sandbox/messages/:id', ({ req }) => {
    const id = req.param('id');
    const [found] = capturedMessages(scopeFor(req.raw), { id, limit: 1, offset: 0 });
    if (!found) throw notFound(`Message with id ${id} not found`);
    return json(200, serializeCapturedMessage(found));
  });
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
