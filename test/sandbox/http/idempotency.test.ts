// Idempotency keys: the response for a key is stored for a day and replayed, also after a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { noon, openSandbox } from '../open.ts';

const bulk = 'POST /v1/subscribers/bulk';
const body = { subscribers: [{ subscriberId: 'once' }] };
const key = (name: string) => ({ 'idempotency-key': name });
const day = 24 * 60 * 60 * 1000;

describe('an idempotency key', () => {
  test('executes 50 concurrent identical requests once', async () => {
    const { ask } = await openSandbox();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => ask(bulk, body, key('k'))),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const fresh = responses.filter(({ headers }) => !headers.has('idempotency-replay'));
    expect(fresh).toHaveLength(1);
    for (const { body } of responses) expect(body.created).toEqual([{ subscriberId: 'once' }]);
  });

  test('is rejected with another body, on any path', async () => {
    const { ask } = await openSandbox();
    await ask(bulk, body, key('k'));
    const other = await ask('PATCH /v2/topics/announcements', { name: 'x' }, key('k'));
    expect(other).toMatchObject({
      status: 422,
      body: { message: 'Request with key "k" is being reused for a different body' },
    });
    expect((await ask('PATCH /v2/topics/announcements', body, key('k'))).status).toBe(201);
  });

  test('replays an error as 503', async () => {
    const { ask } = await openSandbox();
    const first = await ask('POST /v1/environments', { name: 'Production' }, key('k'));
    const second = await ask('POST /v1/environments', { name: 'Production' }, key('k'));
    expect(first.status).toBe(422);
    expect(first.headers.get('idempotency-replay')).toBeNull();
    expect(second.headers.get('idempotency-replay')).toBe('true');
    expect(second).toMatchObject({ status: 503, body: { message: 'Service Unavailable' } });
  });

  test('can have at most 255 characters', async () => {
    const { ask } = await openSandbox();
    expect((await ask(bulk, body, key('k'.repeat(256)))).status).toBe(400);
    expect((await ask(bulk, body, key('k'.repeat(255)))).status).toBe(201);
  });

  test('is ignored on other methods', async () => {
    const { ask } = await openSandbox();
    for (let round = 0; round < 2; round += 1) {
      const response = await ask('GET /v2/topics', undefined, key('k'.repeat(300)));
      expect(response.status).toBe(200);
      expect(response.headers.has('idempotency-replay')).toBe(false);
    }
  });

  test('in progress returns 409 for five minutes', async () => {
    let now = noon;
    const waiting: (() => void)[] = [];
    const { ask } = await openSandbox({
      now: () => now,
      faults: { latency: 50 },
      startTimer: (delay, call) => {
        if (delay === 50) waiting.push(call);
        return () => undefined;
      },
    });
    const first = ask(bulk, body, key('k'));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const second = await ask(bulk, body, key('k'));
    expect(second.status).toBe(409);
    expect(second.headers.get('retry-after')).toBe('1');
    now += 5 * 60 * 1000;
    const third = ask(bulk, body, key('k'));
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const finish of waiting) finish();
    expect([(await first).status, (await third).status]).toEqual([201, 201]);
    expect((await ask(bulk, body, key('k'))).headers.get('idempotency-replay')).toBe('true');
  });

  test('expires after 24 hours of the system clock, not of the sandbox clock', async () => {
    let now = noon;
    const { ask, control, store } = await openSandbox({ now: () => now });
    await ask(bulk, body, key('k'));
    await control.advanceClock(10 * day);
    expect((await ask(bulk, body, key('k'))).headers.has('idempotency-replay')).toBe(true);
    now += day;
    const repeated = await ask(bulk, body, key('k'));
    expect(repeated.headers.has('idempotency-replay')).toBe(false);
    expect(repeated.body.updated).toEqual([{ subscriberId: 'once' }]);
    now += day;
    await ask(bulk, body, key('other'));
    expect(store.sql.get('SELECT count(*) AS count FROM idempotency')).toMatchObject({ count: 1 });
  });

  test('survives a restart', async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'svc-keys-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const directory = path.join(parent, 'data');
    const first = await openSandbox({ directory });
    await first.ask(bulk, body, key('k'));
    first.store.close();
    const { ask } = await openSandbox({ directory });
    const response = await ask(bulk, body, key('k'));
    expect(response.headers.get('idempotency-replay')).toBe('true');
    expect(response.body.created).toEqual([{ subscriberId: 'once' }]);
  });
});
