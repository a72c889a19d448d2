// A service whose first answers fail as a test says, and the program in front of it.
import type { ServerResponse } from 'node:http';
import { openHome } from './built.ts';
import { type FakeService, json, openService, type Seen } from './service.ts';

const integration = { _id: 'i1', name: 'n', identifier: 'x', providerId: 'twilio', channel: 'sms' };
export const credentials = ['subscribers', 'credentials', 'delete', 'u1', 'slack', '--yes'];
export const trigger = ['events', 'trigger', 'welcome', '--to', 'u1'];
export const rename = ['topics', 'rename', 'a', 'A'];

/** What ends a request at a server: a status with headers and a body, or a broken connection. Text is sent as it is. */
export type Fate =
  | number
  | 'reset'
  | 'half'
  | readonly [status: number, headers: Record<string, string>, body?: unknown];

export function fail(response: ServerResponse, fate: Fate) {
  if (fate === 'reset') response.destroy();
  else if (fate === 'half')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"_id":');
  else {
    const [status, headers = {}, body] = typeof fate === 'number' ? [fate] : fate;
    if (typeof body === 'string') return void response.writeHead(status, headers).end(body);
    json(response, status, body ?? { statusCode: status, message: 'by the test' }, headers);
  }
}

const processed = [{ acknowledged: true, status: 'processed', transactionId: 't' }];

/** What an endpoint answers when all is well. */
export function succeed({ method, target }: Seen, response: ServerResponse) {
  if (method === 'DELETE' && target.includes('/credentials/')) return response.writeHead(204).end();
  if (method === 'DELETE' && target.includes('/events/')) return json(response, 200, true);
  if (method === 'DELETE') return json(response, 200, []);
  if (target.endsWith('/bulk')) return json(response, 201, processed);
  const list = { data: [], next: null, previous: null, totalCount: 0 };
  json(response, 200, method === 'GET' ? list : { ...integration, key: 'a' });
}

/** Runs a line against a service that fails so, and then succeeds. */
export async function against(line: readonly string[], fates: readonly Fate[], stdin?: string) {
  let number = 0;
  const service = await openService((seen, response) => {
    // A trigger asks in between whether its lost event was carried out; that does not fail.
    const isLookUp =
      line[1] === 'trigger' && seen.target.startsWith('/v1/notifications?transactionId=');
    const fate = isLookUp ? undefined : fates[number++];
    if (fate === undefined) succeed(seen, response);
    else fail(response, fate);
  });
  const ended = await openHome().svc(line, {
    env: service.env,
    ...(stdin === undefined ? {} : { stdin }),
  });
  return { ...ended, seen: service.seen };
}

export const keysOf = ({ seen }: Pick<FakeService, 'seen'>) =>
  seen.map(({ headers }) => headers['idempotency-key']);
