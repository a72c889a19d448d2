// A key is sent only to the origin it was saved with. The program runs against servers that record all requests.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testKey } from '../support/fixed.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { json, nothing, openService, type Seen } from '../support/service.ts';

const otherKey = 'e'.repeat(32);

/** Opens a home whose current profile, `main`, has the test key for this address. */
function openLoggedIn(baseUrl: string) {
  const home = openNetworkRig();
  const folder = path.join(home.folder, '.config', 'svc');
  mkdirSync(folder, { recursive: true });
  const main = { baseUrl, key: testKey, keySource: 'file' };
  writeFileSync(
    path.join(folder, 'config.json'),
    JSON.stringify({ current: 'main', profiles: { main } }),
  );
  return home;
}

const list = ['topics', 'list', '--retries', '0'];
/** One command for each transport. */
const bothTransports = [list, [...list, '--all']];
const sentKeys = (seen: readonly Seen[]) => seen.map(({ headers }) => headers.authorization);

describe('the key of a profile', () => {
  it('is sent to the address it was saved with, also if that address is given explicitly', async () => {
    const { baseUrl, seen } = await openService(nothing);
    const home = openLoggedIn(`${baseUrl}/notify`);
    const spellings = [`${baseUrl}/notify`, `${baseUrl}/notify/`, `${baseUrl}/notify/v1`, ''];
    const results = await Promise.all([
      ...spellings.map((SVC_BASE_URL) => home.svc(list, { env: { SVC_BASE_URL } })),
      ...bothTransports.map((line) => home.svc([...line, '--base-url', `${baseUrl}/notify`])),
    ]);
    expect(results.map(({ code }) => code)).toEqual(Array(6).fill(0));
    expect(new Set(seen.map(({ target }) => target.split('?')[0]))).toEqual(
      new Set(['/notify/v2/topics']),
    );
    expect(sentKeys(seen)).toEqual(Array(6).fill(`ApiKey ${testKey}`));
  });

  it.each([
    ['host', (url: URL) => url.href.replace('127.0.0.1', 'localhost')],
    ['spelling of the host', (url: URL) => url.href.replace('127.0.0.1', '127.0.0.2')],
    ['scheme', (url: URL) => url.href.replace('http:', 'https:')],
    ['path prefix', (url: URL) => `${url.origin}/other`],
    ['path prefix below', (url: URL) => `${url.href}/more`],
    ['path without prefix', (url: URL) => url.origin],
    ['spelling of the prefix', (url: URL) => `${url.origin}/Notify`],
  ])(
    'is not sent to another %s: exits with 4 and a hint, before any request',
    async (_name, other) => {
      const { baseUrl, seen } = await openService(nothing);
      const home = openLoggedIn(`${baseUrl}/notify`);
      const address = other(new URL(`${baseUrl}/notify`)).replace(/\/$/, '');
      const expected = {
        code: 4,
        stdout: '',
        stderr: `Error: The key of profile main belongs to ${baseUrl}/notify and is not sent to ${address}.\nLog in to that address.\n  svc login --base-url ${address}\n`,
      };
      const results = await Promise.all([
        ...bothTransports.map((line) => home.svc([...line, '--base-url', address])),
        home.svc(list, { env: { SVC_BASE_URL: address } }),
        home.svc([...list, '--profile', 'main', '--base-url', address]),
      ]);
      expect(results).toEqual(Array(4).fill(expected));
      expect(seen).toEqual([]);
    },
  );

  it('is not sent to another port', async () => {
    const own = await openService(nothing);
    const other = await openService(nothing);
    const home = openLoggedIn(own.baseUrl);
    const { code, stderr } = await home.svc([...list, '--base-url', other.baseUrl]);
    expect(code).toBe(4);
    expect(stderr).toContain(`belongs to ${own.baseUrl} and is not sent to ${other.baseUrl}.`);
    expect([...own.seen, ...other.seen]).toEqual([]);
  });
});

describe('a key from a variable or a file', () => {
  it('is not sent to the address of a profile', async () => {
    const { baseUrl, seen } = await openService(nothing);
    const home = openLoggedIn(baseUrl);
    const keyFile = path.join(home.folder, 'key');
    writeFileSync(keyFile, otherKey);
    const hint =
      'Also set the base URL (--base-url or SVC_BASE_URL), or use the key of the profile.\n';
    const from = (source: string) =>
      `Error: ${source} is given, but the base URL comes from profile main.\n${hint}`;
    const variable = { env: { SVC_API_KEY: otherKey } };
    const [mixed, named, file] = await Promise.all([
      home.svc(list, variable),
      home.svc(list, { env: { ...variable.env, SVC_PROFILE: 'main' } }),
      home.svc([...list, '--api-key-file', keyFile]),
    ]);
    expect(mixed).toEqual({ code: 4, stdout: '', stderr: from('SVC_API_KEY') });
    expect(named).toEqual({ code: 4, stdout: '', stderr: from('SVC_API_KEY') });
    expect(file).toEqual({ code: 4, stdout: '', stderr: from('--api-key-file') });
    expect(seen).toEqual([]);
  });

  it('is sent to the address that is given with it, and the profile is ignored', async () => {
    const own = await openService(nothing);
    const other = await openService(nothing);
    const home = openLoggedIn(own.baseUrl);
    const env = { SVC_API_KEY: otherKey };
    const { code } = await home.svc([...list, '--base-url', other.baseUrl], { env });
    expect({ code, own: own.seen }).toEqual({ code: 0, own: [] });
    expect(sentKeys(other.seen)).toEqual([`ApiKey ${otherKey}`]);
  });

  it('is ignored if the variable is empty: svc uses the key of the profile', async () => {
    const { baseUrl, seen } = await openService(nothing);
    const { code } = await openLoggedIn(baseUrl).svc(list, { env: { SVC_API_KEY: '' } });
    expect({ code, keys: sentKeys(seen) }).toEqual({ code: 0, keys: [`ApiKey ${testKey}`] });
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %i is not followed, neither to the same origin nor to another one',
    async (status) => {
      const elsewhere = await openService(nothing);
      const service = await openService(({ target }, response) => {
        const there = target.startsWith('/here') ? '/moved' : elsewhere.baseUrl;
        json(response, status, undefined, { location: `${there}/v2/topics?state=sesame` });
      });
      const home = openNetworkRig();
      const redirectError = (to: string, prefix = '') => ({
        code: 7,
        stdout: '',
        stderr: `Error: GET ${prefix}/v2/topics was redirected to ${to}/v2/topics\n  (status ${status}, ${prefix}/v2/topics)\nsvc does not follow redirects with an API key. If the service has moved, log in with its new base URL.\n`,
      });
      const here = { ...service.env, SVC_BASE_URL: `${service.baseUrl}/here` };
      const write = ['topics', 'rename', 'news', 'News', '--retries', '0'];
      const [first, second, local, writing] = await Promise.all([
        ...bothTransports.map((line) => home.svc(line, { env: service.env })),
        home.svc(list, { env: here }),
        home.svc(write, { env: service.env }),
      ]);
      expect([first, second]).toEqual(Array(2).fill(redirectError(elsewhere.baseUrl)));
      expect(local).toEqual(redirectError('/moved', '/here'));
      expect(writing?.code).toBe(7);
      expect(elsewhere.seen).toEqual([]);
      expect(service.seen.filter(({ target }) => target.startsWith('/moved'))).toEqual([]);
    },
  );
});

describe('a path given to `svc api`', () => {
  it.each<[string, number, string[]]>([
    ['//elsewhere.test/x', 2, []],
    ['http://elsewhere.test/x', 2, []],
    ['@elsewhere.test/x', 0, ['/notify/@elsewhere.test/x']],
    ['/../x', 2, []],
    ['/%2e%2e/x', 2, []],
    ['/.\t./x', 2, []],
    ['/\\elsewhere.test/x', 2, []],
    ['/\t/elsewhere.test/x', 2, []],
    ['/a?path=/../b', 0, ['/notify/a?path=/../b']],
  ])('(%j) cannot leave the base URL', async (target, code, targets) => {
    const { baseUrl, seen, env } = await openService(nothing);
    const SVC_BASE_URL = `${baseUrl}/notify`;
    const ran = await openNetworkRig().svc(['api', 'GET', target], {
      env: { ...env, SVC_BASE_URL },
    });
    expect({ code: ran.code, targets: seen.map((request) => request.target) }).toEqual({
      code,
      targets,
    });
  });
});
