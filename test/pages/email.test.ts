// E-mails in their frame: height, width, colors, tabs, and content that tries to break them.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openBrowser, servePage } from './browser.ts';
import { openSite } from './other-site.ts';

async function openMail(body: string) {
  const server = await servePage();
  const controlValues = {
    ...{ subject: 'Mail', body, editorType: 'html', disableOutputSanitization: true },
  };
  await server.createWorkflow('mail', [{ name: 'Mail', type: 'email', controlValues }]);
  await server.trigger('mail', 'u1', { name: 'first' });
  const page = await server.signIn(await openBrowser());
  const path = await server.newest('email');
  await page.goto(`${server.baseUrl}${path}`);
  return { ...server, page, path };
}

const height = async (page: Page) => (await page.locator('iframe').boundingBox())?.height ?? 0;

describe('the frame', () => {
  it('is as high as its content, also after its width changes', async () => {
    const { page } = await openMail(
      `<body style="margin:0"><div style="height:1234px"></div><p style="margin:0;font-size:30px">${'word '.repeat(60)}</p></body>`,
    );
    await expect.poll(() => height(page)).toBeGreaterThan(1234);
    const wide = await height(page);
    await page.getByRole('radio', { name: 'Phone' }).check({ force: true });
    await expect.poll(() => height(page)).toBeGreaterThan(wide + 50);
    const overflow = await page
      .frameLocator('iframe')
      .locator('html')
      .evaluate((html) => Reflect.get(html, 'scrollHeight') - Reflect.get(html, 'clientHeight'));
    expect(overflow).toBe(0);
  });

  it('is short for a short e-mail, and at most 20,000 pixels high for a hostile one', async () => {
    const short = await openMail('<p>Hi</p>');
    await expect.poll(() => height(short.page)).toBeLessThan(120);
    const tall = await openMail('<div style="height: 9000000px">Tall</div>');
    await expect.poll(() => height(tall.page)).toBe(20_002);
    const window = await openMail(
      '<body style="margin:0;min-height:100vh;padding:40px">Text</body>',
    );
    await expect.poll(() => height(window.page)).toBeLessThan(500);
  });

  it('has the width of a phone, a tablet or a computer', async () => {
    const { page } = await openMail('<p>Hi</p>');
    const width = async () => (await page.locator('iframe').boundingBox())?.width ?? 0;
    const desktop = await width();
    for (const [name, pixels] of [
      ['Phone', 392],
      ['Tablet', 770],
      ['Desktop', desktop],
    ] as const) {
      await page.getByRole('radio', { name }).check({ force: true });
      await expect.poll(width).toBe(pixels);
    }
    expect(desktop).toBeGreaterThan(800);
  });

  it.each(['light', 'dark'] as const)(
    'shows the light and the dark version of an e-mail, in a browser with %s colors',
    async (colorScheme) => {
      const server = await servePage();
      const body =
        '<style>p { color: rgb(1, 1, 1) } @media (prefers-color-scheme: dark) { p { color: rgb(9, 9, 9) } }</style><p>Hi</p>';
      const controlValues = { subject: 'Mail', body, editorType: 'html' };
      await server.createWorkflow('mail', [{ name: 'Mail', type: 'email', controlValues }]);
      await server.trigger('mail', 'u1');
      const page = await server.signIn(await openBrowser({ colorScheme }));
      const color = () =>
        page
          .frameLocator('iframe')
          .locator('p')
          .evaluate((node) => Reflect.get(globalThis, 'getComputedStyle')(node).color);
      await expect.poll(color).toBe('rgb(1, 1, 1)');
      await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
      await expect.poll(color).toBe('rgb(9, 9, 9)');
      await page.getByRole('radio', { name: 'Light' }).check({ force: true });
      await expect.poll(color).toBe('rgb(1, 1, 1)');
    },
  );
});

it('a hostile e-mail leaves the page as it is: scripts, forms, refresh, overlays, other schemes', async () => {
  const { page, baseUrl, path } = await openMail(`
    <script>parent.document.title = 'Broken'</script>
    <img src=x onerror="parent.document.title = 'Broken'">
    <meta http-equiv=" Refresh " content="0; url=data:text/html,x">
    <div style="position:fixed;inset:0;z-index:99999;background:red">Overlay</div>
    <form action="/page/delete-all" method="post" target="_top"><button id="send">Send</button></form>
    <a id="a" href="javascript:parent.document.title='Broken'">1</a>
    <a id="b" href="data:text/html,x" target="_top">2</a>
    <a id="c" href="/page/activity" target="_parent">3</a>
    <a id="d" href="vbscript:x">4</a> <a id="e" href="file:///etc/passwd">5</a>
    <svg><a id="f" xlink:href="javascript:alert(1)"><text>6</text></a></svg>
    <a id="g" href="tel:+49123">7</a> <a id="h" href="mailto:a@example.com">8</a>`);
  const title = await page.title();
  const frame = page.frameLocator('iframe');
  await frame.locator('#send').evaluate((node) => Reflect.get(node, 'click').call(node));
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const link = frame.locator(`#${id}`);
    expect(await link.evaluate((node) => Reflect.get(node, 'outerHTML'))).not.toMatch(
      /href|target/,
    );
    await link.evaluate((node) =>
      node.dispatchEvent(new (Reflect.get(globalThis, 'MouseEvent'))('click', { bubbles: true })),
    );
  }
  for (const id of ['g', 'h'])
    expect(await frame.locator(`#${id}`).getAttribute('target')).toBe('_blank');
  expect(await page.title()).toBe(title);
  expect(page.url()).toBe(`${baseUrl}${path}`);
  expect(await page.locator('.top').isVisible()).toBe(true);
});

it('a message is sent again with another payload, and compared with the first', async () => {
  const { page, path, baseUrl } = await openMail('<p>Hello {{payload.name}}</p>');
  await page.getByText('Send again').click();
  const payload = page.locator('#again-payload');
  await payload.fill('{"name": }');
  await page.locator('.json-problem').getByText(/JSON/).waitFor();
  expect(await payload.getAttribute('aria-invalid')).toBe('true');
  await payload.fill('{"name": "second"}');
  await expect.poll(() => page.locator('.json-problem').textContent()).toBe('');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.frameLocator('iframe').getByText('Hello second').waitFor();
  expect(page.url()).not.toBe(`${baseUrl}${path}`);
  await page.getByRole('link', { name: 'Before' }).click();
  await page.frameLocator('iframe').getByText('Hello first').waitFor();
  await page.getByRole('link', { name: 'After' }).click();
  await page.frameLocator('iframe').getByText('Hello second').waitFor();
});

it('the keys search, go through the list, open the e-mail and return', async () => {
  const { page, baseUrl } = await openMail('<p>Hi</p>');
  await page.goto(`${baseUrl}/page/messages`);
  const focused = (name: string) =>
    page.evaluate((key) => Reflect.get(globalThis, 'document').activeElement[key], name);
  await page.keyboard.press('/');
  expect(await focused('name')).toBe('q');
  await page.keyboard.type('j');
  expect(await page.getByRole('searchbox').inputValue()).toBe('j');
  await page.keyboard.press('Escape');
  expect(await focused('tagName')).toBe('BODY');
  await page.goto(`${baseUrl}/page/messages`);
  const second = await page.locator('.row').nth(1).getAttribute('href');
  const first = await page.locator('.row').nth(0).getAttribute('href');
  await page.keyboard.press('j');
  await page.waitForURL(`${baseUrl}${second}`);
  await page.keyboard.press('k');
  await page.waitForURL(`${baseUrl}${first}`);
  const popup = page.waitForEvent('popup');
  await page.keyboard.press('o');
  expect((await popup).url()).toBe(`${baseUrl}${first}/email`);
  await page.keyboard.press('Escape');
  await page.waitForURL(`${baseUrl}/page/messages`);
});

it('the preview of a workflow follows the payload while a person types', async () => {
  const { page, baseUrl } = await openMail('<p>Hello {{payload.name}}</p>');
  await page.goto(`${baseUrl}/page/workflows/mail`);
  await page.frameLocator('iframe').getByText('Hello first').waitFor();
  const payload = page.locator('#render-payload');
  await payload.fill('{"name": "Zoë"}');
  await page.frameLocator('iframe').getByText('Hello Zoë').waitFor();
  expect(await payload.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  expect(await payload.inputValue()).toBe('{"name": "Zoë"}');
});

it('the colors of the page change with a button and stay', async () => {
  const { page, baseUrl } = await openMail('<p>Hi</p>');
  const background = () =>
    page
      .locator('.detail')
      .evaluate(
        (node) =>
          Reflect.get(globalThis, 'getComputedStyle')(node.ownerDocument.documentElement)
            .backgroundColor,
      );
  const light = await background();
  await page.locator('#theme').click();
  await page.locator('#theme', { hasText: 'Colors: light' }).waitFor();
  await page.locator('#theme').click();
  await page.locator('#theme', { hasText: 'Colors: dark' }).waitFor();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.goto(`${baseUrl}/page/activity`);
  expect(await background()).toBe(dark);
});

it('a search continues by itself until it has read everything', async () => {
  const server = await servePage();
  const step = { name: 'Text', type: 'sms', controlValues: { body: 'Text' } };
  await server.createWorkflow('many', Array(20).fill(step));
  const events = Array(60).fill({ name: 'many', to: 'u7', payload: {} });
  // 6,000 messages are newer than those of the seed.
  for (let count = 0; count < 5; count += 1)
    await server.ask('POST /v1/events/trigger/bulk', { events });
  const page = await server.signIn(await openBrowser());
  expect(await page.locator('body').textContent()).toMatch(/6,017\s+messages/);
  await page.getByRole('searchbox').fill('Farid');
  await page.keyboard.press('Enter');
  await page.locator('.row', { hasText: 'Farid' }).first().waitFor();
  await page.locator('.progress').waitFor({ state: 'detached' });
  // A busy machine takes long for so many messages.
}, 180_000);

it('images load after a person asked for them, and nothing else does', async () => {
  const site = await openSite();
  const { otherPlace: address } = site;
  const server = await servePage();
  const body = `<link rel="stylesheet" href="${address}/link"><style>@import url(${address}/import)</style>
    <script src="${address}/script"></script><iframe src="${address}/frame"></iframe>
    <img src="${address}/image" alt="Lamp" width="100" height="50"><p>Text</p>`;
  const controlValues = { subject: 'Mail', body, editorType: 'html' };
  const settings = { ...controlValues, disableOutputSanitization: true };
  await server.createWorkflow('mail', [{ name: 'Mail', type: 'email', controlValues: settings }]);
  await server.trigger('mail', 'u1');
  const page = await server.signIn(await openBrowser());
  await page.goto(`${server.baseUrl}${await server.newest('email')}`);
  await page.frameLocator('iframe').getByText('Text').waitFor();
  expect(site.requests).toEqual([]);
  await page.getByText('Load images', { exact: true }).click();
  await page.getByRole('button', { name: 'Load images of e-mails' }).click();
  await page.getByRole('button', { name: 'Do not load images' }).waitFor();
  await expect.poll(() => site.requests).toEqual(['/image']);
  await page.getByRole('button', { name: 'Do not load images' }).click();
  await page.getByText('Load images', { exact: true }).waitFor();
  expect(site.requests).toEqual(['/image']);
});

it('a text is copied with its button', async () => {
  const server = await servePage();
  await server.trigger('one-time-code', 'u7', { code: '42' });
  const context = await openBrowser({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await server.signIn(context);
  await page.goto(`${server.baseUrl}${await server.newest('sms')}`);
  await page.getByText('Copy as').click();
  await page.getByRole('button', { name: 'Copy svc' }).click();
  await expect.poll(() => page.locator('#news').textContent()).toBe('Copied');
  const copied = await page.evaluate(() =>
    Reflect.get(globalThis, 'navigator').clipboard.readText(),
  );
  expect(copied).toContain(`svc events trigger one-time-code --to u7 --payload '{"code":"42"}'`);
});
