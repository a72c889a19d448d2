// The home of a sandbox with none, one and many workflows, and what the keyboard opens from it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findings, overflow } from './audit.ts';
import { openBrowser, servePage } from './browser.ts';

const inbox = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }];
const detail = (page: Page) => page.locator('.detail').textContent();
const isOpen = (page: Page, id: string) =>
  page.locator(`#${id}`).evaluate((dialog) => Reflect.get(dialog, 'open') as boolean);
const focusedId = (page: Page) =>
  page.evaluate(() => Reflect.get(globalThis, 'document').activeElement.id as string);

/** A sandbox with one person and these workflows, of which each has sent one message. */
async function serveWorkflows(names: readonly string[]) {
  const state = { name: 'Development', subscribers: [{ subscriberId: 'only' }] };
  const server = await servePage({ seed: { version: 1, environments: [state] } });
  for (const [index, name] of names.entries()) {
    const workflow = { name, workflowId: `w-${index}`, steps: inbox };
    await server.ask('POST /v2/workflows', workflow);
    await server.trigger(`w-${index}`, 'only', {}, `event-${index}`);
  }
  return server;
}

describe.each([
  ['no workflow', []],
  ['one workflow', ['Receipt']],
  ['many workflows', ['تأكيد الطلب', 'x'.repeat(64), ...Array(28).fill('Order')]],
])('the home of a sandbox with %s', (_name, names) => {
  it('shows its messages, fits the width and is accessible', async () => {
    const server = await serveWorkflows(names);
    for (const width of [400, 1400]) {
      const viewport = { width, height: 900 };
      const page = await server.signIn(await openBrowser({ viewport, bypassCSP: true }));
      await page.goto(`${server.baseUrl}/`);
      const text = await detail(page);
      if (names.length === 0) expect(text).toContain('No events yet');
      else expect(text).toMatch(new RegExp(`hours${names.length}\\s*delivered\\s*0\\s*failed`));
      expect(await page.locator('.home .row').count()).toBe(Math.min(names.length, 6));
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await findings(page)).toEqual([]);
    }
  }, 60_000);
});

it('an open home follows a burst of events at most once in five seconds', async () => {
  const server = await serveWorkflows(['Receipt']);
  const page = await server.signIn(await openBrowser());
  await page.goto(`${server.baseUrl}/`);
  await page.waitForTimeout(1_000);
  let loads = 0;
  page.on('request', (request) => {
    if (request.url() === `${server.baseUrl}/`) loads += 1;
  });
  for (let count = 0; count < 6; count += 1) {
    await server.trigger('w-0', 'only');
    await page.waitForTimeout(300);
  }
  expect(loads).toBeLessThanOrEqual(1);
  await page.locator('.totals .delivered', { hasText: '7' }).waitFor();
  // A view that a person opens is loaded at once, and follows at once.
  await page.getByRole('link', { name: 'All messages' }).click();
  await page.waitForURL(/\/page\/messages$/);
  expect(await page.locator('.row').count()).toBe(7);
  await server.trigger('w-0', 'only');
  await page.waitForFunction(
    () => Reflect.get(globalThis, 'document').querySelectorAll('.row').length === 8,
    undefined,
    { timeout: 4_000 },
  );
}, 60_000);

describe('Ctrl-K', () => {
  it('finds as a person types; the arrows and Enter open what is found, Escape closes', async () => {
    const server = await serveWorkflows(['Receipt', 'تأكيد الطلب']);
    const page = await server.signIn(await openBrowser());
    await page.goto(`${server.baseUrl}/`);
    await page.keyboard.press('Control+k');
    expect(await isOpen(page, 'palette')).toBe(true);
    expect(await focusedId(page)).toBe('palette-text');
    const rows = page.locator('#found li');
    await rows.getByText('Workflows').waitFor();
    await page.keyboard.type('الطلب');
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('w-1')]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/page\/workflows\/w-1$/);
    expect(await isOpen(page, 'palette')).toBe(false);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nothing like it');
    await rows.getByText('Nothing is found.').waitFor();
    await page.keyboard.press('Escape');
    expect(await isOpen(page, 'palette')).toBe(false);
    // The rows can change after one was chosen.
    let answer = () => {};
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/page/find?q=only', (route) => late.then(() => route.continue()));
    await page.keyboard.press('Control+k');
    await rows.getByText('Workflows').waitFor();
    await page.keyboard.type('only');
    await page.keyboard.press('ArrowDown');
    answer();
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('only')]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/page\/story\/only$/);
  }, 60_000);
});

it('Return in Ctrl-K waits for the choices of its text', async () => {
  const server = await serveWorkflows(['Receipt']);
  const page = await server.signIn(await openBrowser());
  await page.keyboard.press('Control+k');
  await page.locator('#found a').first().waitFor();
  await page.route('**/page/find*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.keyboard.type('keys');
  await page.keyboard.press('Enter');
  await page.locator('#keys[open]').waitFor();
  expect(page.url()).toBe(`${server.baseUrl}/page/messages`);
}, 60_000);

it('? shows the keys, also from Ctrl-K, but not while a person types', async () => {
  const server = await serveWorkflows(['Receipt']);
  const page = await server.signIn(await openBrowser());
  await page.keyboard.press('?');
  expect(await isOpen(page, 'keys')).toBe(true);
  expect(await page.locator('#keys dt').allTextContents()).toContain('Ctrl K');
  await page.keyboard.press('Escape');
  expect(await isOpen(page, 'keys')).toBe(false);
  await page.keyboard.press('/');
  await page.keyboard.type('?');
  expect(await isOpen(page, 'keys')).toBe(false);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('keys');
  await page.locator('#found').getByText('Show the keys').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#keys[open]').waitFor();
  expect(await isOpen(page, 'palette')).toBe(false);
}, 60_000);
