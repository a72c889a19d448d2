import { Novu } from '@novu/api';
import { startSandbox } from 'svc-cli/testing';
import { expect, it } from 'vitest';

it('sends one message for the comments of ten minutes', async () => {
  const sandbox = await startSandbox({ seed: 'workflows' });
  const novu = new Novu({ serverURL: sandbox.url, secretKey: sandbox.key });
  for (const author of ['Efua', 'Bruno'])
    await novu.trigger({ workflowId: 'comment', to: { subscriberId: 'ada' }, payload: { author } });
  expect(await sandbox.messages()).toEqual([]);
  await sandbox.clock.advance('10m');
  const [message] = await sandbox.messages({ subscriber: 'ada', channel: 'in_app' });
  expect(message?.body).toBe('2 new comments, the first one by Efua');
  await sandbox.stop();
});
