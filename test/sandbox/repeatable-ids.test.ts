// Ids repeat after a reset, and in another sandbox with the same seed and a frozen clock. Secrets never repeat.
import { describe, expect, it } from 'vitest';
import { authorized, openTestSandbox, state, trigger } from '../testing/open.ts';
import { key, openSandbox } from './open.ts';

const options = { seed: state, time: '2026-01-15T12:00:00Z', frozen: true };
type Opened = Awaited<ReturnType<typeof openTestSandbox>>;

// biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
const json = async (sandbox: Opened, path: string, init: RequestInit = {}): Promise<any> =>
  (
    await sandbox.fetch(path, {
      ...init,
      headers: { ...authorized(sandbox), 'content-type': 'application/json' },
    })
  ).json();

/** The ids of everything that two events create. */
async function createIds(sandbox: Opened) {
  const transactions = [
    await trigger(sandbox, 'sign-up', 'u1'),
    await trigger(sandbox, 'reminder', { subscriberId: 'new', email: 'n@example.com' }),
  ];
  const broadcast = await json(sandbox, '/v1/events/trigger/broadcast', {
    method: 'POST',
    body: JSON.stringify({ name: 'sign-up', payload: {} }),
  });
  await sandbox.clock.advance('10m');
  const messages = (await sandbox.messages()).map(({ _id }) => _id);
  const { data } = await json(sandbox, '/v1/notifications?limit=50');
  const jobs = data.map(({ _id, jobs: all }: { _id: string; jobs: { _id: string }[] }) => [
    _id,
    ...all.map((job) => job._id),
  ]);
  const sent = await json(sandbox, '/v1/messages');
  const provided = sent.data.map(({ identifier }: { identifier: string }) => identifier);
  return { transactions, broadcast: broadcast.data.transactionId, messages, jobs, provided };
}

describe('ids', () => {
  it('repeat after a reset', async () => {
    const sandbox = await openTestSandbox(options);
    const first = await createIds(sandbox);
    await sandbox.reset();
    expect(await createIds(sandbox)).toEqual(first);
    expect(new Set(first.messages).size).toBe(first.messages.length);
  });

  it('repeat in another sandbox with the same seed and a frozen clock', async () => {
    const first = await createIds(await openTestSandbox(options));
    expect(await createIds(await openTestSandbox(options))).toEqual(first);
    const seed = { ...state, environments: [...state.environments, { name: 'Production' }] };
    const other = await createIds(await openTestSandbox({ ...options, seed }));
    expect(other.transactions).not.toEqual(first.transactions);
  });

  it('repeat with the built-in seed, whose rows are restored', async () => {
    const { seed: _, ...builtIn } = options;
    const transactions = async () => {
      const sandbox = await openTestSandbox(builtIn);
      return [
        await trigger(sandbox, 'welcome', 'u1'),
        ...(await sandbox.messages()).map(({ _id }) => _id),
      ];
    };
    const first = await transactions();
    expect(await transactions()).toEqual(first);
    expect(await transactions()).toEqual(first);
  });

  it('differ without a frozen clock', async () => {
    const { frozen: _, ...running } = options;
    const [first, second] = [await openTestSandbox(running), await openTestSandbox(running)];
    expect(await trigger(first, 'sign-up', 'u1')).not.toBe(await trigger(second, 'sign-up', 'u1'));
  });
});

it('keys never repeat', async () => {
  const keys: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { ask, control, store } = await openSandbox({ frozen: true });
    for (const isReset of [false, true]) {
      if (isReset) await control.reset();
      await ask('POST /v1/environments', { name: 'Other', color: '#aabbcc' });
      const sql =
        'SELECT key FROM api_keys WHERE env NOT IN (SELECT id FROM environments WHERE name = ?)';
      keys.push(...store.sql.all<{ key: string }>(sql, 'Production').map((row) => row.key));
    }
  }
  const created = keys.filter((id) => id !== key);
  expect(created).toHaveLength(4);
  expect(new Set(created).size).toBe(4);
});
