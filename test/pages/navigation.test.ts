// Opening views in place: the panes keep their size, the header shows the section, and lists scroll where people expect.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser, servePage } from './browser.ts';

type Server = Awaited<ReturnType<typeof servePage>>;

/** A sandbox with more messages than a page of the list. */
async function serveLongList(): Promise<Server> {
  const server = await servePage();
  const events = Array.from({ length: 60 }, (_, index) => ({
    ...{ name: 'one-time-code', to: 'u7', payload: { code: String(1000 + index) } },
  }));
  await server.ask('POST /v1/events/trigger/bulk', { events });
  return server;
}

const listScroll = (page: Page) =>
  page.locator('.list').evaluate((list) => Reflect.get(list, 'scrollTop') as number);

const currentView = (page: Page) =>
  page.locator('nav[aria-label="Views"] [aria-current="page"]').textContent();

it('the page is as tall as the window, and skipping to the content does not scroll it', async () => {
  const server = await serveLongList();
  const page = await server.signIn(await openBrowser());
  for (const path of ['/', '/page/activity', '/page/inbox']) {
    await page.goto(`${server.baseUrl}${path}`);
    const [scrollHeight, clientHeight] = await page
      .locator('html')
      .evaluate((html) => ['scrollHeight', 'clientHeight'].map((name) => Reflect.get(html, name)));
    expect([path, scrollHeight]).toEqual([path, clientHeight]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'scrollY'))).toBe(0);
    expect((await page.locator('.top').boundingBox())?.y).toBe(0);
  }
});

it('on a small screen, the keyboard goes from a row to its detail and back, and skips to the list', async () => {
  const server = await serveLongList();
  const page = await server.signIn(await openBrowser({ viewport: { width: 400, height: 900 } }));
  const focused = (name: 'id' | 'className') =>
    page.evaluate(
      (member) => Reflect.get(Reflect.get(globalThis, 'document').activeElement, member) as string,
      name,
    );
  for (const path of ['/page/messages', '/page/activity', '/page/workflows']) {
    await page.goto(`${server.baseUrl}${path}`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect([path, await focused('className')]).toEqual([path, 'list']);
    const row = page.locator('.list .row').nth(2);
    const id = await row.getAttribute('id');
    await row.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused('id')).toBe('detail');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused('id')).toBe(id);
  }
});

it('the header shows the section of a view that was opened through a link', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  await page.goto(`${server.baseUrl}/page/activity/seed-order`);
  await page.locator('.people a').first().click();
  await page.getByRole('link', { name: 'Show the message' }).first().click();
  await page.waitForURL(/\/page\/messages\//);
  await expect.poll(() => currentView(page)).toBe('Messages');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.waitForURL(/\/page\/activity\//);
  await expect.poll(() => currentView(page)).toBe('Activity');
  const link = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'People' });
  await link.click();
  await expect.poll(() => currentView(page)).toBe('People');
  expect(await link.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
});

describe('the list', () => {
  it('starts at its top after another page or filter was opened', async () => {
    const server = await serveLongList();
    const page = await server.signIn(await openBrowser());
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(/before=/);
    await expect.poll(() => listScroll(page)).toBe(0);
    await page.locator('.list').evaluate((list) => Reflect.set(list, 'scrollTop', 300));
    await page.getByRole('link', { name: 'SMS', exact: true }).click();
    await page.waitForURL(/channel=sms/);
    await expect.poll(() => listScroll(page)).toBe(0);
  });

  it('stays where it is when one of its messages is opened', async () => {
    const server = await serveLongList();
    const page = await server.signIn(await openBrowser());
    await page.locator('.list').evaluate((list) => Reflect.set(list, 'scrollTop', 700));
    const row = page.locator('.row').nth(13);
    await row.click();
    await row.and(page.locator('[aria-current]')).waitFor();
    expect(await listScroll(page)).toBe(700);
  });

  it('shows the row of a message that was opened through a link', async () => {
    const server = await serveLongList();
    const page = await server.signIn(await openBrowser());
    const { data } = await server.control.messages({ limit: 100 });
    const code = data[30];
    const row = page.locator(`#m-${code?._id}`);
    await page.goto(`${server.baseUrl}/page/messages/${code?._id}`);
    const isVisible = () =>
      row.evaluate((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        const { bottom: end } = node
          .closest('.list')
          ?.querySelector('.filters')
          ?.getBoundingClientRect() ?? { bottom: 0 };
        return end > 50 && top >= end && bottom <= Reflect.get(globalThis, 'innerHeight');
      });
    await expect.poll(isVisible).toBe(true);
    await page.goto(`${server.baseUrl}/page/activity/${code?.transactionId}`);
    await page.getByRole('link', { name: 'Show the message' }).first().click();
    await page.waitForURL(/\/page\/messages\//);
    await expect.poll(isVisible).toBe(true);
  });
});
