// The sandbox's own routes to captured messages: what would have gone out, of every channel.
import type { Hono } from 'hono';
import type { Agenda } from '../engine/scheduler.ts';
import { authorize } from '../http/authorization.ts';
import { notFound, unprocessable } from '../http/http-error.ts';
import { json } from '../http/responses.ts';
import { capturedAnswer } from '../serializers/captured.ts';
import { capturedMessages } from '../store/messages.ts';
import type { Store } from '../store/open.ts';

export function messageRoutes(
  app: Hono,
  { store, agenda }: { store: Store; agenda: Agenda },
): void {
  const scopeFor = (request: Request) => {
    const environmentId = authorize(store.sql, request.headers.get('authorization'));
    agenda.catchUp();
    return store.scope(environmentId);
  };
  app.get('/__sandbox/messages', ({ req }) => {
    const scope = scopeFor(req.raw);
    const page = parseInteger('page', req.query('page'), { least: 0, most: 1e6, otherwise: 0 });
    const limit = parseInteger('limit', req.query('limit'), { least: 1, most: 100, otherwise: 10 });
    const found = capturedMessages(scope, {
      subscriberId: req.query('subscriberId'),
      channel: req.query('channel'),
      transactionId: req.query('transactionId'),
      limit: limit + 1,
      offset: page * limit,
    });
    const items = found.slice(0, limit).map(capturedAnswer);
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
    return json(200, capturedAnswer(found));
  });
}

function parseInteger(
  name: string,
  given: string | undefined,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  if (given === undefined) return otherwise;
  const value = Number(given);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw unprocessable(`${name} must be a whole number from ${least} to ${most}`);
}
