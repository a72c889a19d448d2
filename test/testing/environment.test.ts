// `environment()` of `svc-cli/testing`: environments on one sandbox for tests that run at the same time.
import { describe, expect, it } from 'vitest';
import { authorized, openTestSandbox, state, trigger } from './open.ts';

const time = '2026-01-15T12:00:00Z';
const copied = { seed: state, time, frozen: true };

describe('an environment', () => {
  it('has its own key and a copy of the seed, and sees only its own messages and requests', async () => {
    const sandbox = await openTestSandbox(copied);
    const [first, second] = [await sandbox.environment(), await sandbox.environment()];
    expect(new Set([sandbox.key, first.key, second.key]).size).toBe(3);
    expect(first.url).toBe(sandbox.url);
    expect(first.applicationIdentifier).toMatch(/^[\da-f]{12}$/);
    await Promise.all([
      trigger({ ...sandbox, key: first.key }, 'sign-up', 'u1', { n: 1 }),
      trigger({ ...sandbox, key: second.key }, 'sign-up', 'u1', { n: 2 }),
    ]);
    expect(await first.messages()).toMatchObject([{ payload: { n: 1 }, subject: 'Confirm' }]);
    expect(await second.waitForMessages()).toMatchObject([{ payload: { n: 2 } }]);
    expect(await sandbox.messages()).toEqual([]);
    expect(await first.requests()).toMatchObject([{ body: { payload: { n: 1 } } }]);
    expect(await sandbox.requests()).toEqual([]);
    expect(await second.activity()).toHaveLength(1);
  });

  it('has its own faults', async () => {
    const sandbox = await openTestSandbox({ ...copied, faults: { latency: 0 } });
    const environment = await sandbox.environment();
    await environment.faults.set({ channel: 'email', failNext: 1 });
    await environment.faults.set({ failNext: 1 });
    expect(await sandbox.faults.show()).toEqual({ latency: 0 });
    const status = async (key: string) =>
      (await sandbox.fetch('/v2/topics', { headers: authorized({ key }) })).status;
    expect([await status(sandbox.key), await status(environment.key)]).toEqual([200, 503]);
    await trigger(sandbox, 'sign-up', 'u1');
    await trigger({ ...sandbox, key: environment.key }, 'sign-up', 'u1');
    expect(await sandbox.messages()).toMatchObject([{ status: 'sent' }]);
    expect(await environment.messages()).toMatchObject([{ status: 'error' }]);
  });

  it('reports its rejected trigger, however many others reject', async () => {
    const sandbox = await openTestSandbox(copied);
    const environment = await sandbox.environment();
    await trigger({ ...sandbox, key: environment.key }, 'sign-upp', 'u1');
    for (let count = 0; count < 10; count += 1) await trigger(sandbox, `other-${count}`, 'u1');
    await expect(environment.waitForMessages({ timeout: 0 })).rejects.toThrow(
      'A trigger was rejected: workflow_not_found `sign-upp`',
    );
  });

  it('shares the clock', async () => {
    const sandbox = await openTestSandbox(copied);
    const environment = await sandbox.environment();
    await trigger({ ...sandbox, key: environment.key }, 'reminder', 'u1');
    expect((await sandbox.clock.advance('10m')).jobsRun).toBe(1);
    expect(await environment.messages()).toHaveLength(1);
    expect((await environment.clock.show()).now).toBe('2026-01-15T12:10:00.000Z');
  });

  it('is reset on its own, and removed with a reset of the sandbox', async () => {
    const sandbox = await openTestSandbox(copied);
    const environment = await sandbox.environment();
    const own = { ...sandbox, key: environment.key };
    await trigger(sandbox, 'sign-up', 'u1');
    await trigger(own, 'sign-up', 'u2');
    for (const one of [sandbox, own]) await trigger(one, 'sign-upp', 'u1');
    await environment.reset();
    const wait = { workflow: 'reminder', timeout: 0 };
    await expect(environment.waitForMessages(wait)).rejects.toThrow(/triggered\.$/);
    await expect(sandbox.waitForMessages(wait)).rejects.toThrow('A trigger was rejected');
    expect(await environment.messages()).toEqual([]);
    expect(await environment.requests()).toEqual([]);
    expect(await sandbox.messages()).toHaveLength(1);
    await trigger(own, 'sign-up', 'u1');
    expect(await environment.messages()).toHaveLength(1);
    await sandbox.reset();
    await expect(environment.messages()).rejects.toThrow('API Key not found');
  });

  it('has an inbox of its own, with its own faults and requests', async () => {
    const sandbox = await openTestSandbox();
    const environment = await sandbox.environment();
    const { applicationIdentifier } = environment;
    const session = await sandbox.fetch('/v1/inbox/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ applicationIdentifier, subscriberId: 'u1' }),
    });
    const { data } = (await session.json()) as { data: { token: string } };
    await environment.faults.set({ failNext: 1, status: 503 });
    const list = async () => {
      const headers = { authorization: `Bearer ${data.token}` };
      return (await sandbox.fetch('/v1/inbox/notifications', { headers })).status;
    };
    expect([await list(), await list()]).toEqual([503, 200]);
    expect((await environment.requests()).map(({ path, status }) => [path, status])).toEqual([
      ['/v1/inbox/notifications', 200],
      ['/v1/inbox/notifications', 503],
      ['/v1/inbox/session', 201],
    ]);
    expect(await sandbox.requests()).toEqual([]);
  });

  it('can be removed', async () => {
    const sandbox = await openTestSandbox(copied);
    const environment = await sandbox.environment();
    const other = await sandbox.environment();
    await environment.remove();
    await expect(environment.messages()).rejects.toThrow('API Key not found');
    await expect(environment.remove()).rejects.toThrow('API Key not found');
    expect(await other.messages()).toEqual([]);
  });

  it('is not part of the exported state', async () => {
    const sandbox = await openTestSandbox(copied);
    const before = await sandbox.export();
    await sandbox.environment();
    expect(await sandbox.export()).toEqual(before);
  });

  it('has the built-in data without a seed, and the default integrations of a folder', async () => {
    const sandbox = await openTestSandbox();
    const environment = await sandbox.environment();
    await trigger({ ...sandbox, key: environment.key }, 'welcome', 'u1', { product: 'Svc' });
    const channels = (await environment.messages()).map(({ channel }) => channel).sort();
    await trigger(sandbox, 'welcome', 'u1', { product: 'Svc' });
    expect(channels).toEqual((await sandbox.messages()).map(({ channel }) => channel).sort());
    const folder = await openTestSandbox({ seed: 'examples/vitest/workflows' });
    const own = await folder.environment();
    await trigger({ ...folder, key: own.key }, 'sign-up', {
      subscriberId: 'x',
      email: 'x@example.com',
    });
    expect(await own.messages()).toMatchObject([{ status: 'sent' }]);
  });
});

it('twenty tests at the same time do not disturb each other', async () => {
  const sandbox = await openTestSandbox(copied);
  const test = async (number: number) => {
    const environment = await sandbox.environment();
    const own = { ...sandbox, key: environment.key };
    for (let event = 0; event < number; event += 1) await trigger(own, 'sign-up', 'u1', { number });
    const messages = await environment.messages();
    await environment.remove();
    return messages.map(({ payload }) => payload.number);
  };
  const numbers = Array.from({ length: 20 }, (_, index) => index % 4);
  const results = await Promise.all(numbers.map(test));
  expect(results).toEqual(numbers.map((number) => Array(number).fill(number)));
});
