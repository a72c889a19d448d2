// The page follows the sandbox without disturbing the person who reads.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser, servePage } from './browser.ts';

const heading = (page: Page) => page.locator('.detail h2').textContent();
const news = (page: Page) => page.locator('#news').textContent();

describe('a new message', () => {
  it('replaces the newest one while the page follows, and not while it is paused', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    const follow = page.getByRole('navigation', { name: 'Newest item' });
    const state = () => follow.locator('[aria-current]').textContent();
    await page.goto(`${server.baseUrl}/page/messages?channel=email`);
    expect(await state()).toBe('Following');
    // The pointer does not matter.
    await page.locator('iframe').hover();
    await server.trigger('welcome', 'u3', { product: 'Hot news' });
    await page.getByRole('heading', { name: 'Welcome to Hot news', level: 2 }).waitFor();
    await follow.getByText('Paused').click();
    await expect.poll(state).toBe('Paused');
    await page.getByRole('radio', { name: 'Phone' }).check({ force: true });
    const frame = await page.locator('iframe').elementHandle();
    await server.trigger('welcome', 'u3', { product: 'Later news' });
    await page.locator('.row', { hasText: 'Welcome to Later news' }).waitFor();
    expect(await heading(page)).toBe('Welcome to Hot news');
    expect(await frame?.evaluate((node) => node.isConnected)).toBe(true);
    expect(await page.locator('.row[aria-current]').textContent()).toContain('Hot news');
    expect(page.url()).toContain('channel=email');
    await follow.getByText('Following').click();
    await page.getByRole('heading', { name: 'Welcome to Later news', level: 2 }).waitFor();
    expect(await page.getByRole('radio', { name: 'Phone' }).isChecked()).toBe(true);
  });

  it('does not replace a message that a person is sending again', async () => {
    const server = await servePage();
    const page = await server.signIn(await openBrowser());
    await page.getByText('Send again').click();
    await page.locator('#again-payload').fill('{"half": ');
    await server.trigger('welcome', 'u3', { product: 'Hot news' });
    await page.locator('.row', { hasText: 'Welcome to Hot news' }).waitFor();
    expect(await heading(page)).toBe('Receipt for INV-1');
    expect(await page.locator('#again-payload').inputValue()).toBe('{"half": ');
    expect(await page.locator('#pause').getAttribute('aria-current')).toBe('true');
  });

  it('does not move the rows of a list that is scrolled, and is announced', async () => {
    const server = await servePage();
    const events = Array.from({ length: 60 }, (_, index) => ({
      ...{ name: 'one-time-code', to: 'u7', payload: { code: String(1000 + index) } },
    }));
    await server.ask('POST /v1/events/trigger/bulk', { events });
    const page = await server.signIn(await openBrowser());
    await page.goto(`${server.baseUrl}/page/messages?channel=sms`);
    await page.locator('.list').evaluate((list) => Reflect.set(list, 'scrollTop', 600));
    const row = page.locator('.row').nth(12);
    const id = await row.getAttribute('id');
    const top = async () => (await page.locator(`#${id}`).boundingBox())?.y ?? 0;
    const before = await top();
    await server.trigger('one-time-code', 'u7', { code: '42' });
    await expect.poll(() => news(page)).toBe('1 new message');
    expect(Math.abs((await top()) - before)).toBeLessThan(1);
    await server.trigger('one-time-code', 'u7', { code: '43' });
    const fresh = page.getByRole('button', { name: '2 new ↑' });
    await fresh.click();
    await fresh.waitFor({ state: 'hidden' });
    expect(await page.locator('.list').evaluate((list) => Reflect.get(list, 'scrollTop'))).toBe(0);
  });
});

it('the width and the colors of an e-mail apply to the next ones', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  const isPhone = () => page.getByRole('radio', { name: 'Phone' }).isChecked();
  await page.getByRole('radio', { name: 'Phone' }).check({ force: true });
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await page.locator('.row', { hasText: 'New comments on Hello' }).click();
  await page.getByRole('heading', { name: 'New comments on Hello', level: 2 }).waitFor();
  expect(await isPhone()).toBe(true);
  await page.reload();
  expect(await isPhone()).toBe(true);
  await page.getByRole('radio', { name: 'Desktop' }).check({ force: true });
  await page.reload();
  expect(await isPhone()).toBe(false);
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
});

it('when the sandbox has stopped, the page names the commands and its clock stands still', async () => {
  const server = await servePage({ frozen: false, now: () => Date.now() });
  const page = await server.signIn(await openBrowser());
  await server.close();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toBe(
    'The sandbox has stopped. Start it again with svc sandbox start, then run svc sandbox open.',
  );
  expect(await page.getByRole('button', { name: 'Advance', exact: true }).isDisabled()).toBe(true);
  await page.locator('.row').nth(3).click();
  expect(await page.getByRole('alert').isVisible()).toBe(true);
  expect(await page.locator('.row').count()).toBeGreaterThan(3);
});

it('a session that is not valid anymore leads to the command that opens the page', async () => {
  const server = await servePage();
  const context = await openBrowser();
  const page = await server.signIn(context);
  await context.clearCookies();
  await server.trigger('welcome', 'u3', { product: 'Hot news' });
  await page.getByText('svc sandbox open').waitFor();
  expect(await page.locator('.row').count()).toBe(0);
});

it('clearing the search shows all messages again', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  await page.getByRole('searchbox').fill('nothing like it');
  await page.keyboard.press('Enter');
  await page.getByText('No messages match').waitFor();
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Escape');
  await page.waitForURL(`${server.baseUrl}/page/messages`);
  await page.locator('.row').first().waitFor();
});
