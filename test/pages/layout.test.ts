// Every view at 400, 800 and 1400 pixels has no horizontal scrolling. At the narrowest and the widest, in light and in
// dark, axe-core reports nothing.
import { describe, expect, it } from 'vitest';
import { findings, overflow } from './audit.ts';
import { openBrowser, servePage } from './browser.ts';
import { addRichData, viewPaths } from './rich-data.ts';

describe.each([
  { width: 400, colorScheme: 'light', audited: true },
  { width: 800, colorScheme: 'dark', audited: false },
  { width: 1400, colorScheme: 'dark', audited: true },
] as const)('at $width pixels, $colorScheme', ({ width, colorScheme, audited }) => {
  it(`every view fits the width${audited ? ' and is accessible' : ''}`, async () => {
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
      for (const details of await page.locator('summary:visible').all()) await details.click();
      const reported = audited ? await findings(page) : [];
      const excess = await overflow(page);
      if (reported.length > 0 || excess > 0) problems.push({ path, excess, reported });
    };
    for (const path of await viewPaths(server.newest)) await check(path);
    await context.clearCookies();
    for (const path of ['/', '/page/open?link=expired']) await check(path);
    expect(problems).toEqual([]);
  }, 240_000);
});

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
