// The details of e-mails and inboxes beside their content.
import { describe, expect, test } from 'vitest';
import { smsLength } from '../../../src/sandbox/page/message-lengths.ts';
import { previewDocument } from '../../../src/sandbox/page/preview-file.tsx';
import { openPage, toText } from './open-page.ts';

async function openMail(body: string) {
  const page = await openPage();
  const controlValues = { subject: 'S', body, editorType: 'html', disableOutputSanitization: true };
  const steps = [{ name: 'Mail', type: 'email', controlValues }];
  await page.ask('POST /v2/workflows', { name: 'mail', workflowId: 'mail', steps });
  await page.trigger('mail', 'u1');
  const path = await page.newest('email');
  return { ...page, path, detail: (await page.get(path)).text };
}

/** Opens the page in another browser. */
async function secondCookie({ send, createLink }: Awaited<ReturnType<typeof openPage>>) {
  const response = await send(await createLink());
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const image = '<img src="https://cdn.example.com/a.png"><img src="//cdn.example.com/b.png">';
const data = '<img src="data:image/png;base64,AA">';

describe('an e-mail', () => {
  test('has a box with size and text for each image that is not loaded', async () => {
    const sized =
      '<img src="https://cdn.example.com/a.png" srcset="https://cdn.example.com/2x.png 2x" width="600" height="200" alt="A & <b>">';
    const { path, get } = await openMail(
      `${sized}<img src="cid:logo" style="margin:0; width: 40px">${data}<picture><source srcset="https://cdn.example.com/c.png"></picture>`,
    );
    const { text } = await get(`${path}/email`);
    const boxes = [...text.matchAll(/src="(data:image\/svg[^"]*)"/g)].map(([, url = '']) =>
      decodeURIComponent(url),
    );
    expect(boxes).toHaveLength(2);
    expect(boxes[0]).toContain('width="600" height="200"');
    expect(boxes[0]).toContain('<div>A &amp; &lt;b&gt;</div><div>600 × 200</div>');
    expect(boxes[1]).toContain('<div>40 × ?</div>');
    expect(text).not.toContain('example.com');
    expect(text).toContain('src="data:image/png;base64,AA"');
  });

  test('loads images after a person asked for them, in this session and nothing else', async () => {
    const page = await openMail(`${image}<script>1</script>`);
    const { path, get, post, token } = page;
    const policy = async () =>
      (await get(`${path}/email`)).headers.get('content-security-policy') ?? '';
    expect(await policy()).toContain('img-src data:;');
    expect(page.detail).not.toContain('images=loaded');
    await post('/page/images', { token, load: 'yes', back: path });
    expect(await policy()).toBe(
      (await policy()).replace(/img-src [^;]*/, 'img-src data: http: https:'),
    );
    expect((await get(`${path}/email`)).text).toContain('src="https://cdn.example.com/a.png"');
    const { text, headers } = await get(path);
    expect(text).toContain(`src="${path}/email?images=loaded"`);
    expect(toText(text)).toContain('Do not load images');
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data:;");
    const other = (await get(`${path}/email`, { cookie: await secondCookie(page) })).headers;
    expect(other.get('content-security-policy')).toContain('img-src data:;');
    await post('/page/images', { token, load: 'no', back: path });
    expect(await policy()).toContain('img-src data:;');
  });

  test('says when it has no styles for dark screens, and shows its row in a mailbox', async () => {
    const { detail } = await openMail('<p>Hi</p>');
    expect(toText(detail)).toContain('The e-mail has no styles for dark screens');
    expect(detail).toContain('<strong dir="auto">Example</strong><span dir="auto">S</span>');
    for (const dark of [
      '<style>@media (prefers-color-scheme: dark) { p { color: red } }</style>',
      '<meta name="color-scheme" content="light dark">',
      '<style>:root { color-scheme: light dark }</style>',
    ])
      expect(toText((await openMail(`<p>Hi</p>${dark}`)).detail)).not.toContain('dark screens');
  });

  test('counts the remote images that are not loaded', async () => {
    const { detail } = await openMail(`<p>Hi</p>${image}${data}`);
    expect(toText(detail)).toContain('Remote images are not loaded (2).');
    const { detail: local } = await openMail(`<p>Hi</p>${data}`);
    expect(toText(local)).not.toContain('Remote images');
  });

  test('without content says so', async () => {
    for (const empty of ['', '<p> </p>', '<style>p { color: red }</style>']) {
      const { detail } = await openMail(empty);
      expect(toText(detail)).toContain('This e-mail is empty.');
    }
    const { detail } = await openMail(image);
    expect(toText(detail)).not.toContain('This e-mail is empty.');
  });

  test('can be opened in a tab of its own, with the same policy', async () => {
    const { detail, path, get } = await openMail('<p>Hi</p>');
    expect(detail).toContain(
      `<a href="${path}/email" target="_blank" rel="noopener" data-open="">Open in a new tab</a>`,
    );
    const own = (await get(`${path}/email`)).headers.get('content-security-policy');
    expect(own).toContain('sandbox allow-same-origin');
  });
});

describe('a phone', () => {
  test.each([
    ['a'.repeat(160), '160 characters in 1 segment.'],
    ['a'.repeat(161), '161 characters in 2 segments.'],
    ['€'.repeat(80), '80 characters in 1 segment.'],
    [`${'a'.repeat(152)}€${'a'.repeat(8)}`, '161 characters in 2 segments.'],
    ['ж'.repeat(70), '70 characters in 1 segment. ж is not in the SMS alphabet'],
    ['ж'.repeat(71), '71 characters in 2 segments. ж'],
    ['🚚', '1 character in 1 segment. 🚚'],
  ])('shows the length of an SMS', (text, expected) => {
    expect(smsLength(text)).toContain(expected);
  });

  test('cuts a long notification', async () => {
    const { ask, trigger, newest, get } = await openPage();
    const push = (subject: string, body: string) => [
      { name: 'Push', type: 'push', controlValues: { subject, body } },
    ];
    for (const [id, length] of [
      ['short', 45],
      ['long', 46],
    ] as const) {
      const steps = push('🎉'.repeat(length), 'b'.repeat(length));
      await ask('POST /v2/workflows', { name: id, workflowId: id, steps });
      await ask('PUT /v1/subscribers/u1/credentials', {
        ...{ providerId: 'fcm', credentials: { deviceTokens: ['t'] } },
      });
      await trigger(id, 'u1');
      const { text } = await get(await newest('push'));
      const cut = `${'🎉'.repeat(45)}<span class="cut">🎉</span>`;
      expect([id, text.includes(cut)]).toEqual([id, id === 'long']);
      expect(text.includes('A locked phone cuts')).toBe(id === 'long');
    }
  });
});

describe('a workflow', () => {
  const skip = {
    and: [
      { '==': [{ var: 'payload.plan' }, 'pro'] },
      { or: [{ '>': [{ var: 'payload.n' }, 3] }, { '!': [{ var: 'payload.off' }] }] },
    ],
  };
  const wait = { amount: 2, unit: 'hours', type: 'regular' };
  const steps = [
    { name: 'Later', type: 'delay', controlValues: wait },
    { name: 'Text', type: 'sms', controlValues: { body: 'Hi', skip } },
  ];

  test('has its steps in a line, with durations and conditions', async () => {
    const { ask, get } = await openPage();
    await ask('POST /v2/workflows', { name: 'flow', workflowId: 'flow', steps });
    const { text } = await get('/page/workflows/flow');
    expect(toText(text)).toMatch(
      /Later Delay Waits 2 hours\. Text SMS Only if payload\.plan == "pro" and \(payload\.n &gt; 3 or not payload\.off\) Skipped/,
    );
    for (const [, id] of text.matchAll(/href="#(step-[^"]+)"/g))
      expect(text).toContain(`id="${id}"`);
  });

  test('is rendered for the newest subscriber, and says why it cannot be sent', async () => {
    const { ask, get, post, token } = await openPage();
    await ask('POST /v2/workflows', { name: 'flow', workflowId: 'flow', steps });
    const path = '/page/workflows/flow';
    const field = /id="render-subscriber" name="subscriber" value="([^"]*)"/;
    await ask('POST /v2/subscribers', { subscriberId: 'newest' });
    expect(field.exec((await get(path)).text)?.[1]).toBe('newest');
    expect((await get(path)).text).not.toContain('id="obstacle"');
    await post(path, { token, payload: '{}', subscriber: '' });
    expect(toText((await get(path)).text)).toContain('Enter a subscriber to send.');
    await ask('PATCH /v2/workflows/flow', { active: false });
    const { text } = await get(path);
    expect(text).toMatch(/disabled="" aria-describedby="obstacle"/);
    expect(toText(text)).toContain('The workflow is inactive, so it cannot be sent.');
  });
});

describe('an inbox', () => {
  test('agrees with what the subscriber does in an application', async () => {
    const { ask, get } = await openPage();
    const { identifier } = (await ask('GET /v1/environments')).body[0];
    const session = { applicationIdentifier: identifier, subscriberId: 'u1' };
    const opened = await ask('POST /v1/inbox/session', session, { authorization: '' });
    const authorization = `Bearer ${opened.body.data.token}`;
    const inbox = '/v1/inbox/notifications';
    const { data } = (await ask(`GET ${inbox}`, undefined, { authorization })).body;
    const [archived, snoozed] = data.map(({ id }: { id: string }) => id);
    const patch = (path: string, body?: object) =>
      ask(`PATCH ${inbox}/${path}`, body, { authorization });
    expect(toText((await get('/page/inbox/u1')).text)).toContain('2 unread');
    await patch(`${archived}/archive`);
    await patch(`${snoozed}/snooze`, { snoozeUntil: '2026-01-15T18:30:00Z' });
    const text = toText((await get('/page/inbox/u1')).text);
    for (const shown of ['1 unread', 'Archived', 'Snoozed until 18:30'])
      expect(text).toContain(shown);
  });

  test('names its subscriber, and each message leads to its details', async () => {
    const { get, newest } = await openPage();
    const { text } = await get('/page/inbox/u1');
    expect(text).toContain('<h2 class="title"><bdi>Ada Okafor</bdi></h2>');
    expect(text).toMatch(
      new RegExp(
        `href="${await newest('in_app')}">Details<span class="hidden"> of Payment received<`,
      ),
    );
  });

  test('list that is longer than its page says how to find others', async () => {
    const { get, ask } = await openPage();
    const subscribers = Array.from({ length: 60 }, (_, index) => ({
      ...{ subscriberId: `many-${index}`, firstName: 'Many' },
    }));
    await ask('POST /v1/subscribers/bulk', { subscribers });
    const list = async (query: string) => toText((await get(`/page/inbox${query}`)).text);
    expect(await list('?q=Many')).toContain('The first 50 matches. Search to find others.');
    expect(await list('')).not.toContain('Search to find others');
    const to = subscribers.map(({ subscriberId }) => subscriberId);
    await ask('POST /v1/events/trigger', { name: 'welcome', to, payload: {} });
    expect(await list('')).toContain('The last 50 recipients. Search to find others.');
  });
});

test('a preview says how long a delay waits and a digest collects', () => {
  const step = {
    ...({ name: 'Step', result: 'shown', reason: null } as const),
    ...{ missingVariables: [], objectVariables: [] },
  };
  const html = previewDocument({
    ...{ name: 'W', subscriberId: undefined, payload: {}, time: '2026-01-15T12:00:00.000Z' },
    steps: [
      {
        ...step,
        stepId: 'a',
        type: 'delay',
        content: { type: 'regular', amount: 1, unit: 'hours' },
      },
      { ...step, stepId: 'b', type: 'digest', content: { amount: 10, unit: 'minutes' } },
      { ...step, stepId: 'c', type: 'digest', content: { type: 'timed', cron: '0 9 * * 1' } },
    ],
  });
  expect(toText(html)).toContain('Waits 1 hour.');
  expect(toText(html)).toContain('Collects events for 10 minutes.');
  expect(toText(html)).toContain('Collects events until the next time of 0 9 * * 1.');
});
