import { Novu } from '@novu/api';
import { type Sandbox, startSandbox } from 'svc-cli/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { signUp } from './sign-up.js';

let sandbox: Sandbox;
let novu: Novu;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'workflows' });
  novu = new Novu({ serverURL: sandbox.url, secretKey: sandbox.key });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox?.stop());

it('sends a link that confirms the address', async () => {
  await signUp(novu, 'ada@example.com', 't0ken');
  const [message] = await sandbox.messages({ channel: 'email' });
  expect(message).toMatchObject({ recipient: 'ada@example.com', subject: 'Confirm your address' });
  expect(message?.links[0]?.url).toBe('https://app.example.com/confirm?token=t0ken');
});

it('sends a reminder after a day', async () => {
  await signUp(novu, 'ada@example.com', 't0ken');
  await sandbox.clock.advance('1d');
  const messages = await sandbox.messages({ subscriber: 'ada@example.com' });
  expect(messages.map(({ subject }) => subject)).toEqual([
    'Still interested?',
    'Confirm your address',
  ]);
});
