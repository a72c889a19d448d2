// Every view at 400, 800 and 1400 pixels, in light and dark: no horizontal scrolling, nothing that axe-core reports.
import { describe, expect, it } from 'vitest';
import { findings, overflow } from './audit.ts';
import { openBrowser, servePage } from './browser.ts';
import { addRichData, viewPaths } from './rich-data.ts';

describe.each([
  { width: 400, colorScheme: 'light' },
  { width: 400, colorScheme: 'dark' },
  { width: 800, colorScheme: 'dark' },
  { width: 1400, colorScheme: 'light' },
  { width: 1400, colorScheme: 'dark' },
] as const)('at $width pixels, $colorScheme', ({ width, colorScheme }) => {
  it('every view fits the width and is accessible', async () => {
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
      const found = await findings(page);
      const excess = await overflow(page);
      if (found.length > 0 || excess > 0) problems.push({ path, excess, found });
    };
    for (const path of await viewPaths(server.newest)) await check(path);
    await context.clearCookies();
    for (const path of ['/', '/page/open?link=expired']) await check(path);
    expect(problems).toEqual([]);
  }, 240_000);
});
