// Runs command lines against a service whose first responses fail as the test specifies.
import type { ServerResponse } from 'node:http';
import { type Home, openHome } from './built.ts';
import { openNetworkRig } from './network-rig.ts';
import { json, openService, type Seen } from './service.ts';

const integration = { _id: 'i1', name: 'n', identifier: 'x', providerId: 'twilio', channel: 'sms' };
export const credentials = ['subscribers', 'credentials', 'delete', 'u1', 'slack', '--yes'];
export const trigger = ['events', 'trigger', 'welcome', '--to', 'u1'];
export const rename = ['topics', 'rename', 'a', 'A'];

/** A failed response: a status with headers and a body, or a broken connection. A string body is sent unchanged. */
export type FailedResponse =
  | number
  | 'reset'
  | 'half'
  | readonly [status: number, headers: Record<string, string>, body?: unknown];

export function fail(response: ServerResponse, failure: FailedResponse) {
  if (failure === 'reset') response.destroy();
  else if (failure === 'half')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"_id":');
  else {
    const [status, headers = {}, body] = typeof failure === 'number' ? [failure] : failure;
    if (typeof body === 'string') return void response.writeHead(status, headers).end(body);
    json(response, status, body ?? { statusCode: status, message: 'by the test' }, headers);
  }
}

const processed = [{ acknowledged: true, status: 'processed' }];

/** Sends the successful response of an endpoint. */
export function succeed({ method, target }: Seen, response: ServerResponse) {
  if (method === 'DELETE' && target.includes('/credentials/')) return response.writeHead(204).end();
  if (method === 'DELETE' && target.includes('/events/')) return json(response, 200, true);
  if (method === 'DELETE') return json(response, 200, []);
  if (target.endsWith('/bulk')) return json(response, 201, processed);
  const list = { data: [], next: null, previous: null, totalCount: 0 };
  json(response, 200, method === 'GET' ? list : { ...integration, key: 'a' });
}

type Run = Home['svc'];

/** Runs a command line against a service that sends the failures first, and then successful responses. */
async function runAgainst(
  svc: Run,
  line: readonly string[],
  failures: readonly FailedResponse[],
  stdin?: string,
) {
  let number = 0;
  const isTrigger = line[1] === 'trigger';
  const service = await openService((seen, response) => {
    // A trigger looks up whether its recipients exist and, before a retry, whether its event was processed. These
    // requests do not fail.
    const isLookUp = isTrigger && seen.method === 'GET';
    const failure = isLookUp ? undefined : failures[number++];
    if (failure === undefined) succeed(seen, response);
    else fail(response, failure);
  });
  const ended = await svc(line, { env: service.env, ...(stdin === undefined ? {} : { stdin }) });
  const isRecipient = ({ method, target }: Seen) =>
    isTrigger && method === 'GET' && target.endsWith('/preferences');
  return { ...ended, seen: service.seen.filter((request) => !isRecipient(request)) };
}

type Arguments = [line: readonly string[], failures: readonly FailedResponse[], stdin?: string];

/** In the test process; waiting takes no time. */
export const against = (...given: Arguments) => runAgainst(openNetworkRig().svc, ...given);

/** With the built program, which waits in real time. */
export const builtAgainst = (...given: Arguments) => runAgainst(openHome().svc, ...given);
