// Hostile clients of the inbox: forged tokens, tokens of others, and web pages of other origins.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import http from 'node:http';
import { describe, expect, it, test } from 'vitest';
import { noteState, serveInbox } from './served-inbox.ts';

const list = 'GET /v1/inbox/notifications';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The claims of a token, changed, with another header and signature. */
function forge(token: string, header: object, change: object, signText: (text: string) => string) {
  const [, payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const text = `${base64url(header)}.${base64url({ ...claims, ...change })}`;
  return `${text}.${signText(text)}`;
}

const hmac = (secret: string) => (text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');

describe('a session token', () => {
  it('is signed with HS256 by a secret of the sandbox that no response contains', async () => {
    const { send, openSession, key, applicationIdentifier } = await serveInbox();
    const { token } = await openSession('u1');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const publicText = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const jwt = { alg: 'HS256', typ: 'JWT' };
    const forged = {
      'without signature': forge(token, { ...jwt, alg: 'none' }, {}, () => ''),
      'with the name none in capitals': forge(token, { ...jwt, alg: 'NONE' }, {}, () => ''),
      'with the API key as secret': forge(token, jwt, {}, hmac(key)),
      'with the application identifier as secret': forge(
        token,
        jwt,
        {},
        hmac(applicationIdentifier),
      ),
      'with an empty secret': forge(token, jwt, {}, hmac('')),
      'with a key in its header': forge(
        token,
        { ...jwt, jwk: { kty: 'oct', k: base64url('x') } },
        {},
        hmac('x'),
      ),
      'for another subscriber': forge(
        token,
        jwt,
        { subscriberId: 'u2' },
        () => token.split('.')[2] ?? '',
      ),
      'with a private key of the client': forge(token, { ...jwt, alg: 'EdDSA' }, {}, (text) =>
        sign(null, Buffer.from(text), privateKey).toString('base64url'),
      ),
      'with a public key as secret': forge(token, jwt, {}, hmac(publicText)),
      'with HS512': forge(token, { ...jwt, alg: 'HS512' }, {}, hmac(key)),
      'with three empty parts': '..',
      'with nothing': '',
    };
    const statuses = await Promise.all(
      Object.values(forged).map(
        async (value) => (await send(list, undefined, bearer(value))).status,
      ),
    );
    expect(Object.fromEntries(Object.keys(forged).map((name, n) => [name, statuses[n]]))).toEqual(
      Object.fromEntries(Object.keys(forged).map((name) => [name, 401])),
    );
    expect((await send(list, undefined, bearer(token))).status).toBe(200);
  });

  it('is not given for a form, which a page can send without a question of the browser', async () => {
    const { baseUrl, applicationIdentifier } = await serveInbox();
    const form = { applicationIdentifier, subscriberId: 'u1' };
    const { status } = await fetch(`${baseUrl}/v1/inbox/session`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect(status).toBe(400);
  });

  it('opens no inbox of another sandbox', async () => {
    const { openSession } = await serveInbox();
    const { token } = await openSession('u1');
    const other = await serveInbox();
    await other.openSession('u1');
    expect((await other.send(list, undefined, bearer(token))).status).toBe(401);
  });

  it('opens only the inbox of its environment', async () => {
    const { ask, openSession, trigger } = await serveInbox();
    await trigger('u1');
    const development = await openSession('u1');
    const [{ id }] = (await development.ask('GET /notifications')).body.data;
    const { body } = await ask('GET /v1/environments');
    const applicationIdentifier = body.data[1].identifier;
    const production = await openSession('u1', { applicationIdentifier });
    expect((await production.ask('GET /notifications')).body.data).toEqual([]);
    expect((await production.ask(`PATCH /notifications/${id}/read`)).status).toBe(404);
    expect((await production.ask('PATCH /preferences/note', { in_app: false })).status).toBe(404);
  });

  it('expires after 15 days of the machine, whatever the clock of the sandbox shows', async () => {
    let now = Date.now();
    const { openSession, control } = await serveInbox({ clock: { now: () => now }, frozen: true });
    const { ask } = await openSession('u1');
    await control.advanceClock(30 * 86_400_000);
    expect((await ask('GET /notifications')).status).toBe(200);
    now += 14 * 86_400_000;
    expect((await ask('GET /notifications')).status).toBe(200);
    now += 2 * 86_400_000;
    expect((await ask('GET /notifications')).status).toBe(401);
  });

  it('opens no inbox after its subscriber is deleted', async () => {
    const { ask, openSession } = await serveInbox();
    const session = await openSession('u1');
    await ask('DELETE /v2/subscribers/u1');
    expect((await session.ask('GET /notifications')).status).toBe(401);
  });

  it('opens nothing but the inbox, and an API key opens no inbox', async () => {
    const { send, key, openSession } = await serveInbox();
    const { token } = await openSession('u1');
    const others = [
      'GET /v2/subscribers/u1',
      'GET /v1/environments',
      'GET /v1/messages',
      'GET /__sandbox/messages',
      'GET /__sandbox/status',
      'POST /__sandbox/reset',
      'POST /v1/events/trigger',
    ];
    for (const line of others) {
      const sent = line.startsWith('POST') ? {} : undefined;
      expect([line, (await send(line, sent, bearer(token))).status]).toEqual([line, 401]);
    }
    expect((await send(list, undefined, { authorization: `ApiKey ${key}` })).status).toBe(401);
    expect((await send(list, undefined, { authorization: `Bearer ${key}` })).status).toBe(401);
  });
});

test('a session neither reads nor changes the notifications of another subscriber', async () => {
  const { openSession, trigger } = await serveInbox();
  const ada = await openSession('ada');
  const eve = await openSession('eve');
  await trigger('ada');
  const before = (await ada.ask('GET /notifications')).body.data;
  const [{ id }] = before;
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const attacks: [line: string, body?: unknown][] = [
    ...['read', 'unread', 'archive', 'unarchive', 'unsnooze'].map((verb): [string] => [
      `PATCH /notifications/${id}/${verb}`,
    ]),
    [`PATCH /notifications/${id}/snooze`, { snoozeUntil: inAnHour }],
    [`PATCH /notifications/${id}/complete`, { actionType: 'primary' }],
    [`PATCH /notifications/${id}/revert`, { actionType: 'primary' }],
    [`DELETE /notifications/${id}/delete`],
  ];
  for (const [line, body] of attacks)
    expect([line, (await eve.ask(line, body)).status]).toEqual([line, 404]);
  await eve.ask('POST /notifications/seen', { notificationIds: [id] });
  await eve.ask('POST /notifications/delete', {});
  expect((await eve.ask(`GET /notifications?after=${id}`)).body.data).toEqual([]);
  expect((await ada.ask('GET /notifications')).body.data).toEqual(before);
});

describe('with hmac in the inbox integration', () => {
  const hmacState = structuredClone(noteState);
  Object.assign(hmacState.environments[0] ?? {}, {
    integrations: [
      {
        ...{ identifier: 'inbox', name: 'Inbox', providerId: 'svc', channel: 'in_app' },
        credentials: { hmac: true },
      },
    ],
  });

  it('a session needs the HMAC of the subscriber id with the API key', async () => {
    const { send, key, applicationIdentifier } = await serveInbox({ seed: hmacState });
    const open = async (subscriberHash?: string, context?: object, contextHash?: string) => {
      const subscriber = { subscriberId: 'u1' };
      const body = { applicationIdentifier, subscriber, subscriberHash, context, contextHash };
      const { status, body: answer } = await send('POST /v1/inbox/session', body);
      return status === 201 ? status : [status, answer.message];
    };
    const hash = (text: string, secret = key) =>
      createHmac('sha256', secret).update(text).digest('hex');
    const refused = [400, 'Please provide a valid HMAC hash'];
    expect(await open()).toEqual(refused);
    expect(await open(hash('u2'))).toEqual(refused);
    expect(await open(hash('u1', applicationIdentifier))).toEqual(refused);
    expect(await open(hash('u1').toUpperCase())).toEqual(refused);
    expect(await open(hash('u1'))).toBe(201);
    const context = { tenant: { id: 'acme', data: { b: 1, a: 2 } } };
    const canonical = '{"tenant":{"data":{"a":2,"b":1},"id":"acme"}}';
    expect(await open(hash('u1'), context)).toEqual([
      ...[400, 'Please provide a valid context HMAC hash'],
    ]);
    expect(await open(hash('u1'), context, hash(canonical))).toBe(201);
  });

  it('only a session with the hash changes an existing subscriber', async () => {
    const { ask, send, key, applicationIdentifier } = await serveInbox();
    const open = (firstName: string, subscriberHash?: string) =>
      send('POST /v1/inbox/session', {
        ...{ applicationIdentifier, subscriberHash, subscriber: { subscriberId: 'u1', firstName } },
      });
    const name = async () => (await ask('GET /v2/subscribers/u1')).body.data.firstName;
    await open('Ada');
    await open('Eve');
    expect(await name()).toBe('Ada');
    await open('Grace', createHmac('sha256', key).update('u1').digest('hex'));
    expect(await name()).toBe('Grace');
  });
});

describe('a web page', () => {
  const inboxLines = ['POST /v1/inbox/session', list];
  const app = 'https://app.example.com';

  it('of loopback, or of an origin that was allowed, may use the inbox', async () => {
    const { send } = await serveInbox({ allowOrigins: [app] });
    const origins = ['http://localhost:3000', 'http://127.0.0.1:5173', 'http://[::1]:8080', app];
    for (const origin of origins)
      for (const line of inboxLines) {
        const { status, headers } = await send(line, line.startsWith('POST') ? {} : undefined, {
          origin,
        });
        expect([origin, [400, 401].includes(status)]).toEqual([origin, true]);
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('vary')).toContain('Origin');
        expect(headers.has('access-control-allow-credentials')).toBe(false);
      }
  });

  it('of another origin may not', async () => {
    const { send, baseUrl } = await serveInbox({ allowOrigins: [app] });
    const { port } = new URL(baseUrl);
    const origins = [
      ...[
        'null',
        'https://evil.example',
        'http://localhost.evil.example',
        'http://127.0.0.1.nip.io',
      ],
      ...[`${app}.evil.example`, `${app}:8443`, 'http://app.example.com', 'file://', '*', ''],
      ...['http://user@localhost:3000', 'http://localhost:3000/', 'chrome-extension://abc'],
      ...[`http://evil.example:${port}`, 'http://192.168.0.7:3000', 'http://0.0.0.0:3000'],
      'http://localhost.',
      'http://LOCALHOST:3000',
      'http://127.1',
      'http://[::ffff:127.0.0.1]',
      'http://localhost, http://evil.example',
    ];
    for (const origin of origins)
      for (const line of inboxLines) {
        const { status, headers } = await send(line, line.startsWith('POST') ? {} : undefined, {
          origin,
        });
        expect([origin, status]).toEqual([origin, 403]);
        expect(headers.has('access-control-allow-origin')).toBe(false);
      }
  });

  const preflight = (method: string, more: object = {}) => ({
    ...{ 'access-control-request-method': method },
    ...{
      'access-control-request-headers': 'authorization,content-type,novu-client-version',
      ...more,
    },
  });

  it('gets a preflight response for the inbox and for routes with an API key, without credentials', async () => {
    const { send } = await serveInbox();
    const origin = 'http://localhost:3000';
    for (const target of [
      '/v1/inbox/notifications/x/read',
      '/v2/subscribers',
      '/v1/events/trigger',
    ]) {
      const { status, headers } = await send(
        `OPTIONS ${target}`,
        undefined,
        preflight('PATCH', { origin }),
      );
      expect([target, status]).toEqual([target, 204]);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-methods')).toContain('PATCH');
      expect(headers.get('access-control-allow-headers')).toContain('authorization');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  it('of loopback may use routes with an API key, which it must have; an allowed origin may not', async () => {
    const { send, key } = await serveInbox({ allowOrigins: [app] });
    const ask = (origin: string, authorization = `ApiKey ${key}`) =>
      send('GET /v2/subscribers', undefined, { origin, authorization });
    expect(await ask('http://localhost:3000')).toMatchObject({ status: 200 });
    expect((await ask('http://localhost:3000', 'ApiKey wrong')).status).toBe(401);
    expect((await ask(app)).status).toBe(403);
    expect((await ask('null')).status).toBe(403);
  });

  it('uses neither control routes nor the page, unless it is the page', async () => {
    const { send, key, baseUrl } = await serveInbox({ allowOrigins: [app] });
    const authorization = `ApiKey ${key}`;
    for (const origin of [app, 'http://localhost:3000', 'null'])
      for (const target of [
        '/__sandbox/status',
        '/__sandbox/messages',
        '/page/inbox',
        '/',
        '/v1/../__sandbox/status',
      ]) {
        for (const [method, more] of [
          ['GET', {}],
          ['OPTIONS', preflight('GET')],
        ] as const) {
          const { status, headers } = await send(`${method} ${target}`, undefined, {
            origin,
            authorization,
            ...more,
          });
          expect([target, status]).toEqual([target, 403]);
          expect(headers.has('access-control-allow-origin')).toBe(false);
        }
      }
    const own = await send('GET /__sandbox/status', undefined, { origin: baseUrl, authorization });
    expect(own.status).toBe(200);
    expect(own.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('that resolves its own name to loopback is refused by its host name', async () => {
    const { baseUrl } = await serveInbox({ allowOrigins: [app] });
    const { port } = new URL(baseUrl);
    for (const target of ['/v1/inbox/notifications', '/socket.io/?EIO=4&transport=polling'])
      for (const host of [`evil.example:${port}`, 'app.example.com', '']) {
        const headers = { host, origin: `http://${host}` };
        expect([host, await rawStatus(port, target, headers)]).toEqual([host, 403]);
      }
  });
});

/** fetch does not send another Host. */
const rawStatus = (port: string, path: string, headers: http.OutgoingHttpHeaders) =>
  new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
