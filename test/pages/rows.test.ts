// The rows of the lists: what was not delivered is visible beside long names, and states do not depend on colors.
import { expect, it } from 'vitest';
import { openBrowser, servePage } from './browser.ts';

const long = 'name-longer-than-the-list-is-wide-too-and-still-longer';

it.each([400, 1400])('at %i pixels, a status stays visible beside long names', async (width) => {
  const server = await servePage();
  await server.createWorkflow(long, [
    { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Text' } },
  ]);
  await server.trigger(long, { subscriberId: 'long', firstName: long.repeat(3) });
  const page = await server.signIn(await openBrowser({ viewport: { width, height: 900 } }));
  const list = await page.locator('.list').boundingBox();
  const status = await page.locator('.row .status').first().boundingBox();
  expect(status?.width).toBeGreaterThan(40);
  expect((status?.x ?? 0) + (status?.width ?? 0)).toBeLessThan((list?.x ?? 0) + (list?.width ?? 0));
});

it('states have signs, which remain without the colors of the page', async () => {
  const server = await servePage();
  await server.trigger('welcome', 'u2', { product: 'x' });
  const page = await server.signIn(await openBrowser({ forcedColors: 'active' }));
  await page.goto(`${server.baseUrl}/page/activity`);
  const style = (selector: string, name: string, part?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(
        (node, [property, pseudo]) =>
          Reflect.get(globalThis, 'getComputedStyle')(node, pseudo || null)[property ?? ''],
        [name, part ?? ''],
      );
  expect(await style('.delivered.token', 'content', '::before')).toContain('✓');
  expect(await style('.skipped.token', 'content', '::before')).toContain('–');
  for (const current of ['.top nav [aria-current]', '.row[aria-current]', '.token'])
    expect(await style(current, 'outlineStyle')).toBe('solid');
});

it('everything to click above a list is at least 24 pixels high', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  const targets = await page.locator('.filters :is(a, summary, button):visible').all();
  expect(targets).toHaveLength(7);
  for (const target of targets)
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(24);
});

it('a view that does not exist has no empty list', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  await page.goto(`${server.baseUrl}/page/nothing`);
  expect(await page.locator('.list').isVisible()).toBe(false);
  expect((await page.locator('.detail').boundingBox())?.width).toBe(1400);
});
