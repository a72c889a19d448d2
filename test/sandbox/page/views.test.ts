// The content of the views of the page. test/pages/ checks how they look and behave in a browser.
import { describe, expect, test } from 'vitest';
import { openPage, toText } from './open-page.ts';

/** The paths of the messages in the list, in order. */
const listed = (html: string) =>
  [...html.matchAll(/class="row" href="(\/page\/messages\/[0-9a-f]{24})/g)].map(([, path]) => path);

test('a search that finds nothing offers the whole list', async () => {
  const { get } = await openPage();
  for (const noun of ['messages', 'workflows', 'activity', 'requests']) {
    const { text } = await get(`/page/${noun}?q=nowhere-to-be-found`);
    const plural = noun === 'activity' ? 'events' : noun;
    expect(toText(text)).toContain(`No ${plural} match`);
    expect(text).toContain(`<a href="/page/${noun}">Show all ${plural}</a>`);
  }
});

describe('the list of messages', () => {
  test('shows captured messages of every channel, newest first, and the newest one beside it', async () => {
    const { get, trigger, newest } = await openPage();
    await trigger('order-update', 'u1', { order: 'A-7', state: 'shipped' });
    const { text } = await get('/page/messages');
    expect(listed(text)[0]).toBe(await newest('sms'));
    expect(toText(text)).toContain('SMS to Ada Okafor');
    expect(toText(text)).toContain('Order A-7 is shipped.');
    for (const part of ['Today', 'Receipt for INV-1', 'Yesterday', '12 Jan 2026'])
      expect(toText(text)).toContain(part);
  });

  test('is filtered by channel, subscriber, workflow, outcome and payload', async () => {
    const { get, control } = await openPage();
    const all = (await control.messages({ limit: 100 })).data;
    const expected = (of: (item: (typeof all)[number]) => boolean) =>
      all.filter(of).map(({ _id }) => `/page/messages/${_id}`);
    const cases = [
      ['channel=sms', expected(({ channel }) => channel === 'sms')],
      ['subscriber=u1', expected(({ subscriberId }) => subscriberId === 'u1')],
      ['workflow=welcome', expected(({ workflow }) => workflow === 'welcome')],
      [
        'payload=inv-1',
        expected(({ payload }) => JSON.stringify(payload).toLowerCase().includes('inv-1')),
      ],
      ['outcome=failed', expected(({ status }) => status === 'error')],
      ['outcome=skipped', expected(({ status }) => status === 'warning')],
      [
        'channel=email&subscriber=u1&outcome=delivered',
        expected((item) => item.channel === 'email' && item.subscriberId === 'u1'),
      ],
    ] as const;
    for (const [query, paths] of cases) {
      expect(paths.length).toBeGreaterThan(0);
      expect([query, listed((await get(`/page/messages?${query}`)).text)]).toEqual([query, paths]);
    }
    const none = (await get('/page/messages?subscriber=unknown')).text;
    expect(toText(none)).toContain('No messages match Show all messages');
    expect(toText(none)).not.toContain('Nothing to show yet');
  });

  test('is searched in content, payload and recipient, whatever the case and with special characters', async () => {
    const { get, trigger, newest } = await openPage();
    await trigger('welcome', 'u3', { product: '50%_off "now" \\ Ärger' });
    const message = await newest('email');
    for (const text of ['50%_OFF', '"now"', '\\', 'Ärger', 'chiyo@example', 'TANAKA'])
      expect(listed((await get(`/page/messages?q=${encodeURIComponent(text)}`)).text)).toContain(
        message,
      );
    expect(listed((await get('/page/messages?q=50xx')).text)).toEqual([]);
  });

  test('has pages, and keeps the filters in its links', async () => {
    const { get, ask } = await openPage();
    const events = Array.from({ length: 50 }, (_, index) => ({
      name: 'one-time-code',
      to: 'u7',
      payload: { code: String(1000 + index) },
    }));
    await ask('POST /v1/events/trigger/bulk', { events });
    const first = (await get('/page/messages?channel=sms&subscriber=u7')).text;
    const older = /href="([^"]+)">Older</.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(older).toContain('channel=sms&subscriber=u7&before=');
    const second = (await get(older)).text;
    const all = [...listed(first), ...listed(second)];
    expect(all).toHaveLength(50);
    expect(new Set(all).size).toBe(50);
    expect(second).not.toContain('>Older<');
    expect(second).toContain('href="/page/messages?channel=sms&amp;subscriber=u7">Newest<');
  });

  describe('with 6,000 newer messages', () => {
    const openFull = async () => {
      const page = await openPage();
      const old = await page.newest('chat');
      // Copies of one message, with later times.
      page.store.sql.run(`
        INSERT INTO messages
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
        SELECT printf('%024x', i), env, subscriber, channel, notification, 'copy', workflow, read,
          seen, '2027-01-01T00:00:00.000Z', updated_at, body
        FROM n JOIN (SELECT * FROM messages WHERE channel = 'sms' LIMIT 1)`);
      return { ...page, old };
    };

    test('is filtered completely', async () => {
      const { get, control } = await openFull();
      const old = (await control.messages({ channel: 'chat', limit: 1 })).data[0];
      const failed = (await get('/page/messages?outcome=skipped')).text;
      expect(listed(failed).length).toBeGreaterThan(0);
      for (const query of [
        'channel=chat',
        `subscriber=${old?.subscriberId}`,
        `workflow=${old?.workflow}&channel=chat`,
      ])
        expect(listed((await get(`/page/messages?${query}`)).text)).toContain(
          `/page/messages/${old?._id}`,
        );
      expect(toText((await get('/page/messages')).text)).toMatch(/6,0\d\d messages/);
    });

    test('is searched in 5,000 at a time, and the search continues with a link', async () => {
      const { get, old } = await openFull();
      const first = (await get('/page/messages?q=Farid')).text;
      expect(listed(first)).toEqual([]);
      expect(toText(first)).toMatch(/Searched 5,000 of 6,0\d\d messages/);
      expect(toText(first)).not.toContain('No messages match');
      const older = /href="([^"]+)"[^>]*>Search older messages</.exec(first)?.[1] ?? '';
      const second = (await get(older.replaceAll('&amp;', '&'))).text;
      expect(listed(second)).toContain(old);
      expect(second).not.toContain('Search older messages');
    });
  });

  test('shows messages to subscribers who were deleted', async () => {
    const { get, ask, newest } = await openPage();
    const message = await newest('email');
    await ask('DELETE /v2/subscribers/u1');
    expect(listed((await get('/page/messages')).text)).toContain(message);
    expect(toText((await get(message)).text)).toContain('ada@example.com');
  });

  test('explains how to get messages when there are none', async () => {
    const { get, control } = await openPage();
    await control.seed({ version: 1, environments: [{ name: 'Development' }] } as never);
    expect(toText((await get('/')).text)).toContain('No events yet');
    expect(toText((await get('/page/messages')).text)).toContain('No messages yet');
    expect(toText((await get('/page/inbox')).text)).toContain('No messages yet');
    expect(toText((await get('/page/activity')).text)).toContain('No events yet');
  });
});

describe('a message', () => {
  test('to one device of several names it in the list', async () => {
    const { get, ask, trigger } = await openPage();
    const token = 'a-very-long-device-token-0123456789';
    await ask('PUT /v1/subscribers/u7/credentials', {
      ...{ providerId: 'fcm', credentials: { deviceTokens: ['phone', token] } },
    });
    await trigger('price-alert', 'u7', { product: 'Lamp', price: 10 });
    const text = toText((await get('/page/messages?channel=push&subscriber=u7')).text);
    expect(text).toContain('phone');
    expect(text).toContain('a-very…456789');
  });

  test('that was not delivered shows the reason, and has the same status everywhere', async () => {
    const { get, trigger, newest } = await openPage();
    await trigger('welcome', 'u2', { product: 'Example' });
    const html = (await get(await newest('email'))).text;
    expect(html).toContain('<p class="problem skipped">');
    const text = toText(html);
    expect(text).not.toMatch(/Sent \d/);
    expect(text).toContain('E-mail Skipped');
    expect(text).toMatch(/Captured \d/);
    expect(text).toContain('Not delivered. Subscriber does not have an email address');
    expect(text).toContain('To no address Bruno Silva');
  });

  test.each([
    [[], 'Failed', 'Not delivered. Host not found: x.invalid'],
    [['a'], 'Partly delivered', 'not to 1 of 2 addresses: Host not found: x.invalid.'],
  ])(
    'that does not reach one address, but %j, has a status of its own',
    async (others, status, reason) => {
      const { get, ask, trigger, newest } = await openPage({ service: '3.19' });
      const integration = { providerId: 'discord', channel: 'chat', identifier: 'hooks' };
      await ask('POST /v1/integrations', { ...integration, active: true, credentials: {} });
      const add = (url: string) =>
        ask('POST /v1/channel-endpoints', {
          ...{ subscriberId: '李', createSubscriberIfMissing: true, type: 'webhook' },
          ...{ integrationIdentifier: 'hooks', endpoint: { url } },
        });
      for (const name of ['x.invalid', ...others.map((name) => `${name}.example.com`)])
        expect(await add(`https://${name}/hook`)).toMatchObject({ status: 201 });
      await trigger('order-update', '李', { order: 'A', state: 'new' });
      const detail = toText((await get(await newest('chat'))).text);
      expect(detail).toContain(`Chat ${status}`);
      expect(detail).toContain(reason);
      const list = toText((await get('/page/messages?channel=chat&subscriber=李')).text);
      expect(list).toContain(`order-update ${status}`);
    },
  );

  test('of a channel without a subject is named by its recipient', async () => {
    const { get, newest } = await openPage();
    expect((await get(await newest('chat'))).text).toContain(
      '<h2 class="title" dir="auto">Chat to Farid Haddad</h2>',
    );
  });

  test('shows text, not markup, outside the frame of an e-mail', async () => {
    const { get, trigger, newest } = await openPage();
    const markup = '<img src=x onerror=alert(1)>"\'</title><script>alert(2)</script>';
    await trigger('order-update', 'u1', { order: markup, state: markup });
    await trigger('welcome', 'u1', { product: markup });
    for (const channel of ['email', 'in_app', 'sms', 'push', 'chat'])
      for (const path of [
        ...['/', '/page/messages', '/page/inbox/u1', '/page/story/u1', '/page/activity'],
        await newest(channel),
      ]) {
        const { text, status } = await get(path);
        expect(status).toBe(200);
        expect(text).not.toMatch(/<img src=x|<script>alert/);
      }
  });

  test('in the inbox names the address of each button and of the avatar', async () => {
    const { get, ask, trigger, newest, control, store } = await openPage();
    const action = (label: string, url: string) => ({ label, redirect: { url, target: '_self' } });
    const controlValues = {
      ...{ subject: 'S', body: 'B', avatar: 'https://example.com/wave.png' },
      primaryAction: action('Open', 'https://example.com/open'),
      secondaryAction: action('Later', '/later'),
    };
    const steps = [{ name: 'Inbox', type: 'in_app', controlValues }];
    await ask('POST /v2/workflows', { name: 'buttons', workflowId: 'buttons', steps });
    await trigger('buttons', 'u1');
    // The engine refuses such an address, but older data may have it.
    store.sql.run(
      "UPDATE messages SET body = json_set(body, '$.cta.action.buttons[1].url', 'javascript:alert(1)') WHERE body LIKE '%wave.png%'",
    );
    const { text } = await get(await newest('in_app'));
    expect(toText(text)).toContain('Open → https://example.com/open');
    expect(toText(text)).toContain('Later → javascript:alert(1)');
    expect(toText(text)).toContain('Avatar → https://example.com/wave.png');
    expect(text).toMatch(/<a class="fake-button primary"[^>]* href="https:\/\/example.com\/open"/);
    expect(text).toMatch(/<span class="fake-button secondary"/);
    const { cta } = (await control.messages({ channel: 'in_app', limit: 1 })).data[0] ?? {};
    expect(cta).toMatchObject({
      action: {
        buttons: [
          { content: 'Open', url: 'https://example.com/open', target: '_self' },
          { content: 'Later', url: 'javascript:alert(1)' },
        ],
      },
    });
  });

  test('links only to the web and to e-mail addresses', async () => {
    const { get, ask, trigger, newest, store } = await openPage();
    for (const [workflowId, url] of [
      ['safe', 'https://example.com/a?b=c'],
      ['script', 'javascript:alert(1)'],
      ['data', 'data:text/html,<script>alert(1)</script>'],
      ['relative', '/settings'],
    ] as const) {
      const redirect = { url: 'https://example.com/', target: '_self' };
      const controlValues = { subject: 'S', body: 'B', redirect };
      const steps = [{ name: 'Inbox', type: 'in_app', controlValues }];
      await ask('POST /v2/workflows', { name: workflowId, workflowId, steps });
      await trigger(workflowId, 'u1');
      // The engine refuses some of these addresses, but older data may have them.
      store.sql.run(
        `UPDATE messages SET body = json_set(body, '$.cta.data.url', ?, '$.links[0].url', ?)
         WHERE body LIKE '%"url":"https://example.com/"%'`,
        url,
        url,
      );
      const { text } = await get(await newest('in_app'));
      const hrefs = [...text.matchAll(/href="([^"]*)"[^>]*target="_blank"/g)].map(([, to]) => to);
      expect(hrefs).toEqual(workflowId === 'safe' ? [url, url] : []);
    }
  });
});

describe('an e-mail', () => {
  test('opens its links in a new tab and has no elements that reach other machines', async () => {
    const { get, ask, trigger, newest } = await openPage();
    const body = [
      '<link rel="preconnect" href="https://attacker.example"><base href="https://attacker.example/">',
      '<meta http-equiv="Refresh" content="0; url=https://attacker.example"><script>alert(1)</script>',
      '<iframe src="https://attacker.example"></iframe><object data="x"></object>',
      '<a href="https://example.com/a?x=1&amp;y=2" target="_top" rel="opener">Confirm</a>',
      '<a href="javascript:alert(1)">No</a><style>p { color: red }</style><p style="margin:0">Text</p>',
    ].join('');
    const controlValues = {
      subject: 'S',
      body,
      editorType: 'html',
      disableOutputSanitization: true,
    };
    const steps = [{ name: 'Mail', type: 'email', controlValues }];
    await ask('POST /v2/workflows', { name: 'Hostile', workflowId: 'hostile', steps });
    await trigger('hostile', 'u1');
    const path = await newest('email');
    const { text } = await get(`${path}/email`);
    expect(text).toContain(
      '<a href="https://example.com/a?x=1&amp;y=2" target="_blank" rel="noopener">Confirm</a>',
    );
    expect(text).toContain('<style>p { color: red }</style><p style="margin:0">Text</p>');
    expect(text).not.toMatch(/<(link|base|script|iframe|object)|refresh|javascript:|attacker/i);
    const detail = (await get(`${path}?tab=links`)).text;
    expect(toText(detail)).toContain('Confirm https://example.com/a?x=1&y=2');
    expect(detail).not.toContain('href="javascript:');
    const source = await get(`${path}/source`);
    expect(source.text).toBe(body);
    expect(source.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
  });
});

describe('an inbox', () => {
  test('shows the in-app messages of a subscriber and counts the unread ones', async () => {
    const { get } = await openPage();
    const text = toText((await get('/page/inbox/u1')).text);
    expect(text).toContain('Payment received');
    expect(text).toContain('2 unread');
    expect(text).not.toContain('Receipt for INV-1');
  });

  test('of any subscriber is found by name, id, email or phone', async () => {
    const { get } = await openPage();
    for (const query of ['lindqvist', 'u7', 'grete@example.com', '+15550107'])
      expect((await get(`/page/inbox?q=${encodeURIComponent(query)}`)).text).toContain(
        'href="/page/inbox/u7?q=',
      );
    expect(toText((await get('/page/inbox/u7')).text)).toContain('This inbox is empty');
  });
});

describe('every view', () => {
  test('works', async () => {
    const { get, newest } = await openPage();
    const paths = [
      '/',
      '/page/messages',
      '/page/inbox',
      '/page/inbox/u1',
      '/page/story/u1',
      '/page/activity',
      '/page/activity/seed-order',
    ];
    for (const channel of ['email', 'in_app', 'sms', 'push', 'chat'])
      paths.push(await newest(channel));
    for (const path of paths) expect((await get(path)).status).toBe(200);
    expect((await get('/page/nothing')).status).toBe(404);
  });
});

test('a browser loads less than 120 KB for a view with a full list', async () => {
  const { get, ask, newest } = await openPage();
  const events = Array.from({ length: 60 }, (_, index) => ({
    ...{ name: 'invoice-paid', to: 'u1' },
    payload: { invoiceId: `INV-${index}`, amount: 49.5, currency: 'EUR' },
  }));
  const { body } = await ask('POST /v1/events/trigger/bulk', { events });
  expect(body).toEqual(Array(60).fill(expect.objectContaining({ status: 'processed' })));
  const assets = await Promise.all(['/page/style.css', '/page/script.js'].map((path) => get(path)));
  for (const path of [
    ...['/', '/page/messages', '/page/inbox/u1', '/page/story/u1', '/page/activity'],
    ...['/page/activity/seed-order', '/page/requests', await newest('sms')],
    ...['/page/workflows', '/page/workflows/invoice-paid', `${await newest('email')}?tab=source`],
  ]) {
    const sizes = [await get(path), ...assets].map(({ text }) => Buffer.byteLength(text));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(120_000);
  }
});

test('ids that cannot be a part of a URL, and others like these, have links that open them', async () => {
  const ids = ['.', '..', '~', '~.', '...', 'a/b'];
  const step = { stepId: 'in-app', name: 'In-app', type: 'in_app' as const };
  const workflows = ids.map((id) => ({
    ...{ workflowId: id, name: `Workflow ${id}` },
    steps: [{ ...step, controlValues: { body: 'Hi' } }],
  }));
  const { get, post, token, trigger } = await openPage({
    seed: { version: 1, environments: [{ name: 'Development', workflows }] },
  });
  for (const id of ids) await trigger(id, 'u1', {}, id);
  for (const noun of ['workflows', 'activity']) {
    const { text } = await get(`/page/${noun}`);
    const links = [...text.matchAll(new RegExp(`href="(/page/${noun}/[^"?]+)`, 'g'))];
    const opened = new Set<string>();
    for (const [, link = ''] of links) {
      const { status, text: view } = await get(new URL(link, 'http://127.0.0.1').pathname);
      expect([link, status]).toEqual([link, 200]);
      opened.add(/<h1[^>]*>(.*?)<\/h1>/.exec(view)?.[1] ?? '');
    }
    expect(opened.size).toBe(ids.length);
  }
  const { status, headers } = await post('/page/workflows/~.', { token, payload: '{}' });
  expect([status, headers.get('location')]).toEqual([303, '/page/workflows/~.']);
});
