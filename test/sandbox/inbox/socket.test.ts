// The socket of inbox clients: which events follow which change, as recorded from the service, and who may connect.
import http from 'node:http';
import net from 'node:net';
import { io, type ManagerOptions, type SocketOptions } from 'socket.io-client';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { serveInbox } from './served-inbox.ts';

type Heard = [event: string, data: unknown];

/** Connects with a token. `heard` collects the events; `next` resolves when there are so many. */
async function connect(
  baseUrl: string,
  token: string,
  options: Partial<ManagerOptions & SocketOptions> = {},
) {
  const socket = io(baseUrl, {
    transports: ['websocket'],
    query: { token },
    forceNew: true,
    ...options,
  });
  onTestFinished(() => void socket.disconnect());
  const heard: Heard[] = [];
  let wake: () => void = () => undefined;
  const collect = (event: string, data?: unknown) => {
    heard.push([event, data]);
    wake();
  };
  socket.onAny(collect);
  socket.on('disconnect', (reason) => collect('disconnect', reason));
  const until = async (isOver: () => boolean) => {
    while (!isOver()) await new Promise<void>((resolve) => (wake = resolve));
  };
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return {
    socket,
    /** Returns the events since the last call, when there are so many. */
    async next(count: number): Promise<Heard[]> {
      await until(() => heard.length >= count);
      return heard.splice(0);
    },
  };
}

const none = { high: 0, medium: 0, low: 0, none: 0 };
const unread = (unreadCount: number, high = unreadCount): Heard => [
  'unread_count_changed',
  { unreadCount, counts: { total: unreadCount, severity: { ...none, high } }, hasMore: false },
];
const unseen = (unseenCount: number): Heard => [
  'unseen_count_changed',
  { unseenCount, hasMore: false },
];

test('each change is followed by the events of the service', async () => {
  const { baseUrl, ask, openSession, trigger } = await serveInbox();
  const session = await openSession('u1');
  const { next } = await connect(baseUrl, session.token);
  await trigger('u1');
  const [received, ...counts] = await next(3);
  expect(received).toMatchObject([
    'notification_received',
    {
      message: {
        ...{
          subject: 'Note 1',
          content: 'Text 1',
          channel: 'in_app',
          providerId: 'novu',
          _feedId: null,
        },
        ...{ seen: false, read: false, archived: false, severity: 'high', tags: ['news'], __v: 0 },
        ...{ status: 'sent', data: { kind: 'k1' }, payload: { n: 1 }, contextKeys: [] },
        cta: {
          type: 'redirect',
          action: { buttons: [{ type: 'primary' }, { type: 'secondary' }] },
        },
      },
    },
  ]);
  expect(counts).toEqual([unseen(1), unread(1)]);
  const [{ id }] = (await session.ask('GET /notifications')).body.data;
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const changes: [line: string, body: unknown, event: Heard][] = [
    [`PATCH /notifications/${id}/read`, undefined, unread(0)],
    [`PATCH /notifications/${id}/unread`, undefined, unread(1)],
    [`PATCH /notifications/${id}/archive`, undefined, unread(0)],
    [`PATCH /notifications/${id}/unread`, undefined, unread(1)],
    // Snoozed notifications count as unread, but not by severity.
    [`PATCH /notifications/${id}/snooze`, { snoozeUntil: inAnHour }, unread(1, 0)],
    [`PATCH /notifications/${id}/unsnooze`, undefined, unread(1)],
    ['POST /notifications/seen', {}, unseen(0)],
    ['POST /notifications/read', {}, unread(0)],
    [`DELETE /notifications/${id}/delete`, undefined, unread(0)],
  ];
  for (const [line, body, event] of changes) {
    await session.ask(line, body);
    expect([line, await next(1)]).toEqual([line, [event]]);
  }
  await trigger('u1', 2);
  await next(3);
  await ask('POST /v1/subscribers/u1/messages/mark-all', { markAs: 'read' });
  expect(await next(1)).toEqual([unread(0)]);
});

test('a snoozed notification returns when the clock of the sandbox says so, as a new one', async () => {
  const { baseUrl, openSession, trigger, control } = await serveInbox();
  const session = await openSession('u1');
  await trigger('u1');
  const [{ id, createdAt }] = (await session.ask('GET /notifications')).body.data;
  await session.ask(`PATCH /notifications/${id}/read`);
  const snoozeUntil = new Date(Date.parse(createdAt) + 3 * 3_600_000).toISOString();
  await session.ask(`PATCH /notifications/${id}/snooze`, { snoozeUntil });
  const { next } = await connect(baseUrl, session.token);
  const isListed = async () =>
    (await session.ask('GET /notifications?snoozed=false')).body.data.length > 0;
  const { jobsRun: early } = await control.advanceClock(2 * 3_600_000);
  expect([early, await isListed()]).toEqual([0, false]);
  const { jobsRun } = await control.advanceClock(2 * 3_600_000);
  expect([jobsRun, await isListed()]).toEqual([1, true]);
  const [[event], ...counts] = (await next(3)) as [Heard, ...Heard[]];
  expect(event).toBe('notification_received');
  expect(counts).toEqual([unseen(0), unread(1)]);
  const [returned] = (await session.ask('GET /notifications')).body.data;
  expect(returned).toMatchObject({
    ...{ id, isSnoozed: false, isRead: false, readAt: null, createdAt: snoozeUntil },
    deliveredAt: [createdAt, snoozeUntil],
  });
});

test('only inboxes with the contexts of a message hear of it', async () => {
  const { baseUrl, openSession, trigger } = await serveInbox();
  const acme = await openSession('u1', { context: { tenant: 'acme' } });
  const plain = await openSession('u1');
  const inAcme = await connect(baseUrl, acme.token);
  const inPlain = await connect(baseUrl, plain.token);
  await trigger('u1', 1, { context: { tenant: 'acme' } });
  await trigger('u1', 2);
  expect((await inAcme.next(3))[0]).toMatchObject([
    'notification_received',
    { message: { subject: 'Note 1' } },
  ]);
  const heard = await inPlain.next(3);
  expect(heard[0]).toMatchObject(['notification_received', { message: { subject: 'Note 2' } }]);
  expect(heard).toHaveLength(3);
  const subjects = async ({ ask }: typeof acme) =>
    (await ask('GET /notifications')).body.data.map(({ subject }: { subject: string }) => subject);
  expect([await subjects(acme), await subjects(plain)]).toEqual([['Note 1'], ['Note 2']]);
});

test('a subscriber is online while a client is connected', async () => {
  const { baseUrl, ask, openSession } = await serveInbox();
  const { token } = await openSession('u1');
  const subscriber = async () => (await ask('GET /v2/subscribers/u1')).body.data;
  const { socket } = await connect(baseUrl, token);
  expect(await subscriber()).toMatchObject({ isOnline: true });
  const second = await connect(baseUrl, token);
  socket.disconnect();
  await expect.poll(subscriber).toMatchObject({ isOnline: true, lastOnlineAt: expect.any(String) });
  second.socket.disconnect();
  await expect.poll(subscriber).toMatchObject({ isOnline: false });
});

test('the sandbox stops while a client is connected', async () => {
  const { baseUrl, openSession, server } = await serveInbox();
  const { next } = await connect(baseUrl, (await openSession('u1')).token, { reconnection: false });
  await server.close();
  expect(await next(1)).toEqual([['disconnect', expect.any(String)]]);
});

describe('the handshake', () => {
  it('of a client without a valid token is accepted and ended at once', async () => {
    const { baseUrl, openSession, trigger } = await serveInbox();
    const { token } = await openSession('u1');
    for (const bad of ['', 'null', 'x.y.z', `${token.split('.').slice(0, 2).join('.')}.`]) {
      const { next } = await connect(baseUrl, bad, { reconnection: false });
      expect(await next(1)).toEqual([['disconnect', 'io server disconnect']]);
    }
    await trigger('u1');
  });

  it('of a client without a valid token leaves no connection', async () => {
    const { baseUrl } = await serveInbox();
    const poll = async (query: string, body?: string) => {
      const url = `${baseUrl}/socket.io/?EIO=4&transport=polling${query}`;
      const signal = AbortSignal.timeout(2_000);
      const response = await fetch(url, body ? { method: 'POST', body, signal } : { signal });
      return { status: response.status, text: await response.text() };
    };
    const { sid } = JSON.parse((await poll('')).text.slice(1));
    await poll(`&sid=${sid}`, '40');
    expect((await poll(`&sid=${sid}`)).text).toMatch(/^40.*41/s);
    await expect.poll(async () => (await poll(`&sid=${sid}`)).status).toBe(400);
  });

  it('also works with a token in the payload, and by polling', async () => {
    const { baseUrl, openSession, trigger } = await serveInbox();
    const { token } = await openSession('u1');
    const { next } = await connect(baseUrl, '', { auth: { token } });
    const polling = await connect(baseUrl, token, { transports: ['polling'] });
    await trigger('u1');
    expect((await next(3)).length).toBe(3);
    expect((await polling.next(3)).length).toBe(3);
  });

  const attempt = (
    baseUrl: string,
    token: string,
    headers: Record<string, string>,
    transports: string[],
  ) =>
    connect(baseUrl, token, { ...{ transports, extraHeaders: headers, reconnection: false } }).then(
      () => 'connected',
      () => 'refused',
    );

  it('of a page of another origin is refused', async () => {
    const app = 'https://app.example.com';
    const { baseUrl, openSession } = await serveInbox({ allowOrigins: [app] });
    const { token } = await openSession('u1');
    const outcome = async (origin: string, transport: string) => [
      origin,
      transport,
      await attempt(baseUrl, token, { origin }, [transport]),
    ];
    for (const transport of ['websocket', 'polling']) {
      for (const origin of ['http://localhost:3000', app])
        expect(await outcome(origin, transport)).toEqual([origin, transport, 'connected']);
      for (const origin of ['null', 'https://evil.example', `${app}.evil.example`])
        expect(await outcome(origin, transport)).toEqual([origin, transport, 'refused']);
    }
    const host = 'evil.example';
    expect(await attempt(baseUrl, token, { host, origin: `http://${host}` }, ['websocket'])).toBe(
      'refused',
    );
  });

  it('does not harm the sandbox if it is malformed', async () => {
    const { baseUrl, ask } = await serveInbox();
    const { port } = new URL(baseUrl);
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
    const line = 'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\n';
    for (const text of [
      `${line}${upgrade}\r\n`,
      `${line}${upgrade}${key}\r\n\xff\xff\xff\xff`,
      `${line}${upgrade}Sec-WebSocket-Key: x\r\n\r\n`,
    ])
      await new Promise((resolve) => {
        const connection = net.connect(Number(port), '127.0.0.1', () =>
          connection.end(text, 'latin1'),
        );
        connection.on('close', resolve).on('error', resolve).resume();
      });
    // An object without a text, and a list that is too deep for one.
    const odd = { toString: 1, valueOf: 1 };
    const deep = JSON.parse(`${'['.repeat(4_000)}${']'.repeat(4_000)}`);
    for (const auth of [null, { token: odd }, { token: deep }, { token: 1 }, []]) {
      const client = io(baseUrl, {
        transports: ['websocket'],
        auth: (send) => send(auth as never),
        reconnection: false,
      });
      onTestFinished(() => void client.disconnect());
      await new Promise((resolve) => client.on('disconnect', resolve));
    }
    expect((await ask('GET /v1/environments')).status).toBe(200);
  });
});

it('serves a request that asks for another protocol as a usual one, with its body', async () => {
  const { baseUrl, key, ask } = await serveInbox();
  const send = (method: string, path: string, body: string, headers: object) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const { hostname, port } = new URL(baseUrl);
      const all = {
        authorization: `ApiKey ${key}`,
        'content-type': 'application/json',
        ...headers,
      };
      const request = http.request(
        { hostname, port, method, path, headers: { ...all } },
        (response) => {
          let text = '';
          response
            .on('data', (chunk) => (text += chunk))
            .on('end', () => resolve([response.statusCode, text]));
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  const h2c = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAAP__',
  };
  const data = { text: 'x'.repeat(90_000) };
  const subscriber = JSON.stringify({ subscriberId: 'java', firstName: 'Duke', data });
  const [status] = await send('POST', '/v2/subscribers', subscriber, h2c);
  expect(status).toBe(201);
  expect((await ask('GET /v2/subscribers/java')).body.data).toMatchObject({
    firstName: 'Duke',
    data,
  });
  const webSocket = { connection: 'Upgrade', upgrade: 'websocket' };
  expect((await send('GET', '/v2/subscribers/java', '', webSocket))[0]).toBe(200);
  expect((await send('GET', '/elsewhere', '', webSocket))[0]).toBe(404);
});
