// Tests the application with the messages that the sandbox has captured.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

const { APPLICATION_URL, SVC_BASE_URL, SVC_API_KEY } = process.env;

/** The first message of a channel to a subscriber. */
async function waitForMessage(subscriberId, channel) {
  const query = new URLSearchParams({ subscriberId, channel });
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const response = await fetch(`${SVC_BASE_URL}/__sandbox/messages?${query}`, {
      headers: { authorization: `ApiKey ${SVC_API_KEY}` },
    });
    const { data } = await response.json();
    if (data.length > 0) return data[0];
    await setTimeout(100);
  }
  throw new Error(`no ${channel} message to ${subscriberId}`);
}

test('a person who signs up gets a welcome e-mail', async () => {
  const response = await fetch(`${APPLICATION_URL}/sign-up`, {
    method: 'POST',
    body: JSON.stringify({ id: 'ada', email: 'ada@example.com' }),
  });
  assert.equal(response.status, 201);
  const message = await waitForMessage('ada', 'email');
  assert.match(message.subject, /Example/);
});
