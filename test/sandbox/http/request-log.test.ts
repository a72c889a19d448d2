// The log of the requests of an application: GET /__sandbox/requests.
import { describe, expect, it } from 'vitest';
import { key, openSandbox } from '../open.ts';

const event = { name: 'welcome', to: 'u1', payload: { product: 'Svc' } };

async function opened(options: Parameters<typeof openSandbox>[0] = {}) {
  const sandbox = await openSandbox(options);
  const list = async (query = '') => (await sandbox.ask(`GET /__sandbox/requests${query}`)).body;
  /** The newest request. */
  const last = async () => (await list()).data[0];
  return { ...sandbox, list, last };
}

describe('the log of requests', () => {
  it('has method, path, query, body, status and time of each request, newest first', async () => {
    const { ask, list } = await opened();
    await ask('POST /v1/events/trigger', event);
    await ask('GET /v2/subscribers?limit=5&email=a%40example.com');
    expect(await list()).toEqual({
      data: [
        {
          id: 2,
          time: '2026-01-15T12:00:00.000Z',
          method: 'GET',
          path: '/v2/subscribers',
          query: { limit: '5', email: 'a@example.com' },
          body: null,
          status: 200,
        },
        {
          id: 1,
          time: '2026-01-15T12:00:00.000Z',
          method: 'POST',
          path: '/v1/events/trigger',
          query: {},
          body: event,
          status: 201,
        },
      ],
      hasMore: false,
      pageSize: 2,
      page: 0,
    });
  });

  it('does not contain the requests of the control routes and of the page', async () => {
    const { ask, list } = await opened({ pageUrl: 'http://127.0.0.1:4400' });
    await ask('GET /__sandbox/status');
    await ask('GET /__sandbox/nothing');
    expect((await list()).data).toEqual([]);
  });

  it('filters by method, path and status', async () => {
    const { ask, list } = await opened();
    await ask('POST /v1/events/trigger', event);
    await ask('GET /v2/subscribers/u1');
    await ask('GET /v2/subscribers/missing');
    const listPaths = async (query: string) =>
      (await list(query)).data.map(({ path }: { path: string }) => path);
    expect(await listPaths('?method=POST')).toEqual(['/v1/events/trigger']);
    expect(await listPaths('?method=post')).toEqual(['/v1/events/trigger']);
    expect(await listPaths('?path=/v2/subscribers/u1')).toEqual(['/v2/subscribers/u1']);
    expect(await listPaths('?path=/v2/subscribers')).toEqual([]);
    expect(await listPaths('?path=/v2/subscribers/*')).toEqual([
      '/v2/subscribers/missing',
      '/v2/subscribers/u1',
    ]);
    const user = '/v2/subscribers/u1';
    for (const pattern of ['*', '*1', '/*/*/*', '/v2/subscribers/u1*', '*/u1', '*sub*s*u*'])
      expect([pattern, await listPaths(`?path=${pattern}`)]).toEqual([
        pattern,
        expect.arrayContaining([user]),
      ]);
    for (const pattern of ['*/u', '/v2/subscribers/u1*1', '/v2/sub*bers*bers/u1', 'v2/*', ''])
      expect([pattern, await listPaths(`?path=${pattern}`)]).toEqual([
        pattern,
        expect.not.arrayContaining([user]),
      ]);
    expect(await listPaths('?status=404')).toEqual(['/v2/subscribers/missing']);
    expect(await listPaths('?method=GET&status=200')).toEqual(['/v2/subscribers/u1']);
    expect((await list('?limit=1&page=1')).data).toMatchObject([{ path: '/v2/subscribers/u1' }]);
    expect((await ask('GET /__sandbox/requests?status=x')).status).toBe(422);
  });

  it('filters by a path with many wildcards in limited time', async () => {
    const { ask, list } = await opened();
    await ask(`GET /${'a'.repeat(4_000)}`);
    expect((await list(`?path=${'*a'.repeat(50)}*b`)).data).toEqual([]);
  });

  it('says why a request failed, and keeps its body', async () => {
    const { ask, last } = await opened();
    await ask('POST /v1/events/trigger', { ...event, name: 'missing' });
    expect(await last()).toMatchObject({
      status: 422,
      error: 'workflow_not_found',
      body: { name: 'missing' },
    });
    await ask('POST /v1/events/trigger', { to: 'u1' });
    expect((await last()).error).toMatch(/^Validation Error: name .*/);
  });

  it('contains requests without a valid key with their body, and routes that do not exist', async () => {
    const { ask, list } = await opened();
    await ask('POST /v1/events/trigger', event, { authorization: 'ApiKey wrong' });
    await ask('POST /v1/typo', event);
    await ask('GET /v1/channel-connections');
    expect((await list()).data).toMatchObject([
      { path: '/v1/channel-connections', status: 404, notEmulated: true },
      { path: '/v1/typo', status: 404, body: event, error: 'Cannot POST /v1/typo' },
      { path: '/v1/events/trigger', status: 401, body: event, error: 'API Key not found' },
    ]);
  });

  it('has the status of the response that a fault cut off, and none for a closed connection', async () => {
    const { control, sandbox, list } = await opened();
    const send = () =>
      sandbox(
        new Request('http://localhost/v2/topics', { headers: { authorization: `ApiKey ${key}` } }),
      );
    await control.setFaults({ truncate: 1 });
    await expect(send()).rejects.toThrow();
    await control.setFaults({ truncate: 0, reset: 1 });
    await expect(send()).rejects.toThrow();
    expect((await list()).data).toMatchObject([{ status: null }, { status: 200 }]);
  });

  it('reads forms', async () => {
    const { ask, last } = await opened();
    await ask('POST /v1/events/trigger', 'name=welcome&to[subscriberId]=u1', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect((await last()).body).toEqual({ name: 'welcome', to: { subscriberId: 'u1' } });
  });

  it('keeps the requests of each environment apart', async () => {
    const { ask, list, store } = await opened();
    const { body } = await ask('POST /v1/environments', { name: 'Other', color: '#aabbcc' });
    const [other] = store.sql.all<{ key: string }>(
      'SELECT key FROM api_keys WHERE env = ?',
      body._id,
    );
    const authorization = { authorization: `ApiKey ${other?.key}` };
    await ask('GET /v2/topics', undefined, authorization);
    expect((await list('?path=/v2/topics')).data).toEqual([]);
    const own = await ask('GET /__sandbox/requests', undefined, authorization);
    expect(own.body.data).toMatchObject([{ path: '/v2/topics' }]);
  });

  it('is empty after a reset and after a seed', async () => {
    const { ask, control, list } = await opened();
    for (const clear of [
      () => control.reset(),
      async () => control.seed(await control.exportState(true)),
    ]) {
      await ask('GET /v2/topics');
      await clear();
      expect((await list()).data).toEqual([]);
    }
  });
});

describe('the bounds of the log', () => {
  it('keeps the last 1,000 requests', async () => {
    const { ask, list } = await opened();
    for (let count = 0; count < 1_003; count += 1) await ask('GET /v1/typo');
    expect((await list('?limit=1&page=999')).data).toMatchObject([{ id: 4 }]);
    expect((await list('?limit=1&page=1000')).data).toEqual([]);
  });

  it('leaves out a body of more than 256 KB', async () => {
    const { ask, last } = await opened();
    await ask('POST /v1/events/trigger', { ...event, payload: { text: 'x'.repeat(260 * 1024) } });
    expect(await last()).toMatchObject({ body: null, isBodyOmitted: true, status: 201 });
    await ask('POST /v1/typo', 'x'.repeat(260 * 1024));
    expect(await last()).toMatchObject({ body: null, isBodyOmitted: true });
  });

  it('removes the oldest bodies when all together have more than 4 MB', async () => {
    const { ask, list } = await opened();
    const text = 'x'.repeat(250 * 1024);
    for (let count = 0; count < 20; count += 1)
      await ask('POST /v1/events/trigger', { ...event, payload: { text } });
    const { data } = await list('?limit=20');
    const kept = data.map(({ isBodyOmitted = false }) => !isBodyOmitted);
    expect(data).toHaveLength(20);
    expect(kept.filter(Boolean)).toHaveLength(16);
    expect(kept.indexOf(false)).toBe(16);
  });
});

it('cuts an error that is too long', async () => {
  const { ask, last } = await opened();
  const subscribers = Array.from({ length: 500 }, () => ({ subscriberId: 1, email: 'x' }));
  await ask('POST /v1/subscribers/bulk', { subscribers });
  const { error } = await last();
  expect(error.length).toBeGreaterThan(1_000);
  expect(error.length).toBeLessThan(5_000);
});

describe('secrets in the log', () => {
  const secrets = 'secret-9f8e7d';
  const sent = async (line: string, body?: unknown, headers?: Record<string, string>) => {
    const { ask, list, store } = await opened();
    await ask(line, body, headers);
    const response = await list();
    return { request: response.data[0], text: JSON.stringify(response), store };
  };

  it('the Authorization header does not appear', async () => {
    const { text } = await sent('GET /v2/topics', undefined, {
      authorization: `ApiKey ${secrets}`,
    });
    expect(text).not.toContain(secrets);
    expect((await sent('GET /v2/topics')).text).not.toContain(key);
  });

  it('credentials of integrations are masked', async () => {
    const { request, text } = await sent('POST /v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      credentials: { apiKey: secrets, from: 'me@example.com' },
    });
    expect(text).not.toContain(secrets);
    expect(request.body.credentials).toEqual({ apiKey: '********', from: 'me@example.com' });
  });

  it('values of the variables of an environment are masked', async () => {
    const values = [{ _environmentId: 'a'.repeat(24), value: secrets }];
    const { request, text } = await sent('POST /v1/environment-variables', { key: 'A', values });
    expect(text).not.toContain(secrets);
    expect(request.body).toEqual({ key: 'A', values: [{ ...values[0], value: '********' }] });
  });

  it('device tokens and webhook addresses of subscribers are masked', async () => {
    const { text } = await sent('PUT /v1/subscribers/u1/credentials', {
      providerId: 'fcm',
      credentials: { deviceTokens: [secrets], webhookUrl: `https://${secrets}` },
    });
    expect(text).not.toContain(secrets);
  });

  it('device tokens in overrides are masked', async () => {
    const overrides = {
      fcm: { deviceTokens: [secrets] },
      providers: { fcm: { tokens: [secrets] } },
    };
    const { text } = await sent('POST /v1/events/trigger', { ...event, overrides });
    expect(text).not.toContain(secrets);
  });

  it.each(['subscriberHash', 'contextHash', 'token', 'accessToken', 'password', 'secretKey'])(
    'the member %s is masked in the body and in the query',
    async (name) => {
      const { request, text } = await sent(`POST /v1/typo?${name}=${secrets}`, { [name]: secrets });
      expect(text).not.toContain(secrets);
      expect(request.query).toEqual({ [name]: '********' });
      expect(request.body).toEqual({ [name]: '********' });
    },
  );

  it.each([
    'x-api-key',
    'private_key',
    'accessKey',
    'signing-key',
    'cookie',
    'deviceTokens[]',
    'credentials[user_secret]',
    'credentials[anything]',
    'to[0][channels][0][credentials][webhookUrl]',
  ])('the member %s is masked in the query, in JSON and in a form', async (name) => {
    const pair = `${encodeURIComponent(name)}=${secrets}`;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [line, body, headers] of [
      [`POST /v1/typo?${pair}`, undefined, undefined],
      ['POST /v1/typo', { overrides: { headers: { [name]: secrets } } }, undefined],
      ['POST /v1/typo', `a[b][c][d][e][f][g]=1&${pair}`, form],
    ] as const)
      expect((await sent(line, body, headers)).text).not.toContain(secrets);
  });

  it.each([
    ['a list of headers', { headers: [{ key: 'Authorization', value: `Bearer ${secrets}` }] }],
    ['a list of named values', { items: [{ name: 'api_key', value: secrets }] }],
    ['a value with an odd name', { key: { toString: 1 }, value: 'x', token: secrets }],
    ['credentials as a text', { credentials: JSON.stringify({ apiKey: secrets }) }],
    ['a password in an address', { bridgeUrl: `http://user:${secrets}@127.0.0.1/api` }],
    ['a member that is too deep for a form', { '[token]': secrets }],
  ])('%s is masked', async (_, body) => {
    expect((await sent('POST /v1/typo', body)).text).not.toContain(secrets);
  });

  it('a password in an address is masked in the error that repeats it', async () => {
    const bridgeUrl = `http://user:${secrets}@127.0.0.1/api`;
    const { request, text } = await sent('POST /v1/events/trigger', { ...event, bridgeUrl });
    expect(request.error).toContain('http://********@127.0.0.1/api');
    expect(text).not.toContain(secrets);
  });

  it('an API key of the sandbox is masked in names, too', async () => {
    const { request, text } = await sent(`POST /v1/typo?${key}`, { [key]: 1, [`a ${key}`]: 2 });
    expect(text).not.toContain(key);
    expect(request.body).toEqual({ '********': 1, 'a ********': 2 });
  });

  it('an API key of the sandbox is masked in any text', async () => {
    const { request, text } = await sent(`POST /v1/typo?q=${key}`, {
      ...event,
      payload: { note: `the key ${key}` },
    });
    expect(text).not.toContain(key);
    expect(request.body.payload.note).toBe('the key ********');
  });

  it('the payload of an event is shown as in its messages', async () => {
    const payload = { token: 't0ken' };
    expect((await sent('POST /v1/events/trigger', { ...event, payload })).request.body).toEqual({
      ...event,
      payload,
    });
  });

  it('a body that is neither JSON nor a form is left out', async () => {
    const { request, text } = await sent('POST /v1/typo', `{"token": "${secrets}"`);
    expect(text).not.toContain(secrets);
    expect(request).toMatchObject({ body: null, isBodyOmitted: true });
  });

  it('an error does not repeat them', async () => {
    const broken = await sent('POST /v1/events/trigger', `{"token": "${secrets}"`);
    expect(broken.text).not.toContain(secrets);
    expect(broken.request).toMatchObject({ status: 400, error: expect.any(String) });
    const scheme = await sent('GET /v2/topics', undefined, { authorization: secrets });
    expect(scheme.request.error).toBe('Invalid authentication scheme: "…"');
  });
});
