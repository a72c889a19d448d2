// Certificates and proxies, with both transports of the built program. Only the proxy resolves the name `service.test`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { authorityFile, certificateFile } from '../support/certificates.ts';
import { openProxy } from '../support/connect-proxy.ts';
import { testKey } from '../support/fixed.ts';
import { json, nothing, openService } from '../support/service.ts';

const list = ['topics', 'list', '--retries', '0', '--timeout', '5s'];
const listAll = [...list, '--all'];

/** Replaces the loopback address by a host name, so that requests are not treated as local. */
const asRemote = (baseUrl: string) => baseUrl.replace('127.0.0.1', 'service.test');

/** Runs a listing with each transport, expects equal results and returns the result. */
async function runBoth(env: NodeJS.ProcessEnv, options: readonly string[] = []) {
  const home = openHome();
  const variables = { SVC_API_KEY: testKey, ...env };
  const [withHttp, withUndici] = await Promise.all(
    [list, listAll].map((line) => home.svc([...line, ...options], { env: variables })),
  );
  expect(withUndici).toEqual(withHttp);
  return withHttp;
}

const success = { code: 0, stdout: '', stderr: '' };

describe('a service behind TLS', () => {
  it.each([
    ['from an authority given with --ca-file', 'good', authorityFile],
    ['that is self-signed and given with --ca-file', 'self-signed', certificateFile('self-signed')],
  ] as const)('is reached with a certificate %s', async (_name, certificate, caFile) => {
    const { env, seen } = await openService(nothing, certificate);
    expect(await runBoth(env, ['--ca-file', caFile])).toEqual(success);
    expect(await runBoth({ ...env, SVC_CA_FILE: caFile })).toEqual(success);
    expect(seen).toHaveLength(4);
  });

  it.each([
    [
      'good',
      'its certificate is issued by an unknown certificate authority',
      'Trust the certificate authority with --ca-file <pem>.',
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
      'Use the host name in the certificate.',
      authorityFile,
    ],
  ] as const)(
    'is not reached with the certificate `%s`: %s',
    async (certificate, reason, hint, caFile) => {
      const { env, baseUrl, seen } = await openService(nothing, certificate);
      expect(await runBoth({ ...env, SVC_CA_FILE: caFile })).toEqual({
        code: 7,
        stdout: '',
        stderr: `Error: ${baseUrl} cannot be reached: ${reason}\n  (/v2/topics)\n${hint}\n`,
      });
      expect(seen).toEqual([]);
    },
  );

  it('is not reached if it only speaks plain HTTP, and the error says so', async () => {
    const { baseUrl } = await openService(nothing);
    const secure = baseUrl.replace('http:', 'https:');
    expect(await runBoth({ SVC_BASE_URL: secure })).toEqual({
      code: 7,
      stdout: '',
      stderr: `Error: ${secure} cannot be reached: it does not speak TLS\n  (/v2/topics)\nCheck whether the base URL should start with http://.\n`,
    });
  });

  it('is not reached with http://, and the error suggests https://', async () => {
    const { baseUrl, seen } = await openService(nothing, 'good');
    const home = openHome();
    const env = { SVC_BASE_URL: baseUrl.replace('https:', 'http:'), SVC_API_KEY: testKey };
    for (const { code, stderr } of await Promise.all(
      [list, listAll].map((line) => home.svc(line, { env })),
    )) {
      expect(code).toBe(7);
      expect(stderr).toMatch(/cannot be reached: the connection was (reset|closed)/);
      expect(stderr).toContain('Check whether the base URL should start with https://.');
    }
    expect(seen).toEqual([]);
  });

  it('gets no request if the file of --ca-file contains no certificate', async () => {
    const { env, seen } = await openService(nothing, 'good');
    const file = certificateFile('good').replace('.pem', '.key');
    expect(await runBoth({ ...env, SVC_CA_FILE: file })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--ca-file: ${file} does not contain a PEM certificate.`),
    });
    expect(seen).toEqual([]);
  });
});

describe('http:// to another machine', () => {
  it('requires --insecure-http and uses the proxy', async () => {
    const { baseUrl, seen } = await openService(nothing);
    const proxy = await openProxy();
    const env = { SVC_BASE_URL: asRemote(baseUrl), HTTP_PROXY: proxy.url };
    expect(await runBoth(env)).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: ${asRemote(baseUrl)} is not encrypted: the API key could be read in transit.\nUse https://, or allow http:// with --insecure-http.\n`,
    });
    expect({ asked: proxy.asked, seen }).toEqual({ asked: [], seen: [] });
    expect(await runBoth({ ...env, SVC_INSECURE_HTTP: '1' })).toEqual(success);
    expect(await runBoth(env, ['--insecure-http'])).toEqual(success);
    expect(seen).toHaveLength(4);
    expect(proxy.asked).toHaveLength(4);
  });
});

describe('a proxy', () => {
  const trusting = { SVC_CA_FILE: authorityFile };

  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])(
    'from %s connects to a service with a private authority and never receives the key',
    async (variable) => {
      const { baseUrl, seen } = await openService(nothing, 'good');
      const { url, asked } = await openProxy();
      const urlWithLogin = url.replace('//', '//us%40er:sesame@');
      const env = { ...trusting, SVC_BASE_URL: asRemote(baseUrl), [variable]: urlWithLogin };
      expect(await runBoth(env)).toEqual(success);
      const target = new URL(asRemote(baseUrl)).host;
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

  it('with an https:// address is also verified with --ca-file', async () => {
    const { baseUrl, seen } = await openService(nothing, 'good');
    const { url } = await openProxy({ certificate: 'good' });
    const env = { SVC_BASE_URL: asRemote(baseUrl), HTTPS_PROXY: url };
    expect(await runBoth({ ...env, ...trusting })).toEqual(success);
    expect(seen).toHaveLength(2);
    expect(await runBoth(env)).toMatchObject({
      code: 7,
      stderr: `Error: The proxy ${url} cannot be reached: its certificate is issued by an unknown certificate authority\n  (/v2/topics)\nTrust the certificate authority with --ca-file <pem>.\n`,
    });
  });

  it.each([
    ['good', 'its certificate is issued by an unknown certificate authority', undefined],
    ['self-signed', 'its certificate is self-signed', authorityFile],
    ['expired', 'its certificate has expired', authorityFile],
    ['other-host', 'its certificate is for another host', authorityFile],
  ] as const)(
    'does not disable the verification of the certificate of the service, `%s`: %s',
    async (certificate, reason, caFile) => {
      const { baseUrl, seen } = await openService(nothing, certificate);
      const { url, asked } = await openProxy();
      const env = { SVC_BASE_URL: asRemote(baseUrl), HTTPS_PROXY: url, SVC_CA_FILE: caFile };
      expect(await runBoth(env)).toMatchObject({
        code: 7,
        stderr: expect.stringContaining(
          `Error: ${asRemote(baseUrl)} cannot be reached: ${reason}\n`,
        ),
      });
      expect({ asked: asked.length, seen }).toEqual({ asked: 2, seen: [] });
    },
  );

  it('is used by an import', async () => {
    const { baseUrl, seen } = await openService((_seen, response) => {
      json(response, 201, { created: [{ subscriberId: 'a' }], updated: [], failed: [] });
    }, 'good');
    const { port, asked } = await openProxy();
    const home = openHome();
    writeFileSync(path.join(home.folder, 'users.csv'), 'subscriberId\na\n');
    const env = { ...trusting, SVC_BASE_URL: asRemote(baseUrl), SVC_API_KEY: testKey };
    const line = ['subscribers', 'bulk-import', 'users.csv', '--json'];
    const { code } = await home.svc(line, { env: { ...env, HTTPS_PROXY: `localhost:${port}` } });
    expect({ code, asked: asked.length, seen: seen.length }).toEqual({
      code: 0,
      asked: 1,
      seen: 1,
    });
  });

  it.each([
    [407, 'Add the user name and password to HTTPS_PROXY: http://user:password@host:port.'],
    [403, 'Check HTTPS_PROXY, or add the host of the service to NO_PROXY.'],
    [502, 'Check HTTPS_PROXY, or add the host of the service to NO_PROXY.'],
  ])(
    'that responds to CONNECT with %i is named in the error, without its password',
    async (refuse, hint) => {
      const { baseUrl, seen } = await openService(nothing, 'good');
      const { url } = await openProxy({ refuse });
      const HTTPS_PROXY = url.replace('//', '//user:sesame@');
      const env = { ...trusting, SVC_BASE_URL: asRemote(baseUrl), HTTPS_PROXY };
      expect(await runBoth(env)).toEqual({
        code: 7,
        stdout: '',
        stderr: `Error: The proxy ${url} rejected the connection to ${asRemote(baseUrl)}: status ${refuse}\n  (/v2/topics)\n${hint}\n`,
      });
      expect(seen).toEqual([]);
      const { stderr } = await openHome().svc([...list, '--debug=body'], {
        env: { SVC_API_KEY: testKey, ...env },
      });
      expect(stderr).not.toMatch(/sesame|dXNlcjpzZXNhbWU/);
    },
  );

  it.each([
    ['the connection was refused', 'http://user:sesame@localhost:9'],
    ['the host name is unknown', 'http://user:sesame@nowhere.invalid:3128'],
  ])('is named in the error, not the service, if %s', async (reason, HTTPS_PROXY) => {
    const env = { SVC_BASE_URL: 'https://service.test', HTTPS_PROXY };
    expect(await runBoth(env)).toEqual({
      code: 7,
      stdout: '',
      stderr: `Error: The proxy ${HTTPS_PROXY.replace('user:sesame@', '')} cannot be reached: ${reason}\n  (/v2/topics)\nCheck HTTPS_PROXY, or add the host of the service to NO_PROXY.\n`,
    });
  });
});
