import { describe, expect, it } from 'vitest';
import { masked } from '../../src/output/mask.ts';

describe('secrets in answers', () => {
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

  it('leave a member called __proto__ a member', () => {
    const copy = masked(JSON.parse('{"__proto__":{"key":1}}'));
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"key":1}}');
  });
});
