// Which members of an answer are secrets.
import { parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { mask, masked } from '../../src/output/mask.ts';

describe('secrets in answers', () => {
  it('are shown as eight asterisks', () => expect(mask).toBe('********'));

  it('are masked by name, at any depth', () => {
    const answer = {
      apiKeys: [{ key: 'k', hash: 'h', _userId: 'u' }],
      credentials: {
        apiKey: 's',
        from: 'me@example.com',
        tlsOptions: { ca: 'x' },
        secure: true,
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
    expect(masked(answer)).toEqual({
      apiKeys: [{ key: '********', hash: '********', _userId: 'u' }],
      credentials: {
        apiKey: '********',
        from: 'me@example.com',
        tlsOptions: '********',
        secure: '********',
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
    'a %s is one wherever it stands',
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
  ])('the recipient of a message by %s is shown as %s', (channel, recipient) => {
    expect(masked([{ channel, recipient: 'to whom' }])).toEqual([{ channel, recipient }]);
  });

  it.each(['from', 'senderName', 'host', 'port', 'region', 'domain', 'user', 'channelId'])(
    'the %s among credentials is none',
    (name) => {
      const open = { credentials: { [name]: 'x' } };
      expect(masked(open)).toEqual(open);
    },
  );

  it.each(['key', 'hash'])('a %s is one only in a list of API keys', (name) => {
    expect(masked({ apiKeys: [{ [name]: 'x' }], other: [{ [name]: 'x' }] })).toEqual({
      apiKeys: [{ [name]: mask }],
      other: [{ [name]: 'x' }],
    });
    expect(masked({ credentials: { [name]: 'x' } })).toEqual({ credentials: { [name]: mask } });
  });

  it('what is below an open member is looked at anew, what is below a secret one is not shown', () => {
    expect(masked({ credentials: { from: { apiKey: 'x' }, other: { from: 'x' } } })).toEqual({
      credentials: { from: { apiKey: 'x' }, other: mask },
    });
  });

  it('lists of lists are walked with the name of their member', () => {
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
  ])('%s in the place of a secret', (_name, value, shown) => {
    expect(masked({ webhookUrl: value })).toEqual({ webhookUrl: shown });
  });

  it.each(['text', 7, true, null, undefined])('%j alone is itself', (value) => {
    expect(masked(value)).toBe(value);
  });

  it('numbers that are longer than a double stay as they came', () => {
    const value = parse('{"count":12345678901234567890,"credentials":{"port":1}}') as {
      count: unknown;
    };
    expect((masked(value) as typeof value).count).toBe(value.count);
    expect(masked(parse('{"credentials":{"pin":12345678901234567890}}'))).toEqual({
      credentials: { pin: mask },
    });
  });

  it('the answer itself stays as it was', () => {
    const answer = { webhookUrl: 'x', list: [{ deviceTokens: ['a'] }] };
    const before = structuredClone(answer);
    masked(answer);
    expect(answer).toEqual(before);
  });

  it('a member called __proto__ stays a member, and can be changed like any other', () => {
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
