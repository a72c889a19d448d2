// The tabs of an e-mail.
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPage, toText } from './open-page.ts';

async function openMail(body: string, options: object = {}) {
  const page = await openPage();
  const controlValues = { subject: 'S', body, editorType: 'html', ...options };
  const steps = [{ name: 'Mail', type: 'email', controlValues }];
  await page.ask('POST /v2/workflows', { name: 'mail', workflowId: 'mail', steps });
  await page.trigger('mail', 'u1', { plan: 'pro' }, undefined);
  const path = await page.newest('email');
  const tab = async (name: string) => {
    const { text } = await page.get(`${path}?tab=${name}`);
    return { html: text, text: toText(text.split('class="tab"')[1] ?? '') };
  };
  return { ...page, path, tab };
}

/** Returns the port, and the number of bytes and connections that the server got. */
async function listen() {
  const received = { bytes: 0, connections: 0 };
  const server = createServer((socket) => {
    received.connections += 1;
    socket.on('data', (data) => {
      received.bytes += data.length;
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, received };
}

test('the tabs of an e-mail are links that keep the filters, and other channels have fewer', async () => {
  const { get, path, newest } = await openMail('<p>Hi <a href="https://a.example/">A</a></p>');
  const { text } = await get(`${path}?channel=email&tab=text`);
  const tabs = /<nav class="tabs"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
  expect(toText(tabs)).toBe(' Preview Text Source Headers Links 1 Checks Payload ');
  expect(tabs).toContain(`href="${path}?channel=email&amp;tab=checks"`);
  expect(tabs).toMatch(/tab=text" aria-current="page"/);
  expect(text).toContain(`href="${path}?channel=email&amp;tab=text"`);
  const chat = (await get(`${await newest('chat')}?tab=source`)).text;
  expect(toText(/<nav class="tabs"[\s\S]*?<\/nav>/.exec(chat)?.[0] ?? '')).toBe(
    ' Preview Raw Payload ',
  );
  expect(toText((await get(`${path}?tab=unknown`)).text)).toContain('Open in a new tab');
});

test('the text numbers the links; the source is the whole content with its syntax', async () => {
  const body =
    '<h1 class="a">Hello</h1><p>Read <a href="https://a.example/?x=1&amp;y=2">the news</a> &amp; more.</p>';
  const { tab } = await openMail(body);
  expect((await tab('text')).text).toContain(
    'Hello Read the news [1] & more. https://a.example/?x=1&y=2',
  );
  const { html } = await tab('source');
  const source = /<pre class="source"[^>]*><code>([\s\S]*?)<\/code>/.exec(html)?.[1] ?? '';
  expect(source).toContain('<u>class</u>=<s>&quot;a&quot;</s>');
  const plain = source.replace(/<[^>]+>/g, '');
  expect(plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toContain(
    '<h1 class=&quot;a&quot;>Hello</h1>',
  );
});

test('the headers have the addresses of the event', async () => {
  const { get, newest, ask } = await openMail('<p>Hi</p>');
  const email = { cc: ['cc@example.com', 'dd@example.com'], replyTo: 'reply@example.com' };
  const event = { name: 'mail', to: 'u3', payload: {}, overrides: { email } };
  await ask('POST /v1/events/trigger', event);
  const text = toText((await get(`${await newest('email')}?tab=headers`)).text);
  for (const header of [
    'From Example <hello@example.com>'.replace('<', '&lt;').replace('>', '&gt;'),
    'To chiyo@example.com',
    'Cc cc@example.com, dd@example.com',
    'Reply-To reply@example.com',
    'Subject S',
  ])
    expect(text).toContain(header);
});

describe('the checks', () => {
  test('name links that do not work, without a request to another machine', async () => {
    const { port, received } = await listen();
    const body = `<a href="">Empty</a> <a href="#">Top</a> <a href="/relative">Relative</a>
      <a href="http://plain.example.com/">Plain</a> <a href="https://secure.example.com/">Secure</a>
      <a href="http://localhost:1/x">Dead</a> <a href="http://127.0.0.1:${port}/x">Alive</a>
      <a href="mailto:a@example.com">Mail</a>`;
    const { tab } = await openMail(body);
    const { text } = await tab('checks');
    for (const finding of [
      'Empty: the address is empty',
      'Top: the address is only #',
      'Relative: /relative is not a complete address',
      'http://plain.example.com/ is not encrypted (http)',
      'Dead: nothing listens on localhost:1',
    ])
      expect(text).toContain(finding);
    for (const good of ['Secure:', 'Alive:', 'Mail:']) expect(text).not.toContain(good);
    expect(received).toEqual({ bytes: 0, connections: 1 });
  });

  test('open connections for their own tab only', async () => {
    const { port, received } = await listen();
    const { get, path } = await openMail(`<a href="http://127.0.0.1:${port}/">Alive</a>`);
    for (const name of ['preview', 'links']) await get(`${path}?tab=${name}`);
    expect(received.connections).toBe(0);
  });

  test('name images without a text, features that mail programs lack, and missing variables', async () => {
    const { tab } = await openMail(
      `<style>@import url(x.css); .a { display: grid } .b { position: absolute; color: var(--c) }
        @keyframes k { from { top: 0 } }</style>
      <div style="display: flex">{{payload.name}}</div>
      <img src="https://a.example/1.png"><img src="https://a.example/2.png" alt="">`,
    );
    const { text } = await tab('checks');
    expect(text).toContain('1 image without a text (alt)');
    expect(text).toContain('https://a.example/1.png');
    expect(text).not.toContain('https://a.example/2.png');
    for (const feature of [
      'Flexbox',
      'Grid',
      'Positioning',
      'CSS variables',
      'Web fonts',
      'Animations',
    ])
      expect(text).toContain(`${feature}: not in`);
    expect(text).toContain('missing: payload.name (body)');
  });

  test('compare the size with the limit of Gmail', async () => {
    const { tab } = await openMail(`<p>${'long '.repeat(25_000)}</p>`);
    expect((await tab('checks')).text).toContain('122 KB. Gmail cuts an e-mail off after 102 KB.');
    const { tab: short } = await openMail('<p>Hi</p>');
    expect((await short('checks')).text).toContain('1 KB of 102 KB');
  });

  test('say what the service removed from the source', async () => {
    const body = `<!--[if mso]><table><tr><td><![endif]--><p>Hi</p><!--[if mso]></td></tr></table><![endif]-->
      <!-- a comment --><img alt="" src="data:image/png;base64,AA"><form action="x"><input name="a"></form>`;
    const { tab } = await openMail(body);
    const { text } = await tab('checks');
    expect(text).toContain('2 comments for Outlook');
    expect(text).toContain('1 other comment');
    expect(text).toContain('1 image source');
    expect(text).toContain('1 <form>'.replace('<', '&lt;').replace('>', '&gt;'));
    const { tab: raw } = await openMail('<p>Hi</p>', { disableOutputSanitization: true });
    expect((await raw('checks')).text).toContain('Nothing was removed from the source.');
  });
});

test('a chat message shows its formatting; nothing of it is markup', async () => {
  const { get, ask, trigger, newest } = await openPage();
  const body =
    '*Bold* _it_ ~no~ `code` <https://a.example/?a=1&amp;b=2|A link> <javascript:alert(1)|x> 2*3*4 snake_case_name\n> quoted\n<b>raw</b>';
  const steps = [{ name: 'Chat', type: 'chat', controlValues: { body } }];
  await ask('POST /v2/workflows', { name: 'chat', workflowId: 'chat', steps });
  await trigger('chat', 'u1');
  const path = await newest('chat');
  const { text } = await get(path);
  for (const html of [
    '<b>Bold</b> <i>it</i> <s>no</s> <code>code</code>',
    '<a href="https://a.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">A link</a>',
    '2*3*4 snake_case_name',
    '<blockquote>quoted</blockquote>',
    '&lt;b&gt;raw&lt;/b&gt;',
  ])
    expect(text).toContain(html);
  expect(text).not.toContain('href="javascript');
  const raw = (await get(`${path}?tab=raw`)).text;
  expect(raw).toContain('*Bold* _it_ ~no~ `code`');
});
