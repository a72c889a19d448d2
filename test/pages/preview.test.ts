// `svc workflows preview --open` in Chromium: the file works without a server and loads nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { PreviewedStep } from '../../src/sandbox/engine/preview.ts';
import { previewDocument } from '../../src/sandbox/page/preview-file.tsx';
import { findings, overflow } from './audit.ts';
import { openBrowser } from './browser.ts';
import { application, openSite } from './other-site.ts';

async function openPreview(
  steps: readonly Partial<PreviewedStep>[],
  width = 1400,
  colorScheme: 'light' | 'dark' = 'light',
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'preview.html');
  const complete = steps.map((step, index) => ({
    ...{ stepId: `step-${index}`, name: `Step ${index}`, type: 'email' },
    ...{ result: 'shown' as const, reason: null, content: null },
    ...{ missingVariables: [], objectVariables: [] },
    ...step,
  }));
  writeFileSync(
    file,
    previewDocument({
      ...{ name: 'Welcome', subscriberId: 'u1', payload: { product: 'svc' } },
      ...{ time: '2026-01-15T12:00:00.000Z', steps: complete },
    }),
  );
  const context = await openBrowser({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  return { page };
}

const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(20);
const everything: readonly Partial<PreviewedStep>[] = [
  { content: { subject: long, body: '<p>Hello <a href="https://example.com">link</a></p>' } },
  { content: { subject: 'Second', body: '<p>Again</p>' } },
  { type: 'in_app', content: { subject: 'مرحبًا', body: long, primaryAction: { label: 'Open' } } },
  { type: 'sms', content: { body: long } },
  { type: 'push', content: { subject: 'Push', body: '🎉' } },
  { type: 'chat', content: { body: '*Chat*\n• item' } },
  { type: 'digest', content: { amount: 10, unit: 'minutes' } },
  { type: 'sms', result: 'skipped', reason: 'the subscriber has no phone number' },
  { result: 'failed', reason: 'it cannot be rendered: tag if is not closed' },
];

it.each([
  [400, 'light'],
  [1400, 'dark'],
] as const)('fits %i pixels and is accessible (%s)', async (width, colorScheme) => {
  const { page } = await openPreview(everything, width, colorScheme);
  expect(await overflow(page)).toBe(0);
  expect(await findings(page)).toEqual([]);
  await page.getByText('The subscriber has no phone number.').waitFor();
  await page.frameLocator('iframe').first().getByText('Hello').waitFor();
});

it('each e-mail has its own width', async () => {
  const { page } = await openPreview(everything);
  await page.getByRole('radio', { name: 'Phone' }).first().check({ force: true });
  const widths = async () =>
    Promise.all(
      (await page.locator('iframe').all()).map(async (frame) => (await frame.boundingBox())?.width),
    );
  await expect.poll(widths).toEqual([392, 780]);
});

it('a hostile e-mail runs and loads nothing', async () => {
  const site = await openSite();
  const address = site.otherPlace;
  const body = `<script>fetch('${address}/script')</script><img src="${address}/image" onerror="fetch('${address}/e')">
    <style>body { background: url(${address}/style) } @import url(${address}/import)</style>
    <link rel="preconnect" href="${address}"><meta http-equiv="refresh" content="0;url=${address}/refresh">
    </iframe><script>fetch('${address}/escaped')</script><form action="${address}/form"><button>Send</button></form><p>Text</p>`;
  const { page } = await openPreview([
    { content: { subject: '</title><script>1</script>', body } },
    {
      type: 'in_app',
      content: { body, avatar: `${address}/avatar`, redirect: { url: 'javascript:1' } },
    },
  ]);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Text').waitFor();
  await frame.getByText('Send').click();
  await page.waitForLoadState('networkidle');
  await fetch(`${site.samePlace}/last`);
  expect(site.requests).toEqual(['/last']);
  expect(await page.locator('script').count()).toBe(1);
});

it('a link of an e-mail opens an application whose scripts run', async () => {
  const site = await openSite(application);
  const body = `<p><a href="${site.otherPlace}/app">Open</a></p>`;
  const { page } = await openPreview([{ content: { subject: 'Link', body } }]);
  const opened = page.waitForEvent('popup');
  await page.frameLocator('iframe').getByRole('link', { name: 'Open' }).click();
  await (await opened).getByText('The script ran').waitFor();
  expect(site.requests).toContain('/app');
});
