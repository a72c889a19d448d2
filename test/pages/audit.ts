// Measures a view: its width, and the findings of axe-core.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The findings of axe-core, as `rule: element`. The browser must bypass the policy of the page, or it is a file. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // E-mails are the content of others, and their frames run no script.
    const { violations } = await Reflect.get(globalThis, 'axe').run({ iframes: false });
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    );
  });
}

/** The pixels by which the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth } = Reflect.get(globalThis, 'document').documentElement;
    return scrollWidth - Reflect.get(globalThis, 'innerWidth');
  });
