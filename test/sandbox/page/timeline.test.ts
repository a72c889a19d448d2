// The view of an event: the steps over time, and the list of events.
import { describe, expect, test } from 'vitest';
import { openPage, toText } from './open-page.ts';

describe('a timeline', () => {
  test('shows the reason of every step that was skipped or failed', async () => {
    const { get, trigger } = await openPage();
    await trigger('welcome', 'u6', { product: 'x' }, 'off');
    await trigger('welcome', 'u2', { product: 'x' }, 'no-email');
    await trigger('order-update', 'u3', { order: 'A', state: 'B' }, 'no-channel');
    await trigger('trial-ending', 'u1', { plan: 'pro' }, 'condition');
    const read = async (id: string) => toText((await get(`/page/activity/${id}`)).text);
    expect(await read('off')).toContain('The subscriber turned off e-mail for all workflows.');
    expect(await read('no-email')).toContain('The subscriber had no e-mail address.');
    expect(await read('no-channel')).toContain('The subscriber had no device token for push.');
    expect(await read('seed-price-2')).toContain('The limit of events was reached');
    expect(await read('seed-price-2')).toContain('The workflow is throttled');
    expect(await read('seed-trial-cancelled')).toContain(
      'The event was canceled before this step ran.',
    );
    expect(await read('condition')).toContain('Waits until 18 Jan 2026, 12:00:00.');
  });

  test('of a digest shows its end, and the events that were merged lead to it', async () => {
    const { get, trigger, post, token } = await openPage({ frozen: true });
    const payload = { post: { id: 'p', title: 'T' }, author: 'A', comment: 'C' };
    await trigger('comment-digest', 'u3', payload, 'one');
    await trigger('comment-digest', 'u3', payload, 'two');
    const read = async (id: string) => toText((await get(`/page/activity/${id}`)).text);
    expect(await read('one')).toContain('Collects events until 15 Jan 2026, 12:10:00.');
    expect(await read('two')).toContain('The event was merged into the digest of one.');
    expect((await get('/page/activity/two')).text).toContain('href="/page/activity/one"');
    expect(await read('one')).toContain('in 10 min 12:10 · Comment digest: Digest');
    await post('/page/clock', { token, advance: 'next', back: '/' });
    expect(await read('one')).toContain(
      'Moved to 12:10:00 on 15 Jan 2026. 1 waiting step ended, 2 messages captured.',
    );
    expect(await read('one')).toContain('Collected 2 events.');
    expect(toText((await get('/')).text)).toContain('New comments on T');
  });

  test('of a large event has pages of recipients', async () => {
    const { get, ask, trigger } = await openPage();
    const subscribers = Array.from({ length: 120 }, (_, index) => ({
      subscriberId: `many-${index}`,
    }));
    await ask('POST /v1/subscribers/bulk', { subscribers });
    await trigger(
      'welcome',
      subscribers.map(({ subscriberId }) => subscriberId),
      {},
      'large',
    );
    const recipients: string[] = [];
    let path: string | undefined = '/page/activity/large';
    while (path) {
      const { text }: { text: string } = await get(path);
      recipients.push(
        ...[...text.matchAll(/<a href="[^"]*recipient=[^"]*"><bdi>(many-\d+)<\/bdi>/g)].map(
          ([, id]) => id ?? '',
        ),
      );
      path = /href="([^"]+)">More recipients/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(recipients).toHaveLength(120);
    expect(new Set(recipients).size).toBe(120);
    expect(toText((await get('/page/activity/large')).text)).toContain('120 recipients');
  });

  test('with several recipients counts their channels by outcome in the list', async () => {
    const { get, trigger } = await openPage();
    await trigger('welcome', ['u1', 'u3', 'u2'], {}, 'several');
    await trigger('one-time-code', ['u1', 'u9'], { code: '1' }, 'codes');
    const { text } = await get('/page/activity');
    const row = (id: string) => toText(text.split(`id="e-${id}"`)[1]?.split('</li>')[0] ?? '');
    expect(row('several')).toContain(
      '3 recipients · several 3 In-app delivered 2 E-mail delivered 1 E-mail skipped',
    );
    expect(row('codes')).toContain(
      '2 recipients · codes 1 E-mail delivered 1 E-mail failed 2 SMS delivered',
    );
  });

  test('is found by workflow, subscriber and transaction', async () => {
    const { get } = await openPage();
    for (const query of ['seed-order', 'order-update', 'Farid'])
      expect((await get(`/page/activity?q=${query}`)).text).toContain('/page/activity/seed-order');
    expect(toText((await get('/page/activity?q=nothing-like-it')).text)).toContain(
      'No events match',
    );
  });
});
