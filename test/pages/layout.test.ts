// Every view at 400, 800 and 1400 pixels has no horizontal scrolling. At the narrowest, in light, and the widest, in
// dark, axe-core reports nothing.
import { expect, it } from 'vitest';
import { findings, overflow } from './audit.ts';
import { openBrowser, servePage } from './browser.ts';
import { addRichData, viewPaths } from './rich-data.ts';

it.each([
  { colorScheme: 'light', widths: [400] },
  { colorScheme: 'dark', widths: [1400, 800] },
] as const)(
  'every view, $colorScheme, fits $widths pixels and is accessible',
  async ({ colorScheme, widths: [width, ...others] }) => {
    const server = await servePage();
    await addRichData(server);
    // axe-core runs inside the page, whose policy allows no other script.
    const context = await openBrowser({
      ...{ viewport: { width, height: 900 }, colorScheme },
      bypassCSP: true,
    });
    const page = await server.signIn(context);
    const problems: unknown[] = [];
    const check = async (path: string) => {
      await page.goto(`${server.baseUrl}${path}`);
      await page.locator('details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
      const reported = await findings(page);
      const excess = [await overflow(page)];
      for (const other of others) {
        await page.setViewportSize({ width: other, height: 900 });
        excess.push(await overflow(page));
      }
      if (others.length > 0) await page.setViewportSize({ width, height: 900 });
      if (reported.length > 0 || excess.some((pixels) => pixels > 0))
        problems.push({ path, excess, reported });
    };
    for (const path of await viewPaths(server.newest)) await check(path);
    await context.clearCookies();
    for (const path of ['/', '/page/open?link=expired']) await check(path);
    expect(problems).toEqual([]);
  },
  240_000,
);

it.each([400, 1400])(
  'at %i pixels, the bar keeps its height when a file is broken',
  async (width) => {
    const server = await servePage();
    const page = await server.signIn(
      await openBrowser({ viewport: { width, height: 900 }, bypassCSP: true }),
    );
    await page.goto(`${server.baseUrl}/page/workflows/welcome`);
    const height = async () => (await page.locator('.top').boundingBox())?.height;
    const before = await height();
    server.showFileProblems([
      { text: 'welcome.yaml:4:2: Missing quote', workflowId: 'welcome', excerpt: '4  }\n    ^' },
    ]);
    await page.locator('.top .broken').waitFor();
    expect(await page.title()).toMatch(/^✗ /);
    expect(await height()).toBe(before);
    expect(await overflow(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
  },
);
