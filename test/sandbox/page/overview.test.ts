// The overviews of the page: the home, the recipients of an event, the story of a person, and what Ctrl-K finds.
import { describe, expect, test } from 'vitest';
import { createCounter } from '../../../src/sandbox/page/home.tsx';
import { countGroups } from '../../../src/sandbox/page/outcome-counts.tsx';
import { groupOutcomes } from '../../../src/sandbox/store/page-overview.ts';
import { openPage, toText } from './open-page.ts';

const comment = { post: { id: 'p', title: 'T' }, author: 'A', comment: 'C' };
const link = (html: string, text: string | RegExp) => {
  const links = [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
  const found = links.find(([, , content = '']) => toText(content).trim().match(text));
  return found?.[1]?.replaceAll('&amp;', '&') ?? `no link with ${text}`;
};
const listedEvents = (html: string) =>
  [...html.matchAll(/id="e-([^"]+)" class="row"/g)].map(([, id]) => id);

/** A sandbox with the workflows of its seed and nothing else. */
async function openQuiet() {
  const page = await openPage();
  await page.control.advanceClock(40 * 86_400_000);
  return page;
}

test('the list of events opens the event of its first row, although a later one joined its digest', async () => {
  const { get, trigger } = await openQuiet();
  await trigger('comment-digest', 'u3', comment, 'first');
  await trigger('comment-digest', 'u3', comment, 'joins');
  const { text } = await get('/page/activity');
  expect(listedEvents(text)[0]).toBe('first');
  expect(toText(text)).toContain('Transaction first Triggered');
});

describe('the home', () => {
  test('counts the messages of a day by outcome, and each number leads to its events', async () => {
    const { get, trigger, control } = await openQuiet();
    await trigger('welcome', ['u1', 'u2'], { product: 'X' }, 'both');
    await control.setFaults({ channel: 'email', failNext: 1, error: 'Mailbox full' } as never);
    await trigger('invoice-paid', 'u1', { invoiceId: 'I', amount: 1, currency: 'EUR' }, 'full');
    await trigger('comment-digest', 'u3', comment, 'waits');
    const { text } = await get('/');
    const shown = toText(text);
    expect(shown).toContain('The last 24 hours');
    expect(shown).toMatch(/\d+ delivered 1 failed 1 skipped \d waiting/);
    expect(shown).toContain('1 The subscriber had no e-mail address.');
    expect(shown).toContain('1 The provider returned an error: Mailbox full.');
    const eventsOf = async (name: string | RegExp) =>
      listedEvents((await get(link(text, name))).text);
    expect(await eventsOf('1 failed')).toEqual(['full']);
    expect(await eventsOf('1 skipped')).toEqual(['both']);
    expect(await eventsOf(/no e-mail address/)).toEqual(['both']);
    expect(await eventsOf(/Mailbox full/)).toEqual(['full']);
    expect(await eventsOf(/^1 Invoice paid$/)).toEqual(['full']);
    expect(await eventsOf(/delivered$/)).toEqual(['full', 'both']);
    const hour = /href="([^"]+)" title="Today, 12:00: ([^"]+)"/.exec(text);
    expect(hour?.[2]).toContain('1 failed, 1 skipped');
    const hourPath = hour?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(listedEvents((await get(hourPath)).text)).toEqual(['waits', 'full', 'both']);
  });

  test('shows what is due, with a button that runs it', async () => {
    const { get, post, token, trigger } = await openQuiet();
    await trigger('comment-digest', 'u3', comment, 'one');
    const { text } = await get('/');
    expect(toText(text)).toContain('Comment digest Digest 12:10:00 · in 10 min');
    expect(link(text, /^Comment digest/)).toBe('/page/activity/one');
    const due = /name="advance" value="([^"]+)">Run until here/.exec(text)?.[1] ?? '';
    await post('/page/clock', { token, advance: due, back: '/' });
    const after = toText((await get('/')).text);
    expect(after).toContain('1 waiting step ended, 2 messages captured.');
    expect(after).toContain('No digest and no delay is waiting.');
  });

  test('counts a step that a digest carries as the digest', async () => {
    const { get, trigger, control } = await openQuiet();
    await trigger('comment-digest', 'u3', comment, 'one');
    await trigger('comment-digest', 'u3', comment, 'two');
    expect(toText((await get('/')).text)).toContain('0 delivered 0 failed 0 skipped 4 waiting');
    await control.advanceClock(600_000);
    expect(toText((await get('/')).text)).toContain('4 delivered 0 failed 0 skipped 0 waiting');
  });

  test('counts again after a write, and keeps its numbers until then', async () => {
    const { get, trigger, store } = await openQuiet();
    await trigger('one-time-code', 'u7', { code: '1' });
    const before = toText((await get('/')).text);
    expect(before).toMatch(/ [12] delivered/);
    const { all } = store.sql;
    let counted = 0;
    store.sql.all = (text, ...values) => {
      counted += text.includes('group_concat') ? 1 : 0;
      return all(text, ...values);
    };
    expect(toText((await get('/')).text)).toBe(before);
    expect(counted).toBe(0);
    await trigger('one-time-code', 'u7', { code: '2' });
    expect(toText((await get('/')).text)).not.toBe(before);
    expect(counted).toBe(1);
  });

  test('counts the same as a new reading after every kind of write', async () => {
    const { control, store, trigger, ask } = await openQuiet();
    const scope = store.scope(store.environmentId);
    const count = createCounter(store);
    const counted: unknown[] = [];
    const expectSame = async (write: () => Promise<unknown>) => {
      await write();
      const groups = groupOutcomes(store.sql, ['n.created_at >= ?', '2026-02-24T00']);
      const expected = countGroups(groups);
      expect(count(scope, '2026-02-24T00')).toEqual(expected);
      counted.push(Object.values(expected.messages).join(' '));
    };
    await expectSame(() => trigger('one-time-code', 'u7', { code: '1' }, 'code'));
    await expectSame(() => control.saveSnapshot('before'));
    await expectSame(() => trigger('comment-digest', 'u3', comment, 'opens'));
    await expectSame(() => trigger('comment-digest', 'u3', comment, 'joins'));
    await expectSame(() => trigger('comment-digest', 'u3', comment, 'joins too'));
    await expectSame(() => ask('DELETE /v1/events/trigger/opens'));
    await expectSame(() => control.advanceClock(600_000));
    await expectSame(() => control.restoreSnapshot('before'));
    await expectSame(() => control.reset());
    expect(counted).toMatchInlineSnapshot(`
      [
        "2 0 0 0",
        "2 0 0 0",
        "2 0 0 2",
        "2 0 0 4",
        "2 0 0 6",
        "2 0 2 4",
        "6 0 2 0",
        "2 0 0 0",
        "0 0 0 0",
      ]
    `);
  });

  test('of a sandbox that was quiet for a day shows the day of its newest event', async () => {
    const { get, trigger, control } = await openQuiet();
    await trigger('one-time-code', 'u7', { code: '1' });
    await control.advanceClock(3 * 86_400_000);
    expect(toText((await get('/')).text)).toMatch(/24 hours until 24 Feb 2026, 12:00 \d delivered/);
  });
});

describe('an event with several recipients', () => {
  const open = async () => {
    const page = await openQuiet();
    await page.trigger('welcome', ['u1', 'u2', 'u3'], { product: 'X' }, 'all');
    const rows = async (query: string) =>
      [
        ...(await page.get(`/page/activity/all${query}`)).text.matchAll(
          /<tr><th scope="row"><a href="([^"]*recipient=[^"]*)"><bdi>([^<]*)/g,
        ),
      ].map(([, path = '', name]) => ({ path: path.replaceAll('&amp;', '&'), name }));
    const names = async (query: string) => (await rows(query)).map(({ name }) => name);
    return { ...page, rows, names };
  };

  test('has a bar for each channel and a row for each person', async () => {
    const { get, names } = await open();
    const { text } = await get('/page/activity/all');
    expect(text).toContain('aria-label="E-mail: 2 delivered, 1 skipped"');
    expect(text).toContain('aria-label="In-app: 3 delivered"');
    expect(await names('')).toEqual(['Ada Okafor', 'Bruno Silva', 'Chiyo Tanaka']);
  });

  test('is filtered by outcome and searched', async () => {
    const { get, names } = await open();
    const { text } = await get('/page/activity/all');
    const skipped = link(text, '1 skipped');
    expect(await names(skipped.slice('/page/activity/all'.length))).toEqual(['Bruno Silva']);
    expect(await names('?result=email.missing_email')).toEqual(['Bruno Silva']);
    expect(await names('?result=any.delivered&person=tanaka')).toEqual(['Chiyo Tanaka']);
    expect(await names('?result=undelivered')).toEqual([]);
    expect(toText((await get('/page/activity/all?person=missing')).text)).toContain(
      'No recipients match Show all recipients',
    );
  });

  test('shows the timeline of the person who is opened', async () => {
    const { get, rows } = await open();
    const bruno = (await rows('')).find(({ name }) => name === 'Bruno Silva');
    const text = toText((await get(bruno?.path ?? '')).text);
    expect(text).toContain('All recipients of the event Bruno Silva u2 Story of Bruno Silva');
    expect(text).toContain('The subscriber had no e-mail address.');
    expect(text).not.toContain('Find a recipient');
  });

  test('shows no recipient of another event', async () => {
    const { get, rows, trigger } = await open();
    await trigger('welcome', 'u7', {}, 'other');
    const [first] = await rows('');
    const foreign = (first?.path ?? '').replace('/activity/all', '/activity/other');
    expect(toText((await get(foreign)).text)).not.toContain('Ada Okafor u1');
  });
});

describe('the story of a person', () => {
  test('has every event, message, skipped step and wait in order, with addresses and preferences', async () => {
    const { get, ask, trigger, control, newest } = await openQuiet();
    await ask('PATCH /v2/subscribers/u1/preferences', {
      ...{ workflowId: 'welcome', channels: { email: false } },
    });
    await trigger('welcome', 'u1', { product: 'First' }, 'first');
    await control.advanceClock(3_600_000);
    await trigger('comment-digest', 'u1', comment, 'waits');
    const { text } = await get('/page/story/u1');
    const shown = toText(text);
    expect(shown).toMatch(/E-mail ada@example.com .* Preferences email off for welcome/);
    expect(shown).toMatch(
      /Coming in 10 min waiting Collects events until .*, then .* Today 13:00:00 Comment digest .* 12:00:00 Welcome product: First/,
    );
    expect(shown).toContain('skipped The subscriber turned off e-mail for this workflow.');
    expect(text).toContain(`href="${await newest('in_app')}"`);
    expect(text).toContain('href="/page/activity/first"');
  });

  test('has a throttled step at the time of its event, and nothing to wait for', async () => {
    const { get, trigger, control } = await openQuiet();
    const alert = { symbol: 'X', price: 1 };
    await trigger('price-alert', 'u1', alert, 'passes');
    await trigger('price-alert', 'u1', alert, 'throttled');
    const story = toText((await get('/page/story/u1')).text);
    expect(story).toContain(
      'The workflow is throttled: no more events pass until 24 Feb 2026, 13:00:00.',
    );
    expect(story).not.toContain('Coming');
    await control.advanceClock(2 * 3_600_000);
    expect(toText((await get('/page/story/u1')).text)).not.toContain('13:00:00 skipped');
    expect((await get('/page/activity/throttled')).text).not.toContain('Run until here');
  });

  test('of a person without events is empty, and of an unknown one does not exist', async () => {
    const { get, ask } = await openQuiet();
    await ask('POST /v2/subscribers', { subscriberId: 'new', firstName: 'Nina' });
    expect(toText((await get('/page/story/new')).text)).toContain('No events yet');
    expect((await get('/page/story/unknown')).status).toBe(404);
  });

  test('has pages', async () => {
    const { get, ask } = await openQuiet();
    const events = Array.from({ length: 40 }, (_, index) => ({
      ...{ name: 'one-time-code', to: 'u7', payload: { code: String(1000 + index) } },
      transactionId: `code-${index}`,
    }));
    await ask('POST /v1/events/trigger/bulk', { events });
    const eventsIn = (html: string) =>
      new Set([...html.matchAll(/\/page\/activity\/(code-\d+)/g)].map(([, id]) => id));
    const first = (await get('/page/story/u7')).text;
    const second = (await get(link(first, 'Older'))).text;
    expect([eventsIn(first).size, eventsIn(second).size]).toEqual([25, 15]);
  });
});

test('Ctrl-K finds views, actions, workflows, people and events', async () => {
  const { get, trigger } = await openQuiet();
  await trigger('welcome', 'u1', {}, 'order-4711');
  const find = async (text: string) => (await get(`/page/find?q=${text}`)).text;
  expect(await find('mess')).toContain('href="/page/messages"');
  expect(await find('advance')).toContain('data-press="#advance-now"');
  expect(await find('TANAKA')).toContain('href="/page/story/u3"');
  expect(await find('Order%20up')).toContain('href="/page/workflows/order-update"');
  expect(await find('order-47')).toContain('href="/page/activity/order-4711"');
  expect(await find('no-such-thing')).toBe('<li class="none">Nothing is found.</li>');
});
