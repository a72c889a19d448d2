// `Copy as`: each text does what it stands for.
import { HTTPClient, Novu } from '@novu/api';
import { expect, it } from 'vitest';
import { splitShellWords } from '../../../src/core/text.ts';
import { openRig } from '../../support/rig.ts';
import { key } from '../open.ts';
import { openPage, origin } from './open-page.ts';

type Page = Awaited<ReturnType<typeof openPage>>;

const text = (html: string) =>
  html
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

/** The texts of a view by name. */
async function snippets({ get }: Page, path: string): Promise<Record<string, string>> {
  const [, html = ''] = (await get(path)).text.split('<details class="copy">');
  return Object.fromEntries(
    [...html.matchAll(/<section aria-label="([^"]+)">.*?<pre[^>]*>(.*?)<\/pre>/gs)].map(
      ([, name = '', content = '']) => [name, text(content)],
    ),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the code of a page
const AsyncFunction: any = (async () => undefined).constructor;

/** Runs the code of an application, whose requests the sandbox gets. */
async function runClient(page: Page, code: string) {
  const fetcher = (input: Request | string | URL, init?: RequestInit) =>
    page.sandbox(new Request(input, init));
  const httpClient = new HTTPClient({ fetcher });
  class Client extends Novu {
    constructor(options: object) {
      super({ ...options, httpClient });
    }
  }
  const body = code.replace(/^import .*$/gm, '');
  await new AsyncFunction('Novu', 'env', body)(Client, { SVC_API_KEY: key });
}

/** Runs an assertion with what `svc-cli/testing` offers. */
async function runTest({ control }: Page, code: string) {
  const sandbox = {
    messages: async ({ subscriber, ...filter }: Record<string, string>) =>
      (await control.messages({ ...filter, subscriberId: subscriber, limit: 100 })).data,
    requests: async (filter: object) => (await control.requests({ ...filter, limit: 100 })).data,
  };
  await new AsyncFunction('sandbox', 'expect', code)(sandbox, expect);
}

const payload = { product: 'It\'s "<b>50%</b>" $HOME\n\\ 日本' };

it.each([
  [
    'POST /v1/events/trigger',
    {
      name: 'welcome',
      to: 'u1',
      payload,
      overrides: { providers: { sendgrid: { from: 'a@example.com' } } },
    },
  ],
  [
    'POST /v1/events/trigger',
    { name: 'welcome', to: [{ type: 'Topic', topicKey: 'announcements' }] },
  ],
  [
    'POST /v1/events/trigger',
    { name: 'welcome', to: { subscriberId: 'new', email: 'n@example.com' }, payload },
  ],
  ['POST /v1/events/trigger/bulk', { events: [{ name: 'welcome', to: 'u1', payload }] }],
  ['POST /v1/events/trigger/broadcast', { name: 'welcome', payload }],
  ['DELETE /v1/events/trigger/some', undefined],
  ['GET /v2/subscribers?limit=2&includeCursor=true', undefined],
  ['GET /v2/subscribers', undefined],
  ['POST /v2/subscribers', { subscriberId: 'new', firstName: 'Zoë' }],
  ['POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'new' }] }],
  ['GET /v2/subscribers/u1', undefined],
  ['PATCH /v2/subscribers/u1', { lastName: "O'Neil" }],
  ['DELETE /v2/subscribers/u1', undefined],
  ['GET /v2/topics', undefined],
  ['POST /v2/topics', { key: 'news', name: 'News' }],
  ['GET /v2/topics/announcements', undefined],
  ['PATCH /v2/topics/announcements', { name: 'News' }],
  ['DELETE /v2/topics/announcements', undefined],
  ['POST /v2/topics/announcements/subscriptions', { subscriberIds: ['u1'] }],
  ['DELETE /v2/topics/announcements/subscriptions', { subscriberIds: ['u1'] }],
  ['GET /v2/workflows', undefined],
  ['GET /v2/workflows/welcome', undefined],
  ['GET /v1/integrations', undefined],
] as const)('a request is sent by svc and by the client as it was: %s', async (line, body) => {
  const page = await openPage();
  await page.ask(line, body);
  const sent = (await page.control.requests({ limit: 1 })).data[0];
  const { svc = '', '@novu/api': code = '', ...others } = await snippets(page, '/page/requests/1');
  await runTest(page, others['Test (svc-cli/testing)'] ?? '');
  const rig = await openRig();
  const words = splitShellWords(svc).map((word) => word.text);
  const { requests } = await rig.svc([...words.slice(1), '--yes', '--json']);
  const write = requests.find((request) => request.line.startsWith(`${sent?.method} `));
  // `svc events trigger` sends a list of events.
  const isEvent = sent?.path === '/v1/events/trigger' && svc.startsWith('svc events');
  const { events = [] } = (write?.body ?? {}) as { events?: object[] };
  expect(write?.line).toBe(isEvent ? `${line}/bulk` : line);
  const { to, ...content } = (sent?.body ?? {}) as { to?: unknown };
  const toRecipient = (one: unknown) => (typeof one === 'string' ? { subscriberId: one } : one);
  if (isEvent) expect(events).toMatchObject([{ ...content, to: [to].flat().map(toRecipient) }]);
  else expect(write?.body).toEqual(sent?.body ?? undefined);
  const other = await openPage();
  await runClient(other, code).catch((error) => {
    // The client rejects some responses.
    if (!/validation|Status/i.test(String(error))) throw error;
  });
  const [repeated] = (await other.control.requests({ limit: 1 })).data;
  expect(repeated).toMatchObject({ method: sent?.method, path: sent?.path, query: sent?.query });
  expect(repeated?.body).toEqual(sent?.body);
});

it('curl reads the key from the environment, and repeats the request', async () => {
  const page = await openPage();
  await page.ask('POST /v1/events/trigger?a=b', {
    name: 'welcome',
    to: 'u1',
    payload: { n: "it's" },
  });
  const { curl, svc } = await snippets(page, '/page/requests/1');
  expect(curl).toBe(
    [
      `printf 'Authorization: ApiKey %s\\n' "$SVC_API_KEY" | curl --request POST '${origin}/v1/events/trigger?a=b' \\`,
      '  --header @- \\',
      "  --header 'content-type: application/json' \\",
      `  --data-raw '{"name":"welcome","to":"u1","payload":{"n":"it'\\''s"}}'`,
    ].join('\n'),
  );
  expect(svc).toBe(`svc events trigger welcome --to u1 --payload '{"n":"it'\\''s"}'`);
});

it('no text has a key or a secret', async () => {
  const page = await openPage();
  await page.ask('POST /v1/integrations', {
    ...{ providerId: 'sendgrid', channel: 'email', name: key },
    credentials: { apiKey: 's3cret', from: 'a@example.com' },
  });
  const all = Object.values(await snippets(page, '/page/requests/1'));
  expect(all).toHaveLength(4);
  expect(all.join('\n')).toContain('********');
  expect(all.join('\n')).not.toMatch(new RegExp(`s3cret|${key}`));
});

it('a message and its event are sent again, with an assertion about what arrived', async () => {
  const page = await openPage({ profile: "it's" });
  await page.trigger('order-update', 'u1', { order: 'A-7', state: 'shipped' }, 'first');
  for (const path of [await page.newest('sms'), '/page/activity/first']) {
    const { svc, '@novu/api': code = '', ...others } = await snippets(page, path);
    expect(svc).toBe(
      `svc events trigger order-update --to u1 --payload '{"order":"A-7","state":"shipped"}' -p 'it'\\''s'`,
    );
    await runTest(page, others['Test (svc-cli/testing)'] ?? '');
    const { length } = (await page.control.messages({ limit: 100 })).data;
    await runClient(page, code);
    expect((await page.control.messages({ limit: 100 })).data.length).toBeGreaterThan(length);
  }
  expect((await snippets(page, await page.newest('sms')))['Test (svc-cli/testing)']).toContain(
    'body: "Order A-7 is shipped."',
  );
});

it('content that is too long is not offered', async () => {
  const page = await openPage();
  await page.trigger('order-update', 'u1', { order: 'x'.repeat(7000), state: 'shipped' });
  const path = await page.newest('sms');
  expect(Object.keys(await snippets(page, path))).toEqual(['Test (svc-cli/testing)']);
  expect((await page.get(path)).text).toContain('The content is too long to copy.');
});

it('a path with an invalid escape has no call of the client', async () => {
  const page = await openPage();
  expect((await page.ask('DELETE /v1/events/trigger/%zz')).status).toBe(400);
  expect(Object.keys(await snippets(page, '/page/requests/1'))).toEqual([
    'svc',
    'curl',
    'Test (svc-cli/testing)',
  ]);
});
