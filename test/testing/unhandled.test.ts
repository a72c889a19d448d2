// `onUnhandled` of `svc-cli/testing`: requests for routes that the sandbox does not have.
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../support/sandbox-311.ts';
import { authorized, openTestSandbox } from './open.ts';

const text =
  'The application requested routes that exist in the service, not in the sandbox: GET /v1/channel-endpoints (1)';

describe("onUnhandled: 'error'", () => {
  it('rejects what reads messages, and the stop, which stops first', async () => {
    const sandbox = await startSandbox({ onUnhandled: 'error', listen: false });
    expect(await sandbox.messages()).toEqual([]);
    await sandbox.fetch('/v1/channel-endpoints', { headers: authorized(sandbox) });
    await expect(sandbox.messages()).rejects.toThrow(text);
    await expect(sandbox.waitForMessages({ timeout: '1ms' })).rejects.toThrow(text);
    await expect(sandbox.stop()).rejects.toThrow(text);
    await expect(sandbox.fetch('/v1/channel-endpoints')).rejects.toThrow(
      'The sandbox has stopped.',
    );
    await expect(sandbox.stop()).rejects.toThrow(text);
  });

  it('accepts a route that the service does not have either, and starts again after a reset', async () => {
    const sandbox = await openTestSandbox({ onUnhandled: 'error' });
    await sandbox.fetch('/v1/chanel-endpoints');
    expect(await sandbox.messages()).toEqual([]);
    await sandbox.fetch('/v1/channel-endpoints');
    await sandbox.reset();
    expect(await sandbox.messages()).toEqual([]);
  });
});

it('is ignored by default', async () => {
  const sandbox = await openTestSandbox();
  await sandbox.fetch('/v1/channel-endpoints');
  expect(await sandbox.messages()).toEqual([]);
});

it('must be one of its values', async () => {
  const options = { onUnhandled: 'warn', listen: false } as never;
  await expect(startSandbox(options)).rejects.toThrow(
    `The option onUnhandled must be 'error' or 'ignore', not "warn".`,
  );
});
