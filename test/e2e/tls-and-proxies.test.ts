// What stands between this machine and the service: certificates and proxies, with both engines of the built
// program. `service.test` is a name that only the proxy knows.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { authorityFile, certificateFile } from '../support/certificates.ts';
import { openProxy } from '../support/connect-proxy.ts';
import { testKey } from '../support/fixed.ts';
import { json, nothing, openService } from '../support/service.ts';

const one = ['topics', 'list', '--retries', '0', '--timeout', '5s'];
const many = [...one, '--all'];

/** The address of a service on loopback under a name that is not. */
const remote = (baseUrl: string) => baseUrl.replace('127.0.0.1', 'service.test');

/** What both engines do with a command line; they must agree. */
async function both(env: NodeJS.ProcessEnv, more: readonly string[] = []) {
  const home = openHome();
  const variables = { SVC_API_KEY: testKey, ...env };
  const [plain, bulky] = await Promise.all(
    [one, many].map((line) => home.svc([...line, ...more], { env: variables })),
  );
  expect(bulky).toEqual(plain);
  return plain;
}

const done = { code: 0, stdout: '', stderr: '' };

describe('a service behind TLS', () => {
  it.each([
    ['of an authority named by --ca-file', 'good', authorityFile],
    ['self-signed and named by --ca-file itself', 'self-signed', certificateFile('self-signed')],
  ] as const)('is reached with a certificate %s', async (_name, certificate, caFile) => {
    const { env, seen } = await openService(nothing, certificate);
    expect(await both(env, ['--ca-file', caFile])).toEqual(done);
    expect(await both({ ...env, SVC_CA_FILE: caFile })).toEqual(done);
    expect(seen).toHaveLength(4);
  });

  it.each([
    [
      'good',
      'its certificate comes from an unknown authority',
      'Trust that authority with --ca-file <pem>.',
      undefined,
    ],
    [
      'self-signed',
      'its certificate is self-signed',
      'Trust it with --ca-file <pem>.',
      authorityFile,
    ],
    [
      'expired',
      'its certificate has expired',
      'Renew the certificate of the service.',
      authorityFile,
    ],
    [
      'other-host',
      'its certificate is for another host',
      'Use the host name that the certificate names.',
      authorityFile,
    ],
  ] as const)('with the certificate `%s`: %s', async (certificate, what, hint, caFile) => {
    const { env, baseUrl, seen } = await openService(nothing, certificate);
    expect(await both({ ...env, SVC_CA_FILE: caFile })).toEqual({
      code: 7,
      stdout: '',
      stderr: `Error: ${baseUrl} cannot be reached: ${what}\n  (/v2/topics)\n${hint}\n`,
    });
    expect(seen).toEqual([]);
  });

  it('that speaks plain HTTP is told from one that speaks TLS', async () => {
    const { baseUrl } = await openService(nothing);
    const secure = baseUrl.replace('http:', 'https:');
    expect(await both({ SVC_BASE_URL: secure })).toEqual({
      code: 7,
      stdout: '',
      stderr: `Error: ${secure} cannot be reached: it does not speak TLS\n  (/v2/topics)\nCheck whether the base URL should begin with http://.\n`,
    });
  });

  it('that is spoken to with http:// makes svc ask for https://', async () => {
    const { baseUrl, seen } = await openService(nothing, 'good');
    const home = openHome();
    const env = { SVC_BASE_URL: baseUrl.replace('https:', 'http:'), SVC_API_KEY: testKey };
    for (const { code, stderr } of await Promise.all(
      [one, many].map((line) => home.svc(line, { env })),
    )) {
      expect(code).toBe(7);
      expect(stderr).toMatch(/cannot be reached: the connection was (reset|closed)/);
      expect(stderr).toContain('Check whether the base URL should begin with https://.');
    }
    expect(seen).toEqual([]);
  });

  it('is not contacted if --ca-file does not contain a certificate', async () => {
    const { env, seen } = await openService(nothing, 'good');
    const file = certificateFile('good').replace('.pem', '.key');
    expect(await both({ ...env, SVC_CA_FILE: file })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--ca-file: ${file} does not contain a PEM certificate.`),
    });
    expect(seen).toEqual([]);
  });
});

describe('http:// beyond this machine', () => {
  it('needs --insecure-http, and is then proxied too', async () => {
    const { baseUrl, seen } = await openService(nothing);
    const proxy = await openProxy();
    const env = { SVC_BASE_URL: remote(baseUrl), HTTP_PROXY: proxy.url };
    expect(await both(env)).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: ${remote(baseUrl)} is not encrypted: the API key could be read in transit.\nUse https://, or allow http:// with --insecure-http.\n`,
    });
    expect({ asked: proxy.asked, seen }).toEqual({ asked: [], seen: [] });
    expect(await both({ ...env, SVC_INSECURE_HTTP: '1' })).toEqual(done);
    expect(await both(env, ['--insecure-http'])).toEqual(done);
    expect(seen).toHaveLength(4);
    expect(proxy.asked).toHaveLength(4);
  });
});

describe('a proxy', () => {
  const trusting = { SVC_CA_FILE: authorityFile };

  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])(
    'named by %s leads to a service with a private authority, and never sees the key',
    async (variable) => {
      const { baseUrl, seen } = await openService(nothing, 'good');
      const { url, asked } = await openProxy();
      const login = url.replace('//', '//us%40er:sesame@');
      const env = { ...trusting, SVC_BASE_URL: remote(baseUrl), [variable]: login };
      expect(await both(env)).toEqual(done);
      const target = new URL(remote(baseUrl)).host;
      const header = `Basic ${Buffer.from('us@er:sesame').toString('base64')}`;
      expect(asked).toEqual([
        { target, login: header },
        { target, login: header },
      ]);
      expect(seen.map(({ headers }) => headers.authorization)).toEqual(
        Array(2).fill(`ApiKey ${testKey}`),
      );
      expect(seen.some(({ headers }) => 'proxy-authorization' in headers)).toBe(false);
    },
  );

  it('that speaks TLS itself is checked with --ca-file too', async () => {
    const { baseUrl, seen } = await openService(nothing, 'good');
    const { url } = await openProxy({ certificate: 'good' });
    const env = { SVC_BASE_URL: remote(baseUrl), HTTPS_PROXY: url };
    expect(await both({ ...env, ...trusting })).toEqual(done);
    expect(seen).toHaveLength(2);
    expect(await both(env)).toMatchObject({
      code: 7,
      stderr: `Error: The proxy ${url} cannot be reached: its certificate comes from an unknown authority\n  (/v2/topics)\nTrust that authority with --ca-file <pem>.\n`,
    });
  });

  it.each([
    ['good', 'its certificate comes from an unknown authority', undefined],
    ['self-signed', 'its certificate is self-signed', authorityFile],
    ['expired', 'its certificate has expired', authorityFile],
    ['other-host', 'its certificate is for another host', authorityFile],
  ] as const)(
    'does not stand in for the certificate of the service, `%s`: %s',
    async (certificate, what, caFile) => {
      const { baseUrl, seen } = await openService(nothing, certificate);
      const { url, asked } = await openProxy();
      const env = { SVC_BASE_URL: remote(baseUrl), HTTPS_PROXY: url, SVC_CA_FILE: caFile };
      expect(await both(env)).toMatchObject({
        code: 7,
        stderr: expect.stringContaining(`Error: ${remote(baseUrl)} cannot be reached: ${what}\n`),
      });
      expect({ asked: asked.length, seen }).toEqual({ asked: 2, seen: [] });
    },
  );

  it('carries an import', async () => {
    const { baseUrl, seen } = await openService((_seen, response) => {
      json(response, 201, { created: [{ subscriberId: 'a' }], updated: [], failed: [] });
    }, 'good');
    const { port, asked } = await openProxy();
    const home = openHome();
    writeFileSync(path.join(home.folder, 'users.csv'), 'subscriberId\na\n');
    const env = { ...trusting, SVC_BASE_URL: remote(baseUrl), SVC_API_KEY: testKey };
    const line = ['subscribers', 'bulk-import', 'users.csv', '--json'];
    const { code } = await home.svc(line, { env: { ...env, HTTPS_PROXY: `localhost:${port}` } });
    expect({ code, asked: asked.length, seen: seen.length }).toEqual({
      code: 0,
      asked: 1,
      seen: 1,
    });
  });

  it.each([
    [407, 'Put user name and password into HTTPS_PROXY: http://user:password@host:port.'],
    [403, 'Check HTTPS_PROXY, or name the service in NO_PROXY.'],
    [502, 'Check HTTPS_PROXY, or name the service in NO_PROXY.'],
  ])('that answers CONNECT with %i is named, without its password', async (refuse, hint) => {
    const { baseUrl, seen } = await openService(nothing, 'good');
    const { url } = await openProxy({ refuse });
    const HTTPS_PROXY = url.replace('//', '//user:sesame@');
    const env = { ...trusting, SVC_BASE_URL: remote(baseUrl), HTTPS_PROXY };
    expect(await both(env)).toEqual({
      code: 7,
      stdout: '',
      stderr: `Error: The proxy ${url} refused the connection to ${remote(baseUrl)}: status ${refuse}\n  (/v2/topics)\n${hint}\n`,
    });
    expect(seen).toEqual([]);
    const { stderr } = await openHome().svc([...one, '--debug=body'], {
      env: { SVC_API_KEY: testKey, ...env },
    });
    expect(stderr).not.toMatch(/sesame|dXNlcjpzZXNhbWU/);
  });

  it.each([
    ['nothing listens there', 'http://user:sesame@localhost:9'],
    ['the host name is unknown', 'http://user:sesame@nowhere.invalid:3128'],
  ])('is blamed, not the service, when %s', async (what, HTTPS_PROXY) => {
    const env = { SVC_BASE_URL: 'https://service.test', HTTPS_PROXY };
    expect(await both(env)).toEqual({
      code: 7,
      stdout: '',
      stderr: `Error: The proxy ${HTTPS_PROXY.replace('user:sesame@', '')} cannot be reached: ${what}\n  (/v2/topics)\nCheck HTTPS_PROXY, or name the service in NO_PROXY.\n`,
    });
  });
});
