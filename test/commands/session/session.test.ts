import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig } from '../../support/rig.ts';
import { openSandboxRig } from '../sandbox/sandbox-rig.ts';

const login = ['login', '--base-url', `${baseUrl}/v1/`, '--with-key'];

describe('svc login', () => {
  it('verifies the key, stores it and names the environment', async () => {
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
      ",
      }
    `);
    expect(requests.map(({ line }) => line)).toEqual(['GET /v1/environments']);
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
        },
      },
    });
    expect((await svc(['topics', 'list'])).code).toBe(0);
  });

  it('names the profile after the environment, and gives data without the key', async () => {
    const { svc } = await openRig({ bare: true });
    const { stdout } = await svc([...login, '--json'], { stdin: testKey });
    expect(JSON.parse(stdout)).toEqual({
      profile: 'development',
      baseUrl,
      environment: 'Development',
      keySource: 'file',
      current: true,
    });
    expect(stdout).not.toContain(testKey);
    expect((await svc([...login, '--profile', 'two'], { stdin: testKey })).stdout).toContain(
      'profile\ttwo\n',
    );
  });

  it.each([
    ['no address', ['login', '--with-key'], testKey, 'The base URL of the service is missing'],
    ['no key', ['login', '--base-url', baseUrl], '', 'The API key is missing'],
    ['a key of two lines', login, 'a\nb', 'does not contain a valid API key'],
    [
      'plain HTTP beyond this machine',
      ['login', '--base-url', 'http://example.com', '--with-key'],
      testKey,
      'is not encrypted',
    ],
  ])('refuses %s before it asks', async (_name, argv, stdin, said) => {
    const { svc } = await openRig({ bare: true });
    const { code, stderr, requests } = await svc(argv, { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(said);
  });

  it.each([
    ['localhost:4400', 'http://localhost:4400'],
    ['127.0.0.1:4400', 'http://127.0.0.1:4400'],
    ['api.example.com', 'https://api.example.com'],
    ['api.example.com:8443/eu', 'https://api.example.com:8443/eu'],
  ])('offers %s with its scheme', async (typed, meant) => {
    const { svc } = await openRig({ bare: true });
    const line = ['login', '--base-url', typed, '--with-key'];
    const { code, stderr, requests } = await svc(line, { stdin: testKey });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`is not a valid URL: \`${typed}\`. Did you mean ${meant}?\n`);
  });

  it('keeps the mark of a sandbox, whose key stays in the file', async () => {
    const { svc } = await openSandboxRig();
    await svc(['logout']);
    const again = ['login', '--profile', 'sandbox', '--with-key'];
    expect((await svc([...again, '--keychain'], { stdin: testKey })).stderr).toContain(
      'The key of a sandbox is always stored in the configuration file',
    );
    expect((await svc(again, { stdin: testKey })).code).toBe(0);
    expect((await svc(['sandbox', 'status', '--jq', '.running'])).stdout).toBe('true\n');
  });

  it('advises neither another login nor a profile that is not there', async () => {
    const { svc, answer } = await openRig({ bare: true });
    const { stderr } = await svc(login, { stdin: 'f'.repeat(32) });
    expect(stderr).toContain('Nothing was stored. Check that the key is whole');
    expect(stderr).not.toContain('svc login');
    answer(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    const refused = await svc([...login, '--retries', '0'], { stdin: testKey });
    expect(refused.stderr).toContain('Start the service, or check the base URL.\n');
  });

  it('reads the key from standard input with --api-key-file - too', async () => {
    const { svc } = await openRig({ bare: true });
    const line = ['login', '--base-url', baseUrl, '--profile', 'main', '--api-key-file', '-'];
    expect((await svc(line, { stdin: `${testKey}\n` })).code).toBe(0);
    expect((await svc(['topics', 'list'])).code).toBe(0);
    const { code, stderr, requests } = await svc(line, { stdin: '' });
    expect({ code, requests }).toEqual({ code: 4, requests: [] });
    expect(stderr).toContain('Standard input');
  });

  it('stores nothing when the service refuses the key', async () => {
    const { svc } = await openRig({ bare: true });
    expect((await svc(login, { stdin: 'f'.repeat(32) })).code).toBe(4);
    expect((await svc(['profiles', 'list', '--json'])).stdout).toBe('[]\n');
  });
});

describe('svc logout', () => {
  it('forgets the key and keeps the address', async () => {
    const { svc } = await openRig({ bare: true });
    await svc(login, { stdin: testKey });
    expect((await svc(['logout'], { tty: true })).stdout).toBe(
      'The key of profile development is forgotten. It stays valid at the service.\n',
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

  it('is refused when there is no profile', async () => {
    const { svc } = await openRig({ bare: true });
    expect((await svc(['logout'])).code).toBe(2);
    expect((await svc(['logout', '--profile', 'nope'])).code).toBe(2);
  });
});

describe('svc whoami', () => {
  it('says what holds and where it came from', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['whoami'], { tty: true });
    expect(stdout).toMatch(/baseUrlFrom +SVC_BASE_URL\n/);
    expect(stdout).toMatch(/environment +Development\n/);
    expect(JSON.parse((await svc(['whoami', '--json'])).stdout)).toMatchObject({
      baseUrl,
      keyFrom: 'SVC_API_KEY',
      profile: null,
    });
    expect((await svc(['whoami'])).stdout).toContain(`baseUrl\t${baseUrl}\n`);
  });

  it('is refused before it asks when nothing is chosen, and by the service with a wrong key', async () => {
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
