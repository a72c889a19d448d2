// Masking of secrets in responses.
import { parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { mask, masked } from '../../src/output/mask.ts';

it('a value without secrets is returned as it is, and only what has a secret is copied', () => {
  const plain = { id: 'a', list: [{ name: 'b' }, 1] };
  expect(masked(plain)).toBe(plain);
  const list = [plain, { credentials: { apiKey: 's' } }, { name: 'c' }];
  const shown = masked(list);
  expect(shown).toEqual([plain, { credentials: { apiKey: mask } }, { name: 'c' }]);
  expect(shown[0]).toBe(plain);
  expect(list[1]).toEqual({ credentials: { apiKey: 's' } });
});

describe('secrets in responses', () => {
  it('are shown as eight asterisks', () => expect(mask).toBe('********'));

  it('are masked in the data of an execution detail, which is a text of JSON', () => {
    const raw = (url: string, deviceToken: string) =>
      JSON.stringify({ channelData: { type: 'webhook', endpoint: { url } }, deviceToken, id: 1 });
    const texts = [
      raw('https://x', 't'),
      raw(mask, mask),
      '{"id":12345678901234567890}',
      '{broken',
      '',
    ];
    const shown = masked({ executionDetails: texts.map((text) => ({ raw: text })) });
    expect(shown.executionDetails.map((detail) => detail.raw)).toEqual([
      raw(mask, mask),
      ...texts.slice(1),
    ]);
  });

  it('are only the secrets of a list of credentials of a person', () => {
    const person = {
      credentials: [
        { providerId: 'slack', _integrationId: 'i', credentials: { webhookUrl: 'https://x' } },
      ],
    };
    const [provider] = person.credentials;
    expect(masked(person)).toEqual({
      credentials: [{ ...provider, credentials: { webhookUrl: '********' } }],
    });
  });

  it('are masked by field name, at any depth', () => {
    const response = {
      apiKeys: [{ key: 'k', hash: 'h', _userId: 'u' }],
      credentials: {
        apiKey: 's',
        from: 'me@example.com',
        tlsOptions: { ca: 'x' },
        secure: true,
        requireTls: false,
        password: '',
      },
      configurations: { inboundWebhookSigningKey: 's', inboundWebhookEnabled: true },
      channels: [
        { providerId: 'fcm', credentials: { deviceTokens: ['a', 'b'], webhookUrl: 'https://x' } },
      ],
      directWebhookUrl: 'https://y',
      deviceTokens: null,
      topic: { key: 'news' },
    };
    expect(masked(response)).toEqual({
      apiKeys: [{ key: '********', hash: '********', _userId: 'u' }],
      credentials: {
        apiKey: '********',
        from: 'me@example.com',
        tlsOptions: '********',
        secure: true,
        requireTls: false,
        password: '',
      },
      configurations: { inboundWebhookSigningKey: '********', inboundWebhookEnabled: true },
      channels: [
        {
          providerId: 'fcm',
          credentials: { deviceTokens: ['********', '********'], webhookUrl: '********' },
        },
      ],
      directWebhookUrl: '********',
      deviceTokens: null,
      topic: { key: 'news' },
    });
  });

  it.each(['inboundWebhookSigningKey', 'deviceTokens', 'webhookUrl', 'directWebhookUrl'])(
    'include %s anywhere',
    (name) => {
      const secret = { [name]: 'x' };
      const hidden = { [name]: mask };
      expect(masked(secret)).toEqual(hidden);
      expect(masked([{ deep: [secret] }])).toEqual([{ deep: [hidden] }]);
      expect(masked({ credentials: secret })).toEqual({ credentials: hidden });
    },
  );

  it.each([
    ['push', mask],
    ['chat', mask],
    ['email', 'to whom'],
    ['sms', 'to whom'],
    ['in_app', 'to whom'],
    [undefined, 'to whom'],
  ])(
    'include or exclude the recipient depending on the channel: %s is shown as %s',
    (channel, recipient) => {
      expect(masked([{ channel, recipient: 'to whom' }])).toEqual([{ channel, recipient }]);
    },
  );

  it.each(['from', 'senderName', 'host', 'port', 'region', 'domain', 'user', 'channelId'])(
    'exclude %s in credentials',
    (name) => {
      const value = { credentials: { [name]: 'x' } };
      expect(masked(value)).toEqual(value);
    },
  );

  it.each(['key', 'hash'])('include %s only in a list of API keys', (name) => {
    expect(masked({ apiKeys: [{ [name]: 'x' }], other: [{ [name]: 'x' }] })).toEqual({
      apiKeys: [{ [name]: mask }],
      other: [{ [name]: 'x' }],
    });
    expect(masked({ credentials: { [name]: 'x' } })).toEqual({ credentials: { [name]: mask } });
  });

  it('are found below a public credential; everything below a secret one is masked', () => {
    expect(masked({ credentials: { from: { apiKey: 'x' }, other: { from: 'x' } } })).toEqual({
      credentials: { from: { apiKey: 'x' }, other: mask },
    });
  });

  it('are masked in nested lists', () => {
    expect(masked({ apiKeys: [[{ key: 'x' }]] })).toEqual({ apiKeys: [[{ key: mask }]] });
  });

  it.each([
    ['nothing', null, null],
    ['undefined', undefined, undefined],
    ['an empty text', '', ''],
    ['an empty list', [], []],
    ['a list of empty texts', ['', null], [mask, mask]],
    ['zero', 0, mask],
    ['false', false, mask],
    ['an empty object', {}, mask],
  ])('are masked depending on the value: %s', (_name, value, shown) => {
    expect(masked({ webhookUrl: value })).toEqual({ webhookUrl: shown });
  });

  it.each(['text', 7, true, null, undefined])('leave a plain value unchanged: %j', (value) => {
    expect(masked(value)).toBe(value);
  });

  it('leave exact numbers unchanged', () => {
    const value = parse('{"count":12345678901234567890,"credentials":{"port":1}}') as {
      count: unknown;
    };
    expect((masked(value) as typeof value).count).toBe(value.count);
    expect(masked(parse('{"credentials":{"pin":12345678901234567890}}'))).toEqual({
      credentials: { pin: mask },
    });
  });

  it('are masked in a copy', () => {
    const response = { webhookUrl: 'x', list: [{ deviceTokens: ['a'] }] };
    const before = structuredClone(response);
    masked(response);
    expect(response).toEqual(before);
  });

  it('leave a member named __proto__ a normal member', () => {
    const copy = masked(JSON.parse('{"__proto__":{"key":1},"a":1}'));
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"key":1},"a":1}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(copy, 'a')).toEqual({
      value: 1,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  });
});
