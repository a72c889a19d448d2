// The page of the sandbox, its home and an e-mail, as PNG. Needs Chromium.
import { chromium } from 'playwright-core';
import { chromiumPath } from '../chromium.ts';
import { openHome } from './terminal.ts';

export async function picturesOfPage(
  scheme: 'light' | 'dark',
): Promise<{ home: Buffer; page: Buffer }> {
  const user = openHome();
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    user.shell('svc events trigger welcome --to u1 -f product=Example --transaction-id picture');
    const email = '--transaction picture --channel email';
    const id = user.shell(`svc sandbox messages wait ${email} -o ids`).trim();
    const { baseUrl, url } = requestLink(user);
    const page = await browser.newPage({
      viewport: { width: 1200, height: 760 },
      colorScheme: scheme,
    });
    await page.goto(url);
    await page.locator('.home').waitFor();
    const home = await page.screenshot();
    await page.goto(`${baseUrl}/page/messages/${id}`);
    await page.frameLocator('iframe').locator('body').waitFor();
    return { home, page: await page.screenshot() };
  } finally {
    await browser.close();
    user.close();
  }
}

/** A link that opens the page once, as `svc sandbox open` makes it. */
function requestLink({ shell }: ReturnType<typeof openHome>) {
  const { baseUrl } = JSON.parse(shell('svc sandbox status --json'));
  const { url } = JSON.parse(shell('svc sandbox open --json'));
  return { baseUrl, url } as { baseUrl: string; url: string };
}
