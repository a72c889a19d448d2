import { expect } from '@playwright/test';
import { test } from './fixtures.js';

test('a new comment appears at once, and is read with one click', async ({
  page,
  novu,
  sandbox,
}) => {
  await page.goto('/');
  await page.getByRole('button').click();
  // A subscriber is online while its inbox is connected.
  await expect(async () => {
    expect((await novu.subscribers.retrieve('ada')).result.isOnline).toBe(true);
  }).toPass();

  await novu.trigger({ workflowId: 'comment', to: 'ada', payload: { author: 'Grace' } });
  await page.getByText('Grace commented on your post').click();

  await expect.poll(() => sandbox.messages({ subscriber: 'ada' })).toMatchObject([{ read: true }]);
});
