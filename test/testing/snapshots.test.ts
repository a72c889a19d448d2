// `snapshot`, `restore`, `fork` and `story` of `svc-cli/testing`.
import { describe, expect, it } from 'vitest';
import { openTestSandbox as open } from './open.ts';

const trigger = async (
  sandbox: Awaited<ReturnType<typeof open>>,
  event: Record<string, unknown>,
) => {
  const response = await sandbox.fetch('/v1/events/trigger', {
    method: 'POST',
    headers: { authorization: `ApiKey ${sandbox.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ payload: { product: 'Svc' }, ...event }),
  });
  expect(response.status).toBe(201);
};

describe('a snapshot', () => {
  it('restores data, pending jobs, clock, faults and requests, as often as needed', async () => {
    const sandbox = await open({ time: '2026-01-15T12:00:00Z', frozen: true });
    await trigger(sandbox, { name: 'trial-ending', to: 'u7', transactionId: 'trial' });
    await sandbox.faults.set({ fail: 0.5, faultSeed: 3 });
    await sandbox.faults.set({ channel: 'email', failNext: 1 });
    const before = await sandbox.snapshot();
    const faults = await sandbox.faults.show();
    const requests = await sandbox.requests();
    for (let round = 0; round < 2; round += 1) {
      await sandbox.faults.clear();
      await trigger(sandbox, { name: 'welcome', to: 'u2', transactionId: 'hello' });
      await sandbox.clock.advance('4d');
      expect(await sandbox.messages({ transaction: 'trial' })).toHaveLength(1);
      await sandbox.restore(before);
      expect(await sandbox.messages({ transaction: 'trial' })).toEqual([]);
      expect(await sandbox.messages({ transaction: 'hello' })).toEqual([]);
      expect(await sandbox.clock.show()).toMatchObject({
        now: '2026-01-15T12:00:00.000Z',
        frozen: true,
      });
      expect(await sandbox.faults.show()).toEqual(faults);
      expect(await sandbox.requests()).toEqual(requests);
    }
  });

  it('keeps the keys, also those of environments that were created or deleted since', async () => {
    const sandbox = await open();
    const first = await sandbox.environment();
    const before = await sandbox.snapshot();
    await first.remove();
    const second = await sandbox.environment();
    await sandbox.restore(before);
    expect(await first.messages()).toEqual([]);
    await expect(second.messages()).rejects.toThrow('API Key not found');
    const { key } = sandbox;
    await sandbox.reset();
    await sandbox.restore(before);
    expect(sandbox.key).toBe(key);
    expect(await sandbox.messages()).toEqual([]);
  });

  it('of another name is unknown', async () => {
    const sandbox = await open();
    await expect(sandbox.restore({ name: 'other' })).rejects.toThrow(
      'No snapshot has the name other',
    );
  });
});

it('a fork has the data and the clock, its own key, and does not change the first', async () => {
  const sandbox = await open({ time: '2026-01-15T12:00:00Z', frozen: true });
  await trigger(sandbox, { name: 'trial-ending', to: 'u7', transactionId: 'trial' });
  const fork = await sandbox.fork();
  try {
    expect(fork.key).not.toBe(sandbox.key);
    await fork.clock.advance('4d');
    expect(await fork.messages({ transaction: 'trial' })).toHaveLength(1);
    expect(await sandbox.messages({ transaction: 'trial' })).toEqual([]);
    expect(await sandbox.clock.show()).toMatchObject({ now: '2026-01-15T12:00:00.000Z' });
  } finally {
    await fork.stop();
  }
});

it('a story says what became of an event', async () => {
  const sandbox = await open({ time: '2026-01-15T12:00:00Z', frozen: true });
  await trigger(sandbox, { name: 'welcome', to: 'u6', transactionId: 'hello' });
  await trigger(sandbox, { name: 'trial-ending', to: 'u6', transactionId: 'trial' });
  expect(sandbox.story({ subscriber: 'u6' })).toMatchInlineSnapshot(`
    "2026-01-15T12:00:00.000Z welcome to u6, transaction hello
      ✓ in_app at 2026-01-15T12:00:00.000Z: "Welcome, Farid!"
      – email: The subscriber turned off e-mail for all workflows.
    2026-01-15T12:00:00.000Z trial-ending to u6, transaction trial
      … email: The event waits in a delay until 2026-01-18T12:00:00.000Z."
  `);
  expect(sandbox.story({ transactionId: 'none' })).toBe(
    'No event of transaction none by 2026-01-15T12:00:00.000Z.',
  );
});
