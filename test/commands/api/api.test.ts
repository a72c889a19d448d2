import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

describe('svc api', () => {
  it('prints the response as it is, as JSON, on a terminal and in a pipe', async () => {
    const { svc } = await openRig();
    const piped = await svc(['api', 'get', '/v2/topics/announcements']);
    expect(JSON.parse(piped.stdout)).toMatchObject({ data: { key: 'announcements' } });
    expect((await svc(['api', 'GET', 'v2/topics/announcements'], { tty: true })).stdout).toBe(
      piped.stdout,
    );
    expect(
      (await svc(['api', 'GET', '/v2/topics/announcements', '--jq', '.data.key'])).stdout,
    ).toBe('announcements\n');
  });

  it('sends fields in the query of a GET and in the body of other requests', async () => {
    const { svc } = await openRig();
    expect(
      (await svc(['api', 'GET', '/v2/topics?order=x', '-f', 'limit=5'])).requests[0]?.line,
    ).toBe('GET /v2/topics?order=x&limit=5');
    const { requests } = await svc(
      words`api PATCH /v2/topics/announcements -f name=News -H ${'X-Mine: yes'}`,
    );
    expect(requests[0]).toMatchObject({
      line: 'PATCH /v2/topics/announcements',
      body: { name: 'News' },
      headers: { 'x-mine': 'yes', 'idempotency-key': expect.any(String) },
    });
    const whole = await svc(['api', 'POST', '/v1/subscribers/bulk', '--body', '-'], {
      stdin: '{"subscribers":[{"subscriberId":"a"}]}',
    });
    expect(JSON.parse(whole.stdout)).toMatchObject({ data: { created: [{ subscriberId: 'a' }] } });
  });

  it('masks secrets, prints status and headers with --include, and requests all pages with --paginate', async () => {
    const { svc } = await openRig();
    expect((await svc(['api', 'GET', '/v1/environments'])).stdout).toContain('"key": "********"');
    expect((await svc(['api', 'GET', '/v1/environments', '--include'])).stdout).toMatch(
      /^200\ncontent-type: application\/json/,
    );
    expect(
      (await svc(['api', 'GET', '/v2/topics?limit=1', '--paginate', '--jq', 'length'])).stdout,
    ).toBe('3\n');
    expect(
      (await svc(['api', 'GET', '/v2/workflows?limit=5', '--paginate', '--jq', 'length'])).stdout,
    ).toBe('12\n');
  });

  it.each([
    [['GET', 'https://elsewhere.example.com/x'], 'is a full URL'],
    [['GET', '//elsewhere.example.com/x'], 'is a full URL'],
    [['GET', '/../x'], 'a URL path cannot contain the segment `..`'],
    [['GET', '/v2/topics/.'], 'a URL path cannot contain the segment `.`'],
    [['DELETE', '/v2/topics/%2e%2E'], 'a URL path cannot contain the segment `%2e%2E`'],
    [['GET', '/v2\\..\\x'], 'a URL path cannot contain the segment `..`'],
    [['GET', '/v2/.\t./x'], 'a URL path cannot contain the segment `..`'],
    [['GET', '/x', '-H', 'Authorization: ApiKey x'], 'The API key comes from the profile'],
    [['GET', '/x', '-H', 'Proxy-Authorization: x'], 'The API key comes from the profile'],
    [['GET', '/x?_method=DELETE'], 'The query cannot contain _method: it can change the method.'],
    [['GET', '/x', '-f', 'X-HTTP-Method-Override=DELETE'], 'The query cannot contain'],
    [['GET', '/x', '-f', '$httpMethod=DELETE'], 'The query cannot contain'],
    [['GET', '/x', '-H', 'X-One: a\r\nX-Two: b'], 'not allowed in a header'],
    [['GET', '/x', '-H', 'X-One: \u{1f511}'], 'not allowed in a header'],
    [['FETCH', '/x'], 'Must be one of: GET, POST'],
    [['POST', '/x', '--body', '{', '--yes'], 'is not JSON'],
    [['POST', '/x', '--body', '{}', '-f', 'a=b'], 'cannot be combined with -f'],
    [['DELETE', '/x', '--read-only'], 'does not allow'],
    [['POST', '/x', '--paginate'], 'works only with GET'],
  ])('rejects %j before it sends a request', async (words, message) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(['api', ...words]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it('uses the exit code of an error of the service', async () => {
    const { svc } = await openRig();
    expect((await svc(['api', 'GET', '/v2/topics/nope'])).code).toBe(5);
  });
});

describe('svc schema and svc commands', () => {
  it.each(['json', 'yaml'])(
    'print the schema of credentials unmasked with -o %s',
    async (format) => {
      const { svc } = await openRig();
      for (const operation of [
        'updateIntegration',
        'setSubscriberCredentials',
        'listEnvironments',
      ]) {
        const { code, stdout } = await svc(['schema', operation, '-o', format]);
        expect(code).toBe(0);
        expect(stdout).not.toContain('***');
      }
      const { stdout } = await svc(['schema', 'updateIntegration', '--jq', '.body']);
      expect(JSON.parse(stdout)).toMatchObject({
        properties: { credentials: { properties: { apiKey: { type: 'string' } } } },
      });
    },
  );

  it('print the operations as data, a single one with its schemas', async () => {
    const { svc } = await openRig();
    const all = JSON.parse((await svc(['schema', '--json'])).stdout) as {
      source: string;
      path: string;
    }[];
    expect(all.filter(({ source }) => source === 'specification')).toHaveLength(23);
    expect(all.filter(({ path }) => /^\/v1\/(tenants|feeds|changes)/.test(path))).toEqual([]);
    expect((await svc(['schema', 'listTenants', '--jq', '.path'])).stdout).toContain('/v1/tenants');
    const one = JSON.parse((await svc(['schema', 'renametopic'])).stdout);
    expect(one).toMatchObject({
      operation: 'renameTopic',
      method: 'PATCH',
      body: { required: ['name'] },
    });
    expect((await svc(['schema', 'renameTopics'])).stderr).toContain('Did you mean `renameTopic`');
    expect((await svc(['schema'])).stdout).toContain('listTopics\tGET\t/v2/topics\t');
    expect((await svc(['schema'], { tty: true })).stdout).toMatch(/^OPERATION +METHOD +PATH/);
  });

  it('give every command with its options', async () => {
    const { svc } = await openRig();
    const all = JSON.parse((await svc(['commands', '--json'])).stdout) as { command: string }[];
    expect(all.find(({ command }) => command === 'svc topics list')).toMatchObject({
      calls: ['listTopics', 'listTopicSubscriptions'],
      writes: false,
    });
    expect((await svc(['commands', '-o', 'ids'])).stdout).toContain(
      'svc subscribers credentials set\n',
    );
    expect((await svc(['commands'], { tty: true })).stdout).toMatch(/^COMMAND/);
  });

  it('blames the path that was typed, not the base URL, when the service has none like it', async () => {
    const { svc } = await openRig();
    const { code, stderr } = await svc(['api', 'GET', '/nope']);
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr:
        'Error: The service has no GET /nope.\n  (status 404, /nope)\nList the operations and their paths, or check the base URL (from SVC_BASE_URL).\n  svc schema\n',
    });
  });
});

describe('a header that can change the method or the target of a request', () => {
  const names = [
    ...['X-HTTP-Method-Override', 'x_http_method_override', 'X-HTTP-Method', 'X-Method-Override'],
    ...['X-Method', '_method', 'HTTP-Method', 'X-HTTP-Verb', 'Override', 'X-HTTPMethodOverride'],
    ...['Host', 'X-Forwarded-Host', 'X-Host', 'X-Original-Host', 'X-HTTP-Host-Override'],
    ...['Forwarded', 'X-Forwarded-Server', 'X-Forwarded-Proto', 'X-Forwarded-Prefix'],
    ...['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Uri', 'X-Envoy-Original-Path'],
    ...['X-URI', 'X-Proxy-Url', 'Destination', 'Novu-Environment-Id', 'X-Organization-Id'],
    ...['Content-Length', 'Transfer-Encoding', 'Connection', 'Proxy-Connection', 'Upgrade', 'TE'],
  ];

  it.each(names)('(%s) is refused for every method, without a request', async (name) => {
    const { svc } = await openRig();
    for (const words of [
      ['GET', '/v2/topics/announcements', '--read-only'],
      ['GET', '/v2/topics/announcements', '--dry-run'],
      ['DELETE', '/v2/topics/announcements', '--yes'],
    ]) {
      const header = ['-H', 'X-Trace: 1', '-H', ` ${name} : DELETE`];
      const { code, stderr, requests } = await svc(['api', ...words, ...header]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain(
        `-H: ${name.toLowerCase()} cannot be set, because it can change the method or the target of the request.`,
      );
    }
  });

  it.each(['X-Mine', 'X-Forwarded-For', 'Accept-Language', 'X-Security-Token', 'Cache-Control'])(
    'is not %s',
    async (name) => {
      const { svc } = await openRig();
      const { requests } = await svc(['api', 'GET', '/v2/topics', '-H', `${name}: a`]);
      expect(requests[0]?.headers).toMatchObject({ [name.toLowerCase()]: 'a' });
    },
  );
});
