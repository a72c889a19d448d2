// The buttons of the clock stay where they are, whatever waits.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findings, overflow } from './audit.ts';
import { openBrowser, servePage } from './browser.ts';

const comment = { post: { id: 'p', title: 'Launch' }, author: 'Grace', comment: 'Nice!' };
const places = async (page: Page) =>
  Promise.all((await page.locator('.steps button').all()).map((button) => button.boundingBox()));

it.each([400, 800, 1400])(
  'at %i pixels, no button moves when the last step has run',
  async (width) => {
    const server = await servePage();
    await server.control.advanceClock(30 * 86_400_000);
    await server.trigger('comment-digest', 'u3', comment);
    const context = await openBrowser({ viewport: { width, height: 900 }, bypassCSP: true });
    const page = await server.signIn(context);
    const before = await places(page);
    const next = page.locator('#advance-next');
    expect(await next.textContent()).toBe('Next step in 10 min');
    await next.focus();
    await next.press('Enter');
    await page.getByText('1 waiting step ended, 2 messages captured.').waitFor();
    expect(await next.textContent()).toBe('No step is waiting');
    expect(await next.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
    const rounded = (boxes: Awaited<ReturnType<typeof places>>) =>
      boxes.map((box) => [Math.round(box?.x ?? 0), Math.round(box?.width ?? 0)]);
    expect(rounded(await places(page))).toEqual(rounded(before));
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    const head = await page.locator('.top').boundingBox();
    expect(head?.height).toBeLessThan({ 400: 130, 800: 100 }[width] ?? 60);
    expect(await page.locator('.time').textContent()).toContain('14 Feb 2026');
    await next.press('Enter');
    await page.getByText('No digest or delay is waiting.').waitFor();
  },
);
