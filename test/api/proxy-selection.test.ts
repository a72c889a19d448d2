// Which requests use a proxy, and the errors if the proxy does not work.
import { describe, expect, it } from 'vitest';
import { authorityFile } from '../support/certificates.ts';
import { openProxy } from '../support/connect-proxy.ts';
import { testKey } from '../support/fixed.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { openRawServer } from '../support/raw-server.ts';
import { nothing, openService } from '../support/service.ts';

const line = ['topics', 'list', '--retries', '0', '--timeout', '5s'];
/** One command for each transport. */
const bothTransports = [line, [...line, '--all']];
const base = { SVC_API_KEY: testKey, SVC_CA_FILE: authorityFile };

describe('a direct connection', () => {
  it.each(['http://127.0.0.1', 'http://localhost', 'https://127.0.0.1', 'https://localhost'])(
    'is used for loopback: %s',
    async (origin) => {
      const isSecure = origin.startsWith('https:');
      const { baseUrl, seen } = await openService(nothing, isSecure ? 'good' : undefined);
      const proxy = await openProxy();
      const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url };
      const env = { ...base, ...proxies, SVC_BASE_URL: `${origin}:${new URL(baseUrl).port}` };
      const home = openNetworkRig();
      const results = await Promise.all(bothTransports.map((line) => home.svc(line, { env })));
      expect(results.map(({ code }) => code)).toEqual([0, 0]);
      expect({ seen: seen.length, asked: proxy.asked }).toEqual({ seen: 2, asked: [] });
    },
  );

  // This host name does not resolve on this machine, so only a proxy could connect to it.
  it.each([
    ['NO_PROXY', '*', false],
    ['no_proxy', 'service.test', false],
    ['NO_PROXY', '.test', false],
    ['NO_PROXY', 'example.com, *.service.test SERVICE.TEST:4443', false],
    ['NO_PROXY', 'service.test:4444', true],
    ['NO_PROXY', 'vice.test', true],
    ['NO_PROXY', '10.0.0.0/8', true],
    ['NO_PROXY', '', true],
  ])('or a proxy is used depending on %s=%s (proxy: %s)', async (variable, value, isProxied) => {
    const proxy = await openProxy({ refuse: 403 });
    const env = { ...base, SVC_BASE_URL: 'https://service.test:4443', HTTPS_PROXY: proxy.url };
    const home = openNetworkRig();
    const results = await Promise.all(
      bothTransports.map((line) => home.svc(line, { env: { ...env, [variable]: value } })),
    );
    const error = isProxied ? 'rejected the connection' : 'the host name is unknown';
    for (const { stderr } of results) expect(stderr).toContain(error);
    expect(proxy.asked).toHaveLength(isProxied ? 2 : 0);
  });

  it('is used for https:// if only HTTP_PROXY is set', async () => {
    const proxy = await openProxy({ refuse: 403 });
    const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTP_PROXY: proxy.url };
    const { stderr } = await openNetworkRig().svc(line, { env });
    expect(stderr).toContain('https://service.test cannot be reached: the host name is unknown');
    expect(proxy.asked).toEqual([]);
  });
});

describe('a proxy that does not work', () => {
  it('and never responds makes the command exit with 7 after --timeout', async () => {
    const proxy = await openProxy({ hang: true });
    const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTPS_PROXY: proxy.url };
    const home = openNetworkRig();
    const startedAt = Date.now();
    const { code, stderr } = await home.svc([...line, '--timeout', '500ms'], { env });
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: `Error: GET /v2/topics on https://service.test timed out after 0.5 s (through the proxy ${proxy.url})\n  (/v2/topics)\nTry again, or set a longer --timeout.\n`,
    });
  });

  it('and closes the connection gets one connection per attempt', async () => {
    let connections = 0;
    const { baseUrl } = await openRawServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTPS_PROXY: baseUrl };
    const { code, stderr } = await openNetworkRig().svc(line, { env });
    expect({ code, connections }).toEqual({ code: 7, connections: 1 });
    expect(stderr).toContain(`The proxy ${baseUrl} cannot be reached: the connection was reset`);
  });

  it.each([
    'http://user:sesame@',
    'socks5://user:sesame@localhost:1080',
    'http://user:sesame%@localhost:1',
  ])(
    'because its address is invalid makes the command exit with 2 and not print the password: %s',
    async (HTTPS_PROXY) => {
      const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTPS_PROXY };
      expect(await openNetworkRig().svc([...line, '--debug'], { env })).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'Error: HTTPS_PROXY is not the URL of an HTTP proxy.\nUse a URL such as http://proxy.example.com:3128, or http://user:password@proxy.example.com:3128.\n',
      });
    },
  );
});
