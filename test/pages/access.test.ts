// Who can see and use the page in a real browser: links, sessions, and pages of other origins.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser, servePage } from './browser.ts';
import { openSite } from './other-site.ts';

describe('a link', () => {
  it('opens the page once; in another browser, the page stays closed', async () => {
    const server = await servePage();
    const { url } = await server.control.createPageLink();
    const context = await openBrowser();
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForURL(`${server.baseUrl}/`);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    const other = await (await openBrowser()).newPage();
    await other.goto(url);
    await other.getByText('This link is no longer valid').waitFor();
    await other.goto(server.baseUrl);
    await other.getByText('svc sandbox open', { exact: true }).waitFor();
  });

  it('does not open the page after a minute', async () => {
    let now = Date.parse('2026-01-15T12:00:00Z');
    const server = await servePage({ now: () => now });
    const { url } = await server.control.createPageLink();
    now += 60_000;
    const page = await (await openBrowser()).newPage();
    await page.goto(url);
    await page.getByText('This link is no longer valid').waitFor();
  });

  it('also opens the page from a web page, such as a terminal in the browser', async () => {
    const server = await servePage();
    const { url } = await server.control.createPageLink();
    const site = await openSite(`<!doctype html><a href="${url}">Open</a>`);
    const page = await (await openBrowser()).newPage();
    await page.goto(site.otherPlace);
    await page.getByText('Open').click();
    await page.waitForURL(`${server.baseUrl}/`);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
  });

  it('leaves a cookie that scripts cannot read and that is not sent to another host name', async () => {
    const server = await servePage();
    const context = await openBrowser();
    const page = await server.signIn(context);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'document').cookie)).toBe('');
    expect(await context.cookies()).toMatchObject([
      {
        ...{ name: `svc_page_${server.port}`, domain: '127.0.0.1', path: '/' },
        ...{ httpOnly: true, sameSite: 'Strict', expires: -1 },
      },
    ]);
    await page.goto(server.baseUrl.replace('127.0.0.1', 'localhost'));
    await page.getByText('svc sandbox open', { exact: true }).waitFor();
  });
});

/** The response that a script of another origin can read of the sandbox, with the cookies of the browser. */
const read = (page: Page, url: string, init: object) =>
  page.evaluate(
    async ([address, options]) => {
      try {
        const response = await fetch(address, options);
        return { type: response.type, status: response.status, text: await response.text() };
      } catch {
        return 'blocked';
      }
    },
    [url, init] as const,
  );

describe.each(['otherPlace', 'samePlace'] as const)('a page of another origin (%s)', (place) => {
  it('cannot read the page, use its forms or follow its changes', async () => {
    const server = await servePage();
    const context = await openBrowser();
    const own = await server.signIn(context);
    const token = await own.locator('[name="token"]').first().inputValue();
    const before = (await server.control.clock()).now;
    const page = await context.newPage();
    await page.goto((await openSite())[place]);
    const credentials = 'include';
    for (const path of ['/', '/page/inbox/u1', await server.newest('email'), '/page/live']) {
      const url = `${server.baseUrl}${path}`;
      expect(await read(page, url, { credentials })).toBe('blocked');
      const opaque = { type: 'opaque', status: 0, text: '' };
      expect([opaque, 'blocked']).toContainEqual(
        await read(page, url, { credentials, mode: 'no-cors' }),
      );
    }
    const form = { method: 'POST', credentials, mode: 'no-cors' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `token=${token}&advance=60000`;
    await read(page, `${server.baseUrl}/page/clock`, { ...form, headers, body });
    expect((await server.control.clock()).now).toBe(before);
  });

  it('cannot send a form of its own, even with the right token', async () => {
    const server = await servePage();
    const context = await openBrowser();
    const own = await server.signIn(context);
    const token = await own.locator('[name="token"]').first().inputValue();
    const before = (await server.control.clock()).now;
    const site = await openSite(
      `<!doctype html><form method="post" action="${server.baseUrl}/page/clock">
       <input name="token" value="${token}"><input name="advance" value="60000"><button>Send</button></form>`,
    );
    const page = await context.newPage();
    await page.goto(site[place]);
    await page.getByText('Send').click();
    await page.waitForURL(`${server.baseUrl}/page/clock`);
    expect(await page.locator('body').textContent()).toContain('not allowed');
    expect((await server.control.clock()).now).toBe(before);
  });

  it('cannot show a view or an e-mail in a frame, or keep a window of it', async () => {
    const server = await servePage();
    const context = await openBrowser();
    await server.signIn(context);
    const email = `${await server.newest('email')}/email`;
    const site = await openSite(
      `<!doctype html><iframe src="${server.baseUrl}/"></iframe><iframe src="${server.baseUrl}${email}"></iframe>`,
    );
    const page = await context.newPage();
    await page.goto(site[place], { waitUntil: 'load' });
    for (const frame of page.frames().slice(1))
      expect(await frame.locator('body').textContent()).not.toMatch(/Ada|INV-1|We received/);
    const opened = context.waitForEvent('page');
    await page.evaluate((url) => {
      Reflect.set(globalThis, 'opened', Reflect.get(globalThis, 'open')(url));
    }, server.baseUrl);
    const other = await opened;
    // The browser cuts the link when the page of the sandbox arrives: until then, the window is blank.
    await other.waitForURL(`${server.baseUrl}/**`);
    await page.waitForFunction(() => Reflect.get(globalThis, 'opened').closed);
    expect(await other.evaluate(() => Reflect.get(globalThis, 'opener'))).toBeNull();
  });
});

it('the cookie does not open the API in the browser', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  for (const path of ['/v2/topics', '/v1/environments', '/__sandbox/status']) {
    const response = await page.request.get(`${server.baseUrl}${path}`);
    expect(response.status()).toBe(401);
  }
});
