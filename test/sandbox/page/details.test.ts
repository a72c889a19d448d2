// The details of e-mails and inboxes beside their content.
import { describe, expect, test } from 'vitest';
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

const image = '<img src="https://cdn.example.com/a.png"><img src="//cdn.example.com/b.png">';
const data = '<img src="data:image/png;base64,AA">';

describe('an e-mail', () => {
  test('counts the remote images that are not loaded', async () => {
    const { detail } = await openMail(`<p>Hi</p>${image}${data}`);
    expect(toText(detail)).toContain('Remote images are not loaded here (2).');
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
