// Faults of deliveries in `svc-cli/testing`.
import { expect, it } from 'vitest';
import { openTestSandbox, state, trigger } from './open.ts';

const fault = { channel: 'email', failNext: 1, error: 'Mailbox full' } as const;

it('fail the next message of a channel as its provider would', async () => {
  const sandbox = await openTestSandbox({ seed: state });
  await sandbox.faults.set(fault);
  await trigger(sandbox, 'sign-up', 'u1');
  expect(await sandbox.messages()).toMatchObject([{ status: 'error', errorText: 'Mailbox full' }]);
  expect(await sandbox.activity()).toMatchObject([{ steps: [{ verdict: 'failed' }] }]);
  await trigger(sandbox, 'sign-up', 'u1');
  expect(await sandbox.messages()).toMatchObject([{ status: 'sent' }, { status: 'error' }]);
});

it('can be set from the start, and are restored by a reset', async () => {
  const sandbox = await openTestSandbox({ seed: state, faults: [{ latency: 0 }, fault] });
  expect(await sandbox.faults.show()).toEqual({ latency: 0, deliveries: [fault] });
  await trigger(sandbox, 'sign-up', 'u1');
  expect(await sandbox.faults.show()).toEqual({ latency: 0 });
  await sandbox.reset();
  expect(await sandbox.faults.show()).toEqual({ latency: 0, deliveries: [fault] });
});

it('that are not valid are rejected at the start', async () => {
  await expect(openTestSandbox({ faults: { provider: 'sendgird', fail: 1 } })).rejects.toThrow(
    'The option faults is not valid: Unknown provider: sendgird.',
  );
});
