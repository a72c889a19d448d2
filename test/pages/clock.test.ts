// The slider of the clock: it stays where it is, whatever waits, and works with the keyboard.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findings, overflow } from './audit.ts';
import { openBrowser, servePage } from './browser.ts';

const comment = { post: { id: 'p', title: 'Launch' }, author: 'Grace', comment: 'Nice!' };
const places = async (page: Page) =>
  Promise.all(
    (await page.locator('.steps :is(button, input)').all()).map((part) => part.boundingBox()),
  );

it.each([400, 800, 1400])(
  'at %i pixels, nothing moves when the last step has run',
  async (width) => {
    const server = await servePage();
    await server.control.advanceClock(30 * 86_400_000);
    await server.trigger('comment-digest', 'u3', comment);
    const context = await openBrowser({ viewport: { width, height: 900 }, bypassCSP: true });
    const page = await server.signIn(context);
    const before = await places(page);
    const stop = page.locator('.stop');
    expect(await stop.textContent()).toBe('in 10 min12:10 · Comment digest: Digest');
    expect(await page.locator('.ticks .due').count()).toBe(1);
    const advance = page.locator('#advance-now');
    await advance.focus();
    await advance.press('Enter');
    await page.getByText('1 waiting step ended, 2 messages captured.').waitFor();
    expect(await stop.textContent()).toBe('in 1 h13:10');
    expect(await page.locator('.ticks .due').count()).toBe(0);
    expect(await advance.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
    const rounded = (boxes: Awaited<ReturnType<typeof places>>) =>
      boxes.map((box) => [Math.round(box?.x ?? 0), Math.round(box?.width ?? 0)]);
    expect(rounded(await places(page))).toEqual(rounded(before));
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    const head = await page.locator('.top').boundingBox();
    expect(head?.height).toBeLessThan({ 400: 150, 800: 130 }[width] ?? 60);
    expect(await page.locator('.time').textContent()).toContain('14 Feb 2026');
  },
);

it('the slider is moved with the keyboard, keeps its place while messages come, and Enter advances', async () => {
  const server = await servePage();
  const page = await server.signIn(await openBrowser());
  const slider = page.getByRole('slider', { name: 'Time to advance to' });
  await slider.focus();
  await slider.press('Home');
  expect(await slider.getAttribute('aria-valuetext')).toBe('in 1 min · 12:01');
  for (let press = 0; press < 3; press += 1) await slider.press('ArrowRight');
  expect(await page.locator('.stop').textContent()).toBe('in 10 min12:10');
  await server.trigger('welcome', 'u3', { product: 'Hot news' });
  await page.locator('.row', { hasText: 'Welcome to Hot news' }).waitFor();
  expect(await slider.getAttribute('aria-valuetext')).toBe('in 10 min · 12:10');
  await slider.press('Enter');
  await page.getByText('Moved to 12:10:00 on 15 Jan 2026.').waitFor();
  expect((await server.control.clock()).now).toBe('2026-01-15T12:10:00.000Z');
});
