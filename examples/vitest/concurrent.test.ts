import { Novu } from '@novu/api';
import { type Sandbox, startSandbox } from 'svc-cli/testing';
import { afterAll, beforeAll, it } from 'vitest';
import { signUp } from './sign-up.js';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'workflows', strictVariables: true });
});
afterAll(() => sandbox?.stop());

async function openEnvironment() {
  const environment = await sandbox.environment();
  const novu = new Novu({ serverURL: environment.url, secretKey: environment.key });
  return { environment, novu };
}

it.concurrent('triggers the workflow once', async ({ expect }) => {
  const { environment, novu } = await openEnvironment();
  await signUp(novu, 'ada@example.com', 't0ken');
  const requests = await environment.requests({ method: 'POST', path: '/v1/events/*' });
  expect(requests).toMatchObject([{ status: 201, body: { payload: { token: 't0ken' } } }]);
  const [message] = await environment.messages();
  expect(message).toMatchObject({ from: 'hello@example.com', senderName: 'Example' });
  expect(message?.text).toContain('Confirm your address');
});

it.concurrent('records that a mailbox is full', async ({ expect }) => {
  const { environment, novu } = await openEnvironment();
  await environment.faults.set({ channel: 'email', failNext: 1, error: 'Mailbox full' });
  await signUp(novu, 'ada@example.com', 't0ken');
  const messages = await environment.messages();
  expect(messages).toMatchObject([{ status: 'error', errorText: 'Mailbox full' }]);
});
