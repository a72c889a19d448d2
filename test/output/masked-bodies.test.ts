// Masks in request bodies: a secret that was copied from a response of svc must not replace the real one.
import { describe, expect, it } from 'vitest';
import { findMaskedSecret, findMaskedSecretIn, mask } from '../../src/output/mask.ts';

/** The same body as JSON text, as bytes of a larger buffer, and parsed. */
function findInAllForms(body: unknown): string | undefined {
  const text = JSON.stringify(body);
  const bytes = new TextEncoder().encode(`{}${text}{}`).subarray(2, -2);
  const secrets = [findMaskedSecret(text), findMaskedSecret(bytes), findMaskedSecretIn(body)];
  expect(new Set(secrets).size).toBe(1);
  return secrets[0];
}

describe('a masked secret in a body', () => {
  it.each<[string, unknown, string]>([
    ['a credential', { credentials: { apiKey: mask, from: 'me' } }, 'credentials.apiKey'],
    ['a webhook URL at the top', { webhookUrl: mask }, 'webhookUrl'],
    [
      'one device token of several',
      { credentials: { deviceTokens: ['a', mask] } },
      'credentials.deviceTokens',
    ],
    [
      'a channel of a subscriber in a list',
      { subscribers: [null, { channels: [{ credentials: { webhookUrl: mask } }] }] },
      'subscribers.1.channels.0.credentials.webhookUrl',
    ],
    ['a key in a list of API keys', { apiKeys: [{ key: mask }] }, 'apiKeys.0.key'],
    [
      'a secret after one that is not masked',
      { credentials: { apiKey: 'x', secretKey: mask } },
      'credentials.secretKey',
    ],
    ['the recipient of a chat message', [{ channel: 'chat', recipient: mask }], '0.recipient'],
  ])('is found: %s', (_name, body, field) => {
    expect(findInAllForms(body)).toBe(field);
  });

  it.each<[string, unknown]>([
    ['no mask', { credentials: { apiKey: 'x' } }],
    ['a mask in a field that is not secret', { name: mask, credentials: { from: mask } }],
    ['a mask in a longer text', { webhookUrl: `${mask}x`, deviceTokens: [`x${mask}`] }],
    ['a mask inside a secret object', { credentials: { tls: { name: mask } } }],
    ['a list of texts that is not a secret', { credentials: [mask], names: [mask] }],
    ['the recipient of an e-mail', { channel: 'email', recipient: mask }],
    ['a key that is not an API key', { key: mask, topic: { key: mask } }],
    ['an empty text and a missing value', { webhookUrl: '', directWebhookUrl: null, name: mask }],
    ['only a mask', mask],
  ])('is not %s', (_name, body) => {
    expect(findInAllForms(body)).toBeUndefined();
  });

  it('is not reported for text that is not JSON', () => {
    expect(findMaskedSecret(`{"webhookUrl":"${mask}"`)).toBeUndefined();
  });

  it('is found in deeply nested data', () => {
    const text = `${'{"a":'.repeat(5_000)}{"webhookUrl":"${mask}"}${'}'.repeat(5_000)}`;
    expect(findMaskedSecret(text)).toBe(`${'a.'.repeat(5_000)}webhookUrl`);
  });
});
