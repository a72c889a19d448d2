import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const login = ['login', '--base-url', `${baseUrl}/v1/`, '--with-key'];

describe('svc login', () => {
  it('verifies the key, stores it and prints the environment', async () => {
    const { svc, folder } = await openRig({ bare: true });
    const { stdout, stderr, code, requests } = await svc([...login, '--profile', 'main'], {
      stdin: `${testKey}\n`,
      tty: true,
    });
    expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Logged in to http://sandbox.localhost, environment Development, as profile main.
        The server has version 3.11.0.
      ",
      }
    `);
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v1/environments',
      'GET /v1/health-check',
    ]);
    expect(JSON.parse(readFileSync(path.join(folder, 'config/config.json'), 'utf8'))).toEqual({
      current: 'main',
      settings: {},
      profiles: {
        main: {
          baseUrl,
          key: testKey,
          keySource: 'file',
          environment: 'Development',
          environmentId: expect.stringMatching(/^[0-9a-f]{24}$/),
          environmentType: 'dev',
          serviceVersion: '3.11.0',
        },
      },
    });
    expect((await svc(['topics', 'list'])).code).toBe(0);
  });

  it('names the profile after the environment and prints JSON without the key', async () => {
    const { svc } = await openRig({ bare: true });
    const { stdout } = await svc([...login, '--json'], { stdin: testKey });
    expect(JSON.parse(stdout)).toEqual({
      profile: 'development',
      baseUrl,
      environment: 'Development',
      keySource: 'file',
      current: true,
      serviceVersion: '3.11.0',
    });
    expect(stdout).not.toContain(testKey);
    expect((await svc([...login, '--profile', 'two'], { stdin: testKey })).stdout).toContain(
      'profile\ttwo\n',
    );
  });

  it.each([
    [
      'a missing base URL',
      ['login', '--with-key'],
      testKey,
      'The base URL of the service is missing',
    ],
    ['a missing key', ['login', '--base-url', baseUrl], '', 'The API key is missing'],
    ['a key of two lines', login, 'a\nb', 'does not contain a valid API key'],
    [
      'plain HTTP to another machine',
      ['login', '--base-url', 'http://example.com', '--with-key'],
      testKey,
      'is not encrypted',
    ],
  ])('rejects %s before sending a request', async (_name, argv, stdin, message) => {
    const { svc } = await openRig({ bare: true });
    const { code, stderr, requests } = await svc(argv, { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });

  it.each([
    ['localhost:4400', 'http://localhost:4400'],
    ['127.0.0.1:4400', 'http://127.0.0.1:4400'],
    ['api.example.com', 'https://api.example.com'],
    ['api.example.com:8443/eu', 'https://api.example.com:8443/eu'],
  ])('suggests a scheme for %s', async (entered, suggested) => {
    const { svc } = await openRig({ bare: true });
    const line = ['login', '--base-url', entered, '--with-key'];
    const { code, stderr, requests } = await svc(line, { stdin: testKey });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`is not a valid URL: \`${entered}\`. Did you mean ${suggested}?\n`);
  });

  it('keeps a sandbox profile a sandbox, with its key in the configuration file', async () => {
    const { svc } = await openSandboxRig();
    await svc(['logout']);
    const loginAgain = ['login', '--profile', 'sandbox', '--with-key'];
    expect((await svc([...loginAgain, '--keychain'], { stdin: testKey })).stderr).toContain(
      'The key of a sandbox is always stored in the configuration file',
    );
    expect((await svc(loginAgain, { stdin: testKey })).code).toBe(0);
    expect((await svc(['sandbox', 'status', '--jq', '.running'])).stdout).toBe('true\n');
  });

  it('does not suggest another login or a profile that does not exist', async () => {
    const { svc, answer } = await openRig({ bare: true });
    const { stderr } = await svc(login, { stdin: 'f'.repeat(32) });
    expect(stderr).toContain('Nothing was stored. Check that the key is complete');
    expect(stderr).not.toContain('svc login');
    answer(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    const refused = await svc([...login, '--retries', '0'], { stdin: testKey });
    expect(refused.stderr).toContain('Start the service, or check the base URL.\n');
  });

  it.each([
    ['US', 'https://api.novu.co', 'EU', 'https://eu.api.novu.co'],
    ['EU', 'https://eu.api.novu.co', 'US', 'https://api.novu.co'],
  ])('names the other region for a key that %s rejects', async (own, address, other, url) => {
    const { svc, answer } = await openRig({ bare: true });
    answer(unauthorized, unauthorized);
    const region = ['--base-url', `${address}/v1`];
    const { code, stderr } = await svc(['login', ...region, '--with-key'], { stdin: testKey });
    expect(code).toBe(4);
    const remedy = `Check that the key is complete and belongs to Novu Cloud, ${own}. A key of Novu Cloud, ${other} is valid at ${url} only.\n  svc login --base-url ${url}\n`;
    expect(stderr).toContain(`\nNothing was stored. ${remedy}`);
    const listed = await svc(['topics', 'list', ...region], { env: { SVC_API_KEY: testKey } });
    expect(listed.stderr).toContain(`\n${remedy}`);
  });

  it('reads the key from standard input with --api-key-file -', async () => {
    const { svc } = await openRig({ bare: true });
    const line = ['login', '--base-url', baseUrl, '--profile', 'main', '--api-key-file', '-'];
    expect((await svc(line, { stdin: `${testKey}\n` })).code).toBe(0);
    expect((await svc(['topics', 'list'])).code).toBe(0);
    const { code, stderr, requests } = await svc(line, { stdin: '' });
    expect({ code, requests }).toEqual({ code: 4, requests: [] });
    expect(stderr).toContain('Standard input');
  });

  it('stores nothing when the service rejects the key', async () => {
    const { svc } = await openRig({ bare: true });
    expect((await svc(login, { stdin: 'f'.repeat(32) })).code).toBe(4);
    expect((await svc(['profiles', 'list', '--json'])).stdout).toBe('[]\n');
  });
});

describe('svc logout', () => {
  it('removes the key and keeps the address', async () => {
    const { svc } = await openRig({ bare: true });
    await svc(login, { stdin: testKey });
    expect((await svc(['logout'], { tty: true })).stdout).toBe(
      'Removed the key of profile development. The key is still valid at the service.\n',
    );
    expect(JSON.parse((await svc(['profiles', 'show', '--json'])).stdout)).toMatchObject({
      name: 'development',
      keySource: 'none',
    });
    const { code, stderr } = await svc(['topics', 'list']);
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 4,
        "stderr": "Error: Profile development has no API key for http://sandbox.localhost.
        svc login --profile development
      ",
      }
    `);
    expect(JSON.parse((await svc(['logout', '--json'])).stdout)).toEqual({
      profile: 'development',
      loggedOut: true,
    });
    expect((await svc(['logout'])).stdout).toBe('profile\tdevelopment\nloggedOut\ttrue\n');
  });

  it('is a usage error without a profile', async () => {
    const { svc } = await openRig({ bare: true });
    expect((await svc(['logout'])).code).toBe(2);
    expect((await svc(['logout', '--profile', 'nope'])).code).toBe(2);
  });
});

describe('svc whoami', () => {
  it('shows the effective settings and their sources', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['whoami'], { tty: true });
    expect(stdout).toMatch(/BASE URL FROM +SVC_BASE_URL\n/);
    expect(stdout).toMatch(/ENVIRONMENT +Development\n/);
    expect(JSON.parse((await svc(['whoami', '--json'])).stdout)).toMatchObject({
      baseUrl,
      keyFrom: 'SVC_API_KEY',
      profile: null,
    });
    expect((await svc(['whoami'])).stdout).toContain(`baseUrl\t${baseUrl}\n`);
  });

  it('names no profile if address and key come from variables, even if a profile is current', async () => {
    const { svc } = await openRig();
    expect((await svc([...login, '--profile', 'main'], { stdin: testKey })).code).toBe(0);
    expect((await svc(['profiles', 'use', 'main'])).code).toBe(0);
    expect(JSON.parse((await svc(['whoami', '--json'])).stdout)).toMatchObject({ profile: null });
  });

  it('exits with 4 without a service, before sending a request, and with a wrong key', async () => {
    const { svc } = await openRig({ bare: true });
    expect(await svc(['whoami'])).toMatchObject({ code: 4, requests: [] });
    expect(
      (await svc(['whoami'], { env: { SVC_BASE_URL: baseUrl, SVC_API_KEY: 'f'.repeat(32) } })).code,
    ).toBe(4);
  });

  it('reads the key from a file or standard input', async () => {
    const { svc } = await openRig({ bare: true });
    expect(
      (
        await svc(['whoami', '--base-url', baseUrl, '--api-key-file', '-'], {
          stdin: `${testKey}\n`,
        })
      ).code,
    ).toBe(0);
  });
});

describe('the version of the server', () => {
  const health = (version: unknown) => ({
    status: 200,
    body: { data: { status: 'ok', info: { apiVersion: { version, status: 'up' } } } },
  });
  const stored = { SVC_BASE_URL: '', SVC_API_KEY: '' };

  it.each([
    ['a version', health('3.19.0'), '3.19.0'],
    ['a version with a suffix', health('3.17.1-rc.2'), '3.17.1'],
    ['no version', health(undefined), null],
    ['a hostile version', health('\u001b[2J3.19.0'), null],
    ['an error', { status: 503, body: { message: 'down' } }, null],
    ['no such route', { status: 404, body: { message: 'Cannot GET /v1/health-check' } }, null],
    ['a page', { status: 200, text: '<html></html>' }, null],
  ])(
    'is stored at login and shown by whoami if the health check has %s',
    async (_name, answer, version) => {
      const { svc, answerBy } = await openRig({ bare: true });
      answerBy(({ url }) => (url.pathname === '/v1/health-check' ? answer : undefined));
      const { code, stdout, slept } = await svc([...login, '--json'], { stdin: testKey });
      expect({ code, slept, ...JSON.parse(stdout) }).toMatchObject({
        code: 0,
        slept: 0,
        serviceVersion: version,
      });
      const who = await svc(['whoami', '--json']);
      expect(who.requests.map(({ line }) => line)).toEqual(['GET /v1/environments']);
      expect(JSON.parse(who.stdout)).toMatchObject({ serviceVersion: version });
      const given = { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey };
      expect(
        JSON.parse((await svc(['whoami', '--json'], { env: given })).stdout).serviceVersion,
      ).toBeNull();
    },
  );

  it('is read again by doctor, which says what the server restricts and lacks', async () => {
    const { svc, answerBy } = await openRig({ bare: true });
    let version = '3.12.0';
    answerBy(({ url }) => (url.pathname === '/v1/health-check' ? health(version) : undefined));
    await svc(login, { stdin: testKey });
    const check = async () =>
      JSON.parse((await svc(['doctor', '--json'], { env: stored })).stdout).find(
        ({ name }: { name: string }) => name === 'server',
      );
    expect(await check()).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^version 3\.12\.0; does not offer: .*environment variables/),
    });
    version = '3.19.2';
    expect(await check()).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(
        /^version 3\.19\.2; restricts: .*credentials of integrations are not readable/,
      ),
    });
    expect(JSON.parse((await svc(['whoami', '--json'])).stdout).serviceVersion).toBe('3.19.2');
    version = '4.0.0';
    expect(await check()).toMatchObject({
      status: 'warning',
      fix: 'svc is verified with servers 3.11.0 to 3.19.0.',
    });
    version = '3.9.1';
    expect(await check()).toMatchObject({ status: 'warning' });
  });
});
