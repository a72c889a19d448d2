// Which requests of the built program go through a proxy, and what becomes of them when it never connects.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { authorityFile } from '../support/certificates.ts';
import { openProxy } from '../support/connect-proxy.ts';
import { testKey } from '../support/fixed.ts';
import { openRawServer } from '../support/raw-server.ts';
import { nothing, openService } from '../support/service.ts';

const line = ['topics', 'list', '--retries', '0', '--timeout', '5s'];
const engines = [line, [...line, '--all']];
const base = { SVC_API_KEY: testKey, SVC_CA_FILE: authorityFile };

describe('without the proxy', () => {
  it.each(['http://127.0.0.1', 'http://localhost', 'https://127.0.0.1', 'https://localhost'])(
    'loopback is reached: %s',
    async (origin) => {
      const secure = origin.startsWith('https:');
      const { baseUrl, seen } = await openService(nothing, secure ? 'good' : undefined);
      const proxy = await openProxy();
      const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url };
      const env = { ...base, ...proxies, SVC_BASE_URL: `${origin}:${new URL(baseUrl).port}` };
      const home = openHome();
      const ends = await Promise.all(engines.map((one) => home.svc(one, { env })));
      expect(ends.map(({ code }) => code)).toEqual([0, 0]);
      expect({ seen: seen.length, asked: proxy.asked }).toEqual({ seen: 2, asked: [] });
    },
  );

  // The name is unknown to this machine, so that only a proxy can lead there.
  it.each([
    ['NO_PROXY', '*', false],
    ['no_proxy', 'service.test', false],
    ['NO_PROXY', '.test', false],
    ['NO_PROXY', 'example.com, *.service.test SERVICE.TEST:4443', false],
    ['NO_PROXY', 'service.test:4444', true],
    ['NO_PROXY', 'vice.test', true],
    ['NO_PROXY', '10.0.0.0/8', true],
    ['NO_PROXY', '', true],
  ])('%s=%s: proxied is %s for service.test:4443', async (variable, value, proxied) => {
    const proxy = await openProxy({ refuse: 403 });
    const env = { ...base, SVC_BASE_URL: 'https://service.test:4443', HTTPS_PROXY: proxy.url };
    const home = openHome();
    const ends = await Promise.all(
      engines.map((one) => home.svc(one, { env: { ...env, [variable]: value } })),
    );
    const what = proxied ? 'refused the connection' : 'the host name is unknown';
    for (const { stderr } of ends) expect(stderr).toContain(what);
    expect(proxy.asked).toHaveLength(proxied ? 2 : 0);
  });

  it('an https:// service is reached when only HTTP_PROXY is set', async () => {
    const proxy = await openProxy({ refuse: 403 });
    const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTP_PROXY: proxy.url };
    const { stderr } = await openHome().svc(line, { env });
    expect(stderr).toContain('https://service.test cannot be reached: the host name is unknown');
    expect(proxy.asked).toEqual([]);
  });
});

describe('a proxy that does not work', () => {
  it('ends within the time of --timeout when it never answers', async () => {
    const proxy = await openProxy({ hang: true });
    const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTPS_PROXY: proxy.url };
    const home = openHome();
    const began = Date.now();
    const { code, stderr } = await home.svc([...line, '--timeout', '500ms'], { env });
    expect(Date.now() - began).toBeLessThan(5_000);
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: `Error: https://service.test did not answer GET /v2/topics within 0.5 s, asked through the proxy ${proxy.url}\n  (/v2/topics)\nTry again, or give it longer with --timeout.\n`,
    });
  });

  it('that hangs up is asked once an attempt, not in a storm', async () => {
    let connections = 0;
    const { baseUrl } = await openRawServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTPS_PROXY: baseUrl };
    const { code, stderr } = await openHome().svc(line, { env });
    expect({ code, connections }).toEqual({ code: 7, connections: 1 });
    expect(stderr).toContain(`The proxy ${baseUrl} cannot be reached: the connection was reset`);
  });

  it.each([
    'http://user:sesame@',
    'socks5://user:sesame@localhost:1080',
    'http://user:sesame%@localhost:1',
  ])('ends with 2 before any request, without its password: %s', async (HTTPS_PROXY) => {
    const env = { ...base, SVC_BASE_URL: 'https://service.test', HTTPS_PROXY };
    expect(await openHome().svc([...line, '--debug'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: HTTPS_PROXY is not the URL of an HTTP proxy.\nUse a URL such as http://proxy.example.com:3128, or http://user:password@proxy.example.com:3128.\n',
    });
  });
});
