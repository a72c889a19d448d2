// Small marks of the page: the count of checks, warnings of variables, sent parts, and chat messages in lists.
import { expect, it } from 'vitest';
import { openPage, toText } from './open-page.ts';

async function sent(type: string, controlValues: object, event: object = {}) {
  const page = await openPage();
  await page.ask('POST /v2/workflows', {
    ...{ name: 'Marks', workflowId: 'marks' },
    steps: [{ name: 'Step', type, controlValues }],
  });
  const trigger = { name: 'marks', to: 'u1', payload: {}, ...event };
  expect((await page.ask('POST /v1/events/trigger', trigger)).status).toBe(201);
  return { ...page, path: await page.newest(type) };
}

const email = (body: string) => ({ subject: 'Subject', body, editorType: 'html' });

it('the tab Checks has the number of its findings', async () => {
  const broken = '<a href="#">x</a><img src="https://example.com/a.png"><p>{{payload.name}}</p>';
  for (const [body, count] of [
    [broken, '<span class="number">3</span>'],
    ['<p>Hello</p>', ''],
  ] as const) {
    const { get, path } = await sent('email', email(body));
    expect((await get(path)).text).toContain(`>Checks${count}</a>`);
  }
});

it('missing variables are a warning, not a failure', async () => {
  const { get, path } = await sent('email', email('{{payload.name}}'));
  const { text } = await get(path);
  expect(text).toMatch(/<p class="problem warning" dir="auto"><strong>Check the variables\./);
  expect((await get(`${path}?tab=checks`)).text).toMatch(
    /<li class="warning">(?:(?!<li).)*Variables/,
  );
});

it('an e-mail shows what the event sends instead of its template', async () => {
  const overrides = { email: { html: '<p>Other</p>', subject: 'New', replyTo: 'r@example.com' } };
  const attachments = [{ name: 'a.pdf', mime: 'application/pdf', file: 'YWJj' }];
  const { get, path } = await sent('email', email('<p>Mine</p>'), {
    ...{ overrides, payload: { attachments } },
  });
  const { text } = await get(path);
  expect(toText(text)).toContain('Attached a.pdf (3 B)');
  expect(text).toContain('<h2 class="title" dir="auto">New</h2>');
  expect((await get(`${path}/email`)).text).toContain('Other');
  expect(toText((await get(`${path}?tab=headers`)).text)).toMatch(
    /Reply-To r@example.com Subject New/,
  );
});

it('a chat message in the list is text without the signs of mrkdwn', async () => {
  const { get, ask } = await sent('chat', {
    body: '*Order* _shipped_ &amp; `packed`: <https://example.com/t|Track>',
  });
  await ask('PUT /v1/subscribers/u1/credentials', {
    ...{ providerId: 'slack', credentials: { webhookUrl: 'https://example.com/hook' } },
  });
  await ask('POST /v1/events/trigger', { name: 'marks', to: 'u1', payload: {} });
  const { text } = await get('/page/messages?channel=chat');
  expect(text).toContain('<strong dir="auto">Order shipped &amp; packed: Track</strong>');
});
