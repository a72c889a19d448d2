// The forms of the page, besides that of the clock.
import { describe, expect, test } from 'vitest';
import { openPage, toText } from './open-page.ts';

describe('sending again', () => {
  test('creates a new message that can be compared with the first', async () => {
    const { get, post, token, trigger, newest } = await openPage();
    await trigger('welcome', 'u1', { product: 'Old' }, 'first');
    const before = await newest('email');
    const form = (await get(before)).text;
    expect(form).toContain('name="event" value="first"');
    expect(form).toContain('name="subscriber" value="u1"');
    const { status, headers } = await post('/page/send', {
      ...{ token, workflow: 'welcome', event: 'first', message: before.split('/').at(-1) ?? '' },
      ...{ subscriber: 'u3', payload: '{"product": "New"}' },
    });
    const after = await newest('email');
    expect(status).toBe(303);
    expect(headers.get('location')).toBe(`${after}?compare=${before.split('/').at(-1)}`);
    const { text } = await get(headers.get('location') ?? '');
    expect(toText(text)).toContain('Welcome to New');
    expect(toText(text)).toContain('chiyo@example.com');
    const compare =
      /<nav class="switch" aria-label="Compare">[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
    expect(compare).toContain(`href="${before}?compare=${after.split('/').at(-1)}">Before`);
    expect(compare).toMatch(/aria-current="true">After/);
    const old = (await get(`${before}?compare=${after.split('/').at(-1)}`)).text;
    expect(old).toMatch(/aria-current="true">Before/);
    expect(toText(old)).toContain('Welcome to Old');
  });

  test('keeps the overrides of the event; a waiting step leads to the timeline', async () => {
    const { post, token, ask, get } = await openPage();
    const overrides = { email: { subject: 'Replaced' } };
    const payload = { post: { id: 'p', title: 'T' }, author: 'A', comment: 'C' };
    await ask('POST /v1/events/trigger', {
      ...{ name: 'comment-digest', to: 'u3', payload, overrides, transactionId: 'first' },
    });
    const { headers } = await post('/page/send', {
      ...{ token, workflow: 'comment-digest', event: 'first', subscriber: 'u3' },
      payload: JSON.stringify(payload),
    });
    const location = headers.get('location') ?? '';
    expect(location).toMatch(/^\/page\/activity\/txn_|^\/page\/activity\//);
    expect(toText((await get(location)).text)).toContain('Comment digest');
  });

  test.each([
    ['{"a": }', 'The payload is not valid JSON'],
    ['[1]', 'The payload must be a JSON object.'],
    ['"text"', 'The payload is not valid JSON'],
  ])('of the payload %s sends nothing and says why', async (payload, problem) => {
    const { get, post, token, control } = await openPage();
    const count = (await control.status()).events;
    const form = { token, workflow: 'welcome', subscriber: 'u1', payload, back: '/page/activity' };
    const { headers } = await post('/page/send', form);
    expect(headers.get('location')).toBe('/page/activity');
    expect(toText((await get('/page/activity')).text)).toContain(problem);
    expect((await control.status()).events).toBe(count);
  });

  test('of an event that is not accepted says why', async () => {
    const { get, post, token } = await openPage();
    const form = (workflow: string, subscriber: string) => ({
      ...{ token, workflow, subscriber, payload: '{}' },
    });
    const notice = async (workflow: string, subscriber: string) => {
      await post('/page/send', form(workflow, subscriber));
      return toText((await get('/')).text);
    };
    expect(await notice('unknown', 'u1')).toContain(
      'The event was not accepted: workflow_not_found',
    );
    expect(await notice('legacy-newsletter', 'u1')).toContain('trigger not active');
    expect(await notice('welcome', '')).toContain('The subscriber is missing.');
  });
});

test('the messages of the environment are deleted after a second click; events stay', async () => {
  const { get, post, token, control } = await openPage();
  expect((await get('/page/messages')).text).toContain('action="/page/delete-all"');
  const events = (await control.status()).events;
  await post('/page/delete-all', { token });
  const text = toText((await get('/page/messages')).text);
  expect(text).toMatch(/\d+ messages deleted\./);
  expect(text).toContain('No messages yet');
  expect((await control.messages()).data).toEqual([]);
  expect((await control.status()).events).toBe(events);
});

test('the colors of the page are chosen for the session', async () => {
  const { get, post, token } = await openPage();
  const theme = async () =>
    /<html lang="en"(?: data-theme="(\w+)")?>/.exec((await get('/')).text)?.[1];
  expect(await theme()).toBeUndefined();
  for (const chosen of ['dark', 'light']) {
    await post('/page/theme', { token, theme: chosen, back: '/' });
    expect(await theme()).toBe(chosen);
  }
  await post('/page/theme', { token, theme: '"><script>', back: '/' });
  expect(await theme()).toBeUndefined();
});

test('every action needs the token of the page and its own origin', async () => {
  const { post, token, cookie, control } = await openPage();
  const count = (await control.messages({ limit: 100 })).data.length;
  for (const path of ['/page/send', '/page/delete-all', '/page/theme', '/page/workflows/welcome']) {
    const form = { workflow: 'welcome', subscriber: 'u1', payload: '{}', theme: 'dark' };
    expect((await post(path, form)).status).toBe(403);
    expect((await post(path, { ...form, token }, { cookie })).status).toBe(403);
    const other = { cookie, origin: 'http://127.0.0.1:9' };
    expect((await post(path, { ...form, token }, other)).status).toBe(403);
  }
  expect((await control.messages({ limit: 100 })).data.length).toBe(count);
});

describe('the workflows', () => {
  test('are listed, and their steps are rendered with the last payload', async () => {
    const { get, trigger } = await openPage();
    await trigger('order-update', 'u1', { order: 'A-7', state: 'shipped' });
    const list = toText((await get('/page/workflows')).text);
    for (const name of ['Order update', 'Welcome', 'Comment digest']) expect(list).toContain(name);
    const { text } = await get('/page/workflows/order-update');
    expect(toText(text)).toContain('Order A-7 is shipped.');
    expect(text).toContain('&quot;order&quot;: &quot;A-7&quot;');
    expect((await get('/page/workflows?q=digest')).text).not.toContain('Order update');
    expect((await get('/page/workflows/unknown')).status).toBe(404);
  });

  test('are rendered with an edited payload for a subscriber; nothing is sent', async () => {
    const { get, post, token, control } = await openPage();
    const events = (await control.status()).events;
    const path = '/page/workflows/welcome';
    await post(path, { token, payload: '{"product": "Edited"}', subscriber: 'u3' });
    const { text } = await get(path);
    expect(toText(text)).toContain('Welcome to Edited');
    const frame = /<iframe[^>]* src="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const email = await get(frame);
    expect(toText(email.text)).toContain('Hello Chiyo');
    expect(email.headers.get('content-security-policy')).toContain('sandbox allow-same-origin');
    await post(path, { token, payload: '{"product": ', subscriber: 'u3' });
    expect(toText((await get(path)).text)).toContain('The payload is not valid JSON');
    expect((await control.status()).events).toBe(events);
  });
});

test('subscribers are suggested by name and id', async () => {
  const { get } = await openPage();
  const { text } = await get('/page/people?q=lindqvist');
  expect(text).toMatch(/^<option value="u7">[^<]*Lindqvist<\/option>$/);
  expect((await get('/')).text).toContain('<datalist id="people"><option value="');
});

test('the bar and the icon have the color of the environment', async () => {
  const { get, ask } = await openPage();
  const { body } = await ask('GET /v1/environments');
  const all: { _id: string; name: string }[] = body.data ?? body;
  const own = all.find(({ name }) => name === 'Development');
  await ask(`PUT /v1/environments/${own?._id}`, { color: '#12ab34' });
  expect((await get('/')).text).toContain('fill="#12ab34"');
  expect((await get('/')).text).toContain(encodeURIComponent('fill="#12ab34"'));
});

test('events are filtered by outcome, subscriber, workflow and payload', async () => {
  const { get, trigger } = await openPage();
  await trigger('welcome', 'u1', { product: 'Needle' }, 'good');
  await trigger('one-time-code', 'u9', { code: '1' }, 'bad');
  await trigger('trial-ending', 'u1', { plan: 'pro' }, 'open');
  const listed = async (query: string) =>
    [...(await get(`/page/activity?${query}`)).text.matchAll(/id="e-([^"]+)"/g)].map(
      ([, id]) => id,
    );
  expect(await listed('outcome=delivered')).toContain('good');
  expect(await listed('outcome=delivered')).not.toContain('bad');
  expect(await listed('outcome=undelivered')).toContain('bad');
  expect(await listed('outcome=unfinished')).toContain('open');
  expect(await listed('payload=needle')).toEqual(['good']);
  expect(await listed('subscriber=u9&workflow=one-time-code')).toContain('bad');
  expect(await listed('subscriber=u9&workflow=welcome')).toEqual([]);
});
