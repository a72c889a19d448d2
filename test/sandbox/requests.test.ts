// Rules for every request: authorization, hosts and origins, bodies, and the format of errors.
import { describe, expect, test } from 'vitest';
import { openSandbox } from './open.ts';

describe('authorization', () => {
  test.each([
    ['', 'Missing authorization header'],
    ['Bearer abc', 'Unauthorized'],
    ['Token abc', 'Invalid authentication scheme: "Token"'],
    ['apikey abc', 'Invalid authentication scheme: "apikey"'],
    ['ApiKey abc', 'API Key not found'],
    ['ApiKey', 'Unauthorized'],
  ])('%j is rejected', async (authorization, message) => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('GET /v2/topics', undefined, { authorization });
    expect({ status, message: body.message }).toEqual({ status: 401, message });
  });
});

describe('an error response', () => {
  test('contains message, path and timestamp, and repeats ctx at the top level', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /v2/workflows/nope')).body).toEqual({
      statusCode: 404,
      timestamp: '2026-01-15T12:00:00.000Z',
      path: '/v2/workflows/nope',
      message: 'Workflow cannot be found',
      ctx: { workflowId: 'nope' },
      workflowId: 'nope',
    });
  });

  test('is never wrapped in an envelope', async () => {
    const { ask } = await openSandbox({ envelope: true });
    expect((await ask('GET /v2/topics/nope')).body).toMatchObject({
      statusCode: 404,
      message: 'Topic with key nope not found',
    });
  });

  test.each(['GET /v1/topic', 'PUT /v2/topics', 'GET /', 'GET /v2/topics/a/b'])(
    'for the unknown route %s has status 404',
    async (line) => {
      const { ask } = await openSandbox();
      const { status, body } = await ask(line);
      expect({ status, message: body.message }).toEqual({ status: 404, message: `Cannot ${line}` });
    },
  );
});

describe('a validation error', () => {
  test.each([
    [
      'POST /v1/environments',
      { color: 'red', x: 1 },
      [
        'Environment name is required',
        'Environment name must be a string',
        'Color must be a valid hex color code',
      ],
    ],
    ['PATCH /v2/topics/announcements', { name: 7 }, ['name must be a string']],
  ])('of %s contains a list of messages', async (line, sent, messages) => {
    const { ask } = await openSandbox();
    const { status, body } = await ask(line, sent);
    expect({ status, message: body.message, ctx: body.ctx, errors: body.errors }).toEqual({
      status: 422,
      message: 'Validation Error',
      ctx: {},
      errors: { general: { messages, value: 'No Value Recorded' } },
    });
  });

  test('of a deeper rule contains messages by field', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('GET /v2/contexts?limit=101');
    expect({ status, message: body.message, errors: body.errors }).toEqual({
      status: 422,
      message: 'Validation failed',
      errors: { limit: { messages: ['limit must not be greater than 100'], value: 101 } },
    });
  });

  test.each([
    ['GET /v2/topics?limit=101'],
    ['GET /v2/topics?limit=x'],
    ['GET /v2/workflows?limit=0'],
    ['GET /v1/notifications?limit=0'],
    ['GET /v1/subscribers/u1/notifications/feed?limit=0'],
    ['GET /v1/notifications?limit=51'],
    ['GET /v1/notifications?page=-1'],
    ['GET /v1/subscribers/u1/notifications/feed?limit=101'],
    ['GET /v2/workflows?status=GONE'],
    ['GET /v2/workflows?orderBy=colour'],
    ['GET /v2/subscribers/u1/preferences?criticality=some'],
  ])('is returned for %s', async (line) => {
    const { ask } = await openSandbox();
    expect((await ask(line)).status).toBe(422);
  });
});

describe('a query value', () => {
  test.each(['/v2/topics?limit=0', '/v2/contexts?limit=0', '/v2/contexts?limit=x'])(
    'is ignored in %s',
    async (target) => {
      const { ask } = await openSandbox();
      const { status, body } = await ask(`GET ${target}`);
      expect(status).toBe(200);
      expect(body).toEqual((await ask(`GET ${target.split('?')[0]}`)).body);
    },
  );

  test.each(['/v2/topics?orderBy=colour', '/v2/topics?colour=red', '/v2/workflows?limit=x'])(
    'that is unknown is ignored in %s',
    async (target) => {
      const { ask } = await openSandbox();
      const { status, body } = await ask(`GET ${target}`);
      expect(status).toBe(200);
      expect(body).toEqual((await ask(`GET ${target.split('?')[0]}`)).body);
    },
  );
});

describe('a request body', () => {
  const post = 'POST /v1/subscribers/bulk';
  const plainText = { 'content-type': 'text/plain' };

  test('with invalid JSON is rejected', async () => {
    const { ask } = await openSandbox();
    expect((await ask(post, '{"subscribers": [')).status).toBe(400);
  });

  test.each([
    ['that is missing', undefined, {}],
    ['of another content type', '{"subscribers": [{"subscriberId": "x"}]}', plainText],
  ])('%s is validated like an empty object', async (_, body, headers) => {
    const { ask } = await openSandbox();
    const response = await ask(post, body, headers);
    expect(response.status).toBe(422);
    expect(response.body.errors.general.messages).toContain('subscribers must be an array');
  });

  test('that is nested too deeply is rejected', async () => {
    const { ask } = await openSandbox();
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const { status, body } = await ask(post, `{"subscribers": ${deep}}`);
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'JSON is nested deeper than 100 levels',
    });
  });

  test('over the size limit is rejected, and one at the limit is accepted', async () => {
    const { ask } = await openSandbox();
    const sized = (bytes: number) => {
      const frame = '{"subscribers":[{"subscriberId":"big","data":{"x":""}}]}';
      return frame.replace('""', `"${'a'.repeat(bytes - frame.length)}"`);
    };
    expect((await ask(post, sized(102_401))).status).toBe(413);
    expect((await ask(post, sized(102_400))).status).toBe(201);
  });

  test('is measured while it is read, regardless of its content-length', async () => {
    const { sandbox } = await openSandbox();
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(32)),
    });
    const request = new Request(`http://localhost${post.slice(5)}`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: {
        authorization: 'ApiKey 0123456789abcdef0123456789abcdef',
        'content-type': 'application/json',
        'content-length': '10',
      },
    } as RequestInit);
    expect((await sandbox(request)).status).toBe(413);
  });

  test('cannot change a prototype', async () => {
    const { ask, store } = await openSandbox();
    const body =
      '{"subscribers":[{"subscriberId":"p","__proto__":{"email":"x"},"data":{"__proto__":{"a":1},"b":{"__proto__":{"c":1}}}}]}';
    expect((await ask(post, body)).status).toBe(201);
    const row = store.sql.get<{ body: string }>(
      "SELECT body FROM subscribers WHERE subscriber_id = 'p'",
    );
    expect(row?.body).toBe('{"data":{"b":{}}}');
    expect(Object.prototype).not.toHaveProperty('a');
  });
});

describe('a request from a web page', () => {
  const hosts = ['127.0.0.1', 'localhost', 'sandbox.test'];

  test.each([
    ['localhost:4400', 200],
    ['127.0.0.1:4400', 200],
    ['SANDBOX.test', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example:4400', 403],
  ])('with host %s returns %i', async (host, status) => {
    const { ask } = await openSandbox({ hosts });
    expect((await ask('GET /v2/topics', undefined, { host })).status).toBe(status);
  });

  test.each([
    ['http://localhost', 200],
    ['https://evil.example', 403],
    ['null', 403],
  ])('with origin %s returns %i and no CORS headers', async (origin, status) => {
    const { ask } = await openSandbox();
    const response = await ask('GET /v2/topics', undefined, { origin, host: 'localhost' });
    expect(response.status).toBe(status);
    expect(
      [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
  });
});
