// The section Requests of the page: what the application sent, and what became of it.
import { expect, it } from 'vitest';
import { openPage, toText } from './open-page.ts';

async function opened() {
  const page = await openPage();
  await page.trigger('welcome', 'u1', { product: 'Svc' });
  await page.ask('GET /v2/subscribers/missing?fields=a');
  await page.ask('GET /v1/channel-connections');
  const show = async (path: string) => {
    const { status, text } = await page.get(path);
    return { status, text: toText(text), html: text };
  };
  return { ...page, show };
}

const rows = (html: string) => [...html.matchAll(/id="r-(\d+)"/g)].map(([, id]) => id);

it('lists the requests, newest first, with status; failed and not emulated ones are marked', async () => {
  const { show } = await opened();
  const { text, html } = await show('/page/requests');
  expect(rows(html)).toEqual(['3', '2', '1']);
  expect(text).toMatch(
    /GET \/v1\/channel-connections 12:00 .*Not emulated .*GET \/v2\/subscribers\/missing .* 404 .*POST \/v1\/events\/trigger .* 201/,
  );
  expect(html).toContain(
    'aria-current="page"><svg class="icon" aria-hidden="true"><use href="#icon-request"',
  );
});

it('shows the body, the query and the error of a request', async () => {
  const { show } = await opened();
  const sent = await show('/page/requests/1');
  expect(sent.text).toContain('POST /v1/events/trigger');
  expect(sent.text).toContain(`{ "name": "welcome", "to": "u1", "payload": { "product": "Svc" } }`);
  const failed = await show('/page/requests/2');
  expect(failed.text).toMatch(/Failed\. Subscriber.*missing.* Query .*fields a/);
  expect((await show('/page/requests/3')).text).toContain(
    'The service has this route, the sandbox does not.',
  );
  expect((await show('/page/requests/9')).status).toBe(404);
});

it('shows the query of a request without a body in the list', async () => {
  const { ask, show } = await opened();
  await ask('GET /v2/subscribers?limit=2&includeCursor=true');
  expect((await show('/page/requests')).text).toContain('?limit=2&includeCursor=true');
});

it('filters by path, method, status and result', async () => {
  const { show } = await opened();
  const showRows = async (query: string) => rows((await show(`/page/requests?${query}`)).html);
  expect(await showRows('q=subscribers')).toEqual(['2']);
  expect(await showRows('method=POST')).toEqual(['1']);
  expect(await showRows('status=404')).toEqual(['3', '2']);
  expect(await showRows('outcome=failed')).toEqual(['3', '2']);
  expect(await showRows('outcome=notEmulated')).toEqual(['3']);
  expect((await show('/page/requests?q=nothing')).text).toContain('No requests match');
});

it('masks secrets', async () => {
  const { ask, show } = await opened();
  await ask('POST /v1/integrations', { channel: 'email', credentials: { apiKey: 's3cret' } });
  const { html } = await show('/page/requests');
  expect(html).toContain('********');
  expect(html).not.toContain('s3cret');
});

it('has pages of 40 requests', async () => {
  const { ask, show } = await opened();
  for (let count = 0; count < 45; count += 1) await ask('GET /v2/topics');
  const first = await show('/page/requests');
  expect(rows(first.html)).toHaveLength(40);
  const older = /<a href="([^"]+)">Older/.exec(first.html)?.[1] ?? '';
  expect(rows((await show(older.replace('&amp;', '&'))).html)).toEqual([
    '8',
    '7',
    '6',
    '5',
    '4',
    '3',
    '2',
    '1',
  ]);
});

it('says how to send a request without any', async () => {
  const { get } = await openPage();
  expect(toText((await get('/page/requests')).text)).toContain('No requests yet');
});
