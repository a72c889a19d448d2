// People use the page: it follows the sandbox, moves the clock, and works with a keyboard, on a phone and without a script.
import { describe, expect, it } from 'vitest';
import { openBrowser, servePage } from './browser.ts';
import { application, openSite } from './other-site.ts';
import { addRichData } from './rich-data.ts';

const comment = { post: { id: 'p', title: 'Launch' }, author: 'Grace', comment: 'Nice!' };

describe('live', () => {
  it('a new message appears by itself, in the list and beside it', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    await server.trigger('welcome', 'u3', { product: 'Hot news' });
    await page.locator('.row', { hasText: 'Welcome to Hot news' }).waitFor();
    await page.getByRole('heading', { name: 'Welcome to Hot news', level: 2 }).waitFor();
    await page.frameLocator('iframe').getByText('Hello Chiyo').waitFor();
  });

  it('an opened message stays, and so do its frame, the focus and the text in the search field', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    await page.goto(`${server.baseUrl}${await server.newest('email')}`);
    const frame = await page.locator('iframe').elementHandle();
    await page.getByRole('searchbox').fill('half a wo');
    await server.trigger('one-time-code', 'u7', { code: '42' });
    await server.trigger('comment-digest', 'u7', comment);
    // The clock shows that the page has loaded the change.
    await page.locator('.stop', { hasText: 'Comment digest' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('half a wo');
    expect(await frame?.evaluate((node) => node.isConnected)).toBe(true);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'document').activeElement.name)).toBe(
      'q',
    );
    expect(page.url()).toContain('/page/messages/');
  });

  it('the row that has the focus keeps it while rows appear above it', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    const row = page.locator('.row', { hasText: 'Receipt for INV-1' });
    await row.focus();
    await server.trigger('welcome', 'u3', { product: 'Another' });
    await page.locator('.row', { hasText: 'Welcome to Another' }).waitFor();
    expect(await row.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  });

  it('shows when the sandbox has stopped', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    await server.close();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('svc sandbox open');
  });
});

describe('the clock', () => {
  it('moves with its slider; a digest appears when it is due, and the focus stays', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    await server.trigger('comment-digest', 'u3', comment, 'digest');
    await page.goto(`${server.baseUrl}/page/activity/digest`);
    await page.getByText('Collects events until 15 Jan 2026, 12:10:00.').waitFor();
    await page.locator('#slide').press('Home');
    await page.locator('#advance-now').press('Enter');
    await page.getByRole('status').getByText('Moved to 12:01:00').waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'document').activeElement.id)).toBe(
      'advance-now',
    );
    await page.locator('.stop', { hasText: 'in 9 min' }).waitFor();
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByText('Collected 1 event.').waitFor();
    expect(await page.locator('.time b').textContent()).toBe('12:10:00');
    await page.getByRole('link', { name: 'Show the message of step Comments email' }).click();
    await page.getByRole('heading', { name: 'New comments on Launch', level: 2 }).waitFor();
    expect((await server.control.clock()).now).toBe('2026-01-15T12:10:00.000Z');
  });

  it('runs on between two loads unless it is frozen', async () => {
    const server = await servePage({ frozen: false, now: () => Date.now() });
    const page = await server.signIn(await openBrowser());
    const shown = await page.locator('.time b').textContent();
    await page.locator('.time b', { hasNotText: shown ?? '' }).waitFor();
  });
});

describe('the list', () => {
  it('is searched and filtered in place, and the back button returns', async () => {
    const server = await servePage();
    await addRichData(server);
    const page = await server.signIn(await openBrowser());
    const count = await page.locator('.row').count();
    await page.getByRole('searchbox').fill('INV-1');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.baseUrl}/page/messages?q=INV-1`);
    expect(await page.locator('.row').count()).toBe(2);
    await page.getByRole('link', { name: 'E-mail', exact: true }).click();
    await page.waitForURL(`${server.baseUrl}/page/messages?q=INV-1&channel=email`);
    await page.locator('.row', { hasText: 'Payment received' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.goBack();
    await page.waitForURL(`${server.baseUrl}/page/messages`);
    await page.waitForFunction(
      (rows) => Reflect.get(globalThis, 'document').querySelectorAll('.row').length === rows,
      count,
    );
  });

  it('scrolls to the row of the message that is opened, which the filters do not cover', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    const opened = await server.newest('email');
    for (let index = 0; index < 12; index += 1)
      await server.trigger('one-time-code', 'u7', { code: String(index) });
    await page.goto(`${server.baseUrl}${opened}`);
    const row = await page.locator('.row[aria-current="true"]').boundingBox();
    const search = await page.locator('.list > search').boundingBox();
    const list = await page.locator('.list').boundingBox();
    if (!row || !search || !list) throw new Error('the list is not shown');
    expect(row.y).toBeGreaterThanOrEqual(search.y + search.height);
    expect(row.y + row.height).toBeLessThanOrEqual(list.y + list.height);
    await page.locator('.list').evaluate((node) => Reflect.set(node, 'scrollTop', 99_999));
    await page.reload();
    await page.locator('.row[aria-current="true"]').waitFor();
    const later = await page.locator('.row[aria-current="true"]').boundingBox();
    expect(later?.y).toBeGreaterThanOrEqual(search.y + search.height);
  });

  it('is used with the keyboard alone', async () => {
    const server = await servePage();
    await addRichData(server);
    const page = await server.signIn(await openBrowser());
    const active = (name: string) =>
      page.evaluate((key) => Reflect.get(globalThis, 'document').activeElement[key], name);
    await page.keyboard.press('Tab');
    expect(await active('textContent')).toBe('Skip to the content');
    await page.locator('.row').first().focus();
    await page.keyboard.press('ArrowDown');
    const target = await active('href');
    expect(target).toBe(
      await page
        .locator('.row')
        .nth(1)
        .evaluate((node) => Reflect.get(node, 'href')),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(String(target));
    await page.locator('.row').nth(1).and(page.locator('[aria-current="true"]')).waitFor();
    expect(await active('href')).toBe(target);
    await page.keyboard.press('ArrowUp');
    expect(await active('id')).toBe(await page.locator('.row').first().getAttribute('id'));
  });

  it('on a phone is a view of its own, and a message has a link back to it', async () => {
    const server = await servePage();
    const context = await openBrowser({ viewport: { width: 400, height: 800 } });
    const page = await server.signIn(context);
    expect(await page.locator('.detail').isVisible()).toBe(false);
    await page.locator('.row', { hasText: 'Receipt for INV-1' }).click();
    await page.getByRole('heading', { name: 'Receipt for INV-1' }).last().waitFor();
    expect(await page.locator('.list').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Messages' }).last().click();
    await page.locator('.row', { hasText: 'Receipt for INV-1' }).waitFor();
  });
});

it('everything but the live view works without a script', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser({ javaScriptEnabled: false }));
  await page.getByRole('searchbox').fill('INV-1');
  await page.keyboard.press('Enter');
  await page.locator('.row', { hasText: 'Receipt for INV-1' }).click();
  await page.frameLocator('iframe').getByText('We received 49.5 EUR.').waitFor();
  await page.locator('#advance').selectOption('3600000');
  await page.getByRole('button', { name: 'Advance' }).click();
  await page.getByText('Moved to 13:00:00 on 15 Jan 2026.').waitFor();
  expect(page.url()).toContain('/page/messages/');
});

it('the width of an e-mail changes to that of a phone', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  const width = async () => (await page.locator('iframe').boundingBox())?.width ?? 0;
  expect(await width()).toBeGreaterThan(600);
  await page.getByRole('radio', { name: 'Phone' }).check({ force: true });
  await expect.poll(width).toBe(392);
});

it('no view reports an error, and everything comes from the sandbox', async () => {
  const server = await servePage();
  await addRichData(server);
  const context = await openBrowser();
  const problems: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== server.baseUrl) problems.push(request.url());
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  const page = await server.signIn(context);
  page.on('pageerror', (error) => problems.push(error.message));
  for (const path of ['/', '/page/inbox/u1', '/page/activity', '/page/activity/everything'])
    await page.goto(`${server.baseUrl}${path}`);
  for (const channel of ['email', 'in_app', 'sms', 'push', 'chat'])
    await page.goto(`${server.baseUrl}${await server.newest(channel)}`);
  expect(problems).toEqual([]);
});

it('a link of an e-mail opens an application whose scripts run', async () => {
  const server = await servePage();
  const site = await openSite(application);
  const body = `<p><a href="${site.otherPlace}/app">Open</a></p>`;
  const controlValues = { subject: 'Link', body, editorType: 'html' };
  await server.createWorkflow('link', [{ name: 'Mail', type: 'email', controlValues }]);
  await server.trigger('link', 'u1');
  const page = await server.signIn(await openBrowser());
  for (const path of [await server.newest('email'), `${await server.newest('email')}/email`]) {
    await page.goto(`${server.baseUrl}${path}`);
    const content = path.endsWith('/email') ? page : page.frameLocator('iframe');
    const opened = page.waitForEvent('popup');
    await content.getByRole('link', { name: 'Open' }).click();
    await (await opened).getByText('The script ran').waitFor();
  }
  expect(site.requests.filter((target) => target === '/app')).toHaveLength(2);
});
