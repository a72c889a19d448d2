// A sandbox of `svc-cli/testing` with the inbox of an application.
import { Novu } from '@novu/js';
import { expect, it, onTestFinished } from 'vitest';
import { openTestSandbox, trigger } from './open.ts';

it('serves the inbox and its socket, and stops while a client is connected', async () => {
  const sandbox = await openTestSandbox({ listen: true });
  const { url, applicationIdentifier } = sandbox;
  const novu = new Novu({
    ...{ applicationIdentifier, subscriber: 'u1', apiUrl: url, socketUrl: url },
  });
  onTestFinished(async () => void (await novu.socket.disconnect()));
  const received = new Promise((resolve) =>
    novu.on('notifications.notification_received', ({ result }) => resolve(result.body)),
  );
  await new Promise((resolve) => novu.on('socket.connect.resolved', resolve));
  await trigger(sandbox, 'welcome', 'u1');
  const [message] = await sandbox.messages({ subscriber: 'u1', channel: 'in_app' });
  expect(await received).toBe(message?.body);
  await sandbox.stop();
});

it('serves the inbox without a port, through its fetch', async () => {
  const { fetch, applicationIdentifier } = await openTestSandbox({ listen: false });
  const response = await fetch('/v1/inbox/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ applicationIdentifier, subscriberId: 'u1' }),
  });
  expect(response.status).toBe(201);
});
