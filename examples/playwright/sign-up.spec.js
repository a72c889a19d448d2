import { expect } from '@playwright/test';
import { test } from './fixtures.js';

test('the link in the e-mail confirms the address', async ({ request, sandbox }) => {
  const response = await request.post('/sign-up?email=ada@example.com');
  expect(response.status()).toBe(202);
  const [message] = await sandbox.waitForMessages({ subscriber: 'ada@example.com' });
  const { pathname, search } = new URL(message.links[0].url);
  expect(await (await request.get(`${pathname}${search}`)).text()).toBe(
    'ada@example.com is confirmed',
  );
});
