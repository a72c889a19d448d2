// The section Requests of the page: what the application sent, and what became of it.
import { expect, it } from 'vitest';
import { key } from '../open.ts';
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
  expect(failed.text).toMatch(/Failed\. Subscriber.*missing.* Request fields a No body Response/);
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

it('shows the response, the duration and the event beside the request', async () => {
  const { show, trigger } = await opened();
  await trigger('welcome', 'u1', {}, 'one');
  const { text, html } = await show('/page/requests');
  expect(text).toMatch(
    /Sent .* 0 ms Event one Request .*Response \{ "acknowledged": true, "status": "processed", "transactionId": "one" \}/,
  );
  expect(html).toContain('href="/page/activity/one"');
  expect((await show('/page/requests/2')).text).toContain('"statusCode": 404');
});

it('names the first events of many', async () => {
  const { show, ask } = await opened();
  const events = Array.from({ length: 7 }, () => ({
    ...{ name: 'welcome', to: 'u1', payload: { product: 'svc' } },
  }));
  await ask('POST /v1/events/trigger/bulk', { events });
  const { text, html } = await show('/page/requests');
  expect(html.match(/class="parameter" href="\/page\/activity\//g)).toHaveLength(5);
  expect(text).toContain('and 2 others');
});

it('keeps no response without a page, and none that is large', async () => {
  const { show, ask } = await opened();
  const subscribers = Array.from({ length: 100 }, (_, index) => ({
    ...{ subscriberId: `many-${index}`, data: { text: 'x'.repeat(800) } },
  }));
  await ask('POST /v1/subscribers/bulk', { subscribers });
  await ask('GET /v2/subscribers?limit=100');
  expect((await show('/page/requests')).text).toContain('Response Not kept');
});

it('shows the requests of svc only on demand', async () => {
  const { show, ask } = await opened();
  await ask('GET /v2/topics', undefined, { 'user-agent': 'svc/0.1.0' });
  expect(rows((await show('/page/requests')).html)).toEqual(['3', '2', '1']);
  const all = await show('/page/requests?sender=all');
  expect(rows(all.html)).toEqual(['4', '3', '2', '1']);
  expect(all.text).toContain('svc · No body');
  expect((await ask('GET /__sandbox/requests')).body.data).toHaveLength(4);
});

it('masks secret variables and keys in responses', async () => {
  const page = await openPage({ service: '3.19' });
  const { _id } = (await page.ask('GET /v1/environments')).body[0];
  const values = [{ _environmentId: _id, value: 'hush-hush' }];
  const variable = { key: 'TOKEN', type: 'string', isSecret: true, values };
  expect((await page.ask('POST /v1/environment-variables', variable)).status).toBe(200);
  await page.ask('GET /v2/subscribers?name=hush-hush');
  for (const path of ['/page/requests', '/page/requests/1', '/page/requests/2']) {
    const { text } = await page.get(path);
    expect(text).not.toContain('hush-hush');
    expect(text).not.toContain(key);
  }
});

it('shows the requests of steps: sent, not sent and failed ones', async () => {
  const page = await openPage({ service: '3.19' });
  const step = (name: string, url: string) => ({
    ...{ name, type: 'http_request' },
    controlValues: {
      url,
      method: 'POST',
      body: '{"n": 1, "password": "s3cret"}',
      continueOnFailure: true,
    },
  });
  const steps = [
    step('Away', 'https://api.example.com/people?token=t0p'),
    step('Closed', 'http://127.0.0.1:1/none'),
    { name: 'Text', type: 'sms', controlValues: { body: 'Hi' } },
  ];
  await page.ask('POST /v2/workflows', { name: 'http', workflowId: 'http', steps });
  await page.trigger('http', 'u1', {}, 'http');
  await expect.poll(async () => (await page.get('/page/messages')).text).toContain('SMS to Ada');
  const list = await page.get('/page/requests');
  const text = toText(list.text);
  expect(text).toMatch(
    /POST http:\/\/127\.0\.0\.1:1\/none .*No response .*POST https:\/\/api\.example\.com\/people .*Not sent/,
  );
  const ids = rows(list.text);
  const unsent = toText((await page.get(`/page/requests/${ids[2]}`)).text);
  expect(unsent).toContain('without --allow-http https://api.example.com');
  expect(unsent).toMatch(
    /Event http Request token \*+ \{ "n": 1, "password": "\*+" \} Response \{\}/,
  );
  expect(unsent.split('Following')[1]?.split('Rendered')[1]).not.toMatch(/s3cret|t0p/);
  // A test of an application counts its own requests.
  const own = (await page.ask('GET /__sandbox/requests')).body.data;
  expect(own.map(({ path }: { path: string }) => path)).toEqual([
    '/v1/events/trigger',
    '/v2/workflows',
  ]);
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
