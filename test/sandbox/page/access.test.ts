// Who may see the page and use its forms.
import { describe, expect, test } from 'vitest';
import { key, noon, openSandbox } from '../open.ts';
import { openPage, origin, toText } from './open-page.ts';

const views = ['/', '/page/inbox', '/page/activity', '/page/live', '/page/nothing'];

describe('without a session', () => {
  test('every view is a short page that names the command', async () => {
    const { get } = await openPage();
    for (const path of views) {
      const { status, text } = await get(path, {});
      expect(status).toBe(403);
      expect(text).toContain('svc sandbox open');
      expect(text).not.toContain('Ada');
      expect(text.length).toBeLessThan(2_000);
    }
  });

  test('the API key does not open the page, and a wrong cookie does not either', async () => {
    const { get } = await openPage();
    for (const headers of [
      { authorization: `ApiKey ${key}` },
      { cookie: `svc_page_4400=${key}` },
      { cookie: 'svc_page_4400=' },
    ])
      expect((await get('/', headers)).status).toBe(403);
  });

  test('the form of the clock is rejected', async () => {
    const { post, token, store } = await openPage();
    const before = store.clock.now();
    expect((await post('/page/clock', { token, advance: '60000' }, { origin })).status).toBe(403);
    expect(store.clock.now()).toBe(before);
  });
});

describe('a link', () => {
  test('is created only with an API key', async () => {
    const { ask } = await openPage();
    expect((await ask('POST /__sandbox/page', {}, { authorization: '' })).status).toBe(401);
    const { status, body } = await ask('POST /__sandbox/page');
    expect(status).toBe(200);
    expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:4400\/page\/open\?link=[\w-]{22}$/);
  });

  test('starts a session with a cookie of 32 random bytes that scripts and other sites cannot use', async () => {
    const { send, createLink } = await openPage();
    const response = await send(await createLink());
    expect(response.status).toBe(200);
    expect(response.headers.get('refresh')).toBe('0; url=/');
    expect(response.headers.get('set-cookie')).toMatch(
      /^svc_page_4400=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test('works once', async () => {
    const { get, createLink } = await openPage();
    const link = await createLink();
    expect((await get(link, {})).status).toBe(200);
    const again = await get(link, {});
    expect(again.status).toBe(403);
    expect(again.headers.get('set-cookie')).toBeNull();
    expect(again.text).toContain('no longer valid');
  });

  test('expires after a minute of the machine, whatever the clock of the sandbox shows', async () => {
    let now = noon;
    const { get, createLink, control } = await openPage({ now: () => now, frozen: true });
    const [early, late] = [await createLink(), await createLink()];
    await control.advanceClock(3_600_000);
    now = noon + 59_999;
    expect((await get(early, {})).status).toBe(200);
    now = noon + 60_000;
    expect((await get(late, {})).status).toBe(403);
  });

  test('shows the environment of the key and no other', async () => {
    const { ask, send, newest, get } = await openPage();
    const environments = (await ask('GET /v1/environments')).body;
    const production = environments.find(({ name }: { name: string }) => name === 'Production');
    const authorization = `ApiKey ${production.apiKeys[0].key}`;
    const { url } = (await ask('POST /__sandbox/page', {}, { authorization })).body;
    const opened = await send(url.slice(origin.length));
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const home = await get('/', { cookie });
    expect(home.text).toContain('Production');
    expect(home.text).toContain('No events yet');
    const message = await newest('email');
    expect((await get(message)).status).toBe(200);
    expect((await get(message, { cookie })).status).toBe(404);
    expect((await get(`${message}/email`, { cookie })).status).toBe(404);
    expect((await get('/page/inbox/u1', { cookie })).status).toBe(404);
    expect((await get('/page/activity/seed-order', { cookie })).status).toBe(404);
  });
});

test('the cookie is not accepted by the API and the control routes', async () => {
  const { get, cookie } = await openPage();
  for (const path of ['/v2/topics', '/v1/environments', '/__sandbox/status', '/__sandbox/export'])
    expect((await get(path, { cookie })).status).toBe(401);
});

describe('a form', () => {
  const advance = '60000';

  test('moves the clock and returns to its view with the result', async () => {
    const { post, get, token, store } = await openPage({ frozen: true });
    const before = store.clock.now();
    const sent = await post('/page/clock', { token, advance, back: '/page/activity?q=seed' });
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toBe('/page/activity?q=seed');
    expect(store.clock.now()).toBe(before + 60_000);
    expect((await get('/')).text).toContain('Moved to 12:01:00 on 15 Jan 2026.');
    expect((await get('/')).text).not.toContain('Moved to');
  });

  test('requires the origin of the page, with its port', async () => {
    const { post, token, cookie, store } = await openPage({ frozen: true });
    const before = store.clock.now();
    for (const headers of [
      { cookie },
      { cookie, origin: 'null' },
      { cookie, origin: 'http://127.0.0.1:5500' },
      { cookie, origin: 'http://127.0.0.1' },
      { cookie, origin: 'http://localhost:4400' },
      { cookie, origin: 'https://127.0.0.1:4400' },
      { cookie, origin: 'https://attacker.example' },
    ])
      expect((await post('/page/clock', { token, advance }, headers)).status).toBe(403);
    expect(store.clock.now()).toBe(before);
  });

  test('requires the token of its session', async () => {
    const one = await openPage({ frozen: true });
    const before = one.store.clock.now();
    const cookie = await one
      .send(await one.createLink())
      .then(({ headers }) => headers.get('set-cookie')?.split(';')[0] ?? '');
    expect((await one.post('/page/clock', { advance })).status).toBe(403);
    expect((await one.post('/page/clock', { advance, token: 'x'.repeat(43) })).status).toBe(403);
    const other = await one.post('/page/clock', { advance, token: one.token }, { cookie, origin });
    expect(other.status).toBe(403);
    expect(one.store.clock.now()).toBe(before);
  });

  test('returns only to the page itself', async () => {
    const { post, token } = await openPage({ frozen: true });
    for (const back of [
      'https://attacker.example/',
      '//attacker.example/',
      '/\\attacker.example',
      'javascript:alert(1)',
      '/v2/topics',
      '',
    ]) {
      const { headers } = await post('/page/clock', { token, advance, back });
      expect(headers.get('location')).toBe('/');
    }
  });

  test('rejects a time that is not valid', async () => {
    const { post, token, store } = await openPage({ frozen: true });
    const before = store.clock.now();
    for (const wrong of ['', 'soon', '-1', '0', '1e300', 'NaN'])
      expect((await post('/page/clock', { token, advance: wrong })).status).toBe(400);
    expect(store.clock.now()).toBe(before);
  });
});

describe('requests that other sites cause', () => {
  test('get nothing, from another site or another port of this machine', async () => {
    const { get, cookie } = await openPage();
    for (const site of ['cross-site', 'same-site'])
      for (const [mode, dest] of [
        ['no-cors', 'image'],
        ['no-cors', 'script'],
        ['cors', 'empty'],
        ['navigate', 'iframe'],
      ] as const) {
        const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest };
        const { status, text } = await get('/', { cookie, ...headers });
        expect(status).toBe(403);
        expect(text).toBe('Other sites cannot use this page.');
      }
  });

  test('open the page only as a document of its own', async () => {
    const { get, cookie } = await openPage();
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await get('/', { cookie, 'sec-fetch-site': 'same-site', ...headers })).status).toBe(
      200,
    );
    expect((await get('/', { cookie, 'sec-fetch-site': 'none', ...headers })).status).toBe(200);
  });
});

test('the page is only available under a loopback name', async () => {
  const { sandbox, cookie } = await openPage({
    hosts: ['127.0.0.1', 'localhost', 'dev.example.com'],
  });
  const response = await sandbox(
    new Request(`${origin}/`, { headers: { cookie, host: 'dev.example.com:4400' } }),
  );
  expect(response.status).toBe(404);
  expect(await response.text()).toBe('The page is only available on loopback.');
});

test('a sandbox that does not listen on loopback only has no page', async () => {
  const { ask, control } = await openSandbox();
  expect((await ask('GET /')).body.message).toBe('Cannot GET /');
  expect((await ask('GET /page/open?link=x')).status).toBe(404);
  const { status, body } = await ask('POST /__sandbox/page');
  expect(status).toBe(409);
  expect(body.message).toContain('does not listen on loopback only');
  expect((await control.status()).page).toBeNull();
});

test('no view contains the API key or a secret of a provider', async () => {
  const { get, newest, ask } = await openPage();
  const keys = (await ask('GET /v1/environments')).body.flatMap(
    ({ apiKeys }: { apiKeys: { key: string }[] }) => apiKeys.map((apiKey) => apiKey.key),
  );
  const paths = ['/', '/page/inbox/u1', '/page/activity', '/page/activity/seed-order'];
  for (const channel of ['email', 'in_app', 'sms', 'push', 'chat'])
    paths.push(await newest(channel));
  for (const path of paths) {
    const { text, status } = await get(path);
    expect(status).toBe(200);
    for (const secret of [...keys, 'sandbox-only']) expect(text).not.toContain(secret);
  }
});

describe('the headers', () => {
  test('of a view allow only what the sandbox serves, and no frame around it', async () => {
    const { get } = await openPage();
    for (const path of ['/', '/page/nothing', '/page/style.css', '/page/open?link=x']) {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('of an e-mail put it into a sandbox that loads nothing', async () => {
    const { get, newest } = await openPage();
    const { headers } = await get(`${await newest('email')}/email`);
    expect(headers.get('content-security-policy')).toBe(
      "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'",
    );
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  });

  test('views contain no inline script, style or event handler', async () => {
    const { get, newest } = await openPage();
    for (const path of [
      '/',
      await newest('email'),
      '/page/inbox/u1',
      '/page/story/u1',
      '/page/activity/seed-order',
    ]) {
      const { text } = await get(path);
      expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src="\/page\/script\.js")/);
    }
  });
});

describe('a sandbox with a profile', () => {
  test('is named in the title and the head, and in every command', async () => {
    const { get, control } = await openPage({ profile: 'shop' });
    await control.seed({ version: 1, environments: [{ name: 'Development' }] } as never);
    const { text } = await get('/');
    expect(text).toContain('<title>Home · shop, port 4400</title>');
    expect(toText(text)).toContain('shop :4400 · Development');
    for (const [path, headers] of [
      ['/', undefined],
      ['/page/activity', undefined],
      ['/', {}],
      ['/page/open?link=x', {}],
    ] as const) {
      const commands = [...(await get(path, headers)).text.matchAll(/<code>(svc [^<]*)<\/code>/g)];
      expect(commands.length).toBeGreaterThan(0);
      for (const [, command] of commands) expect(command).toMatch(/ -p shop$/);
    }
  });

  test('that has none prints commands without it', async () => {
    const { get } = await openPage();
    const { text } = await get('/', {});
    expect(text).toContain('<code>svc sandbox open</code>');
    expect(text).toContain('· sandbox, port 4400</title>');
  });
});
