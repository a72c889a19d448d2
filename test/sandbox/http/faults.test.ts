// Faults on purpose: the same seed makes the same ones, and the sandbox's own routes meet none.
import { describe, expect, test } from 'vitest';
import { serveSandbox } from '../../../src/sandbox/index.ts';
import { openSandbox } from '../open.ts';

const bulk = 'POST /v1/subscribers/bulk';
const body = (subscriberId: string) => ({ subscribers: [{ subscriberId }] });
const key = { 'idempotency-key': 'k' };

describe('faults', () => {
  test('are set, shown and cleared', async () => {
    const { ask } = await openSandbox();
    const set = (given: object) => ask('POST /__sandbox/faults', given);
    expect((await set({ fail: 0.5, status: 500 })).body).toEqual({ fail: 0.5, status: 500 });
    expect((await set({ latency: 10 })).body).toEqual({ fail: 0.5, status: 500, latency: 10 });
    expect((await ask('GET /__sandbox/faults')).body).toMatchObject({ latency: 10 });
    expect((await ask('DELETE /__sandbox/faults')).body).toEqual({});
    expect((await set({ fail: 7, rateLimit: 'gold' })).status).toBe(422);
    expect((await ask('GET /__sandbox/faults')).body).toEqual({});
  });

  test('fail a share of the requests, the same ones for the same seed', async () => {
    const run = async (faultSeed: number) => {
      const { ask } = await openSandbox({ faults: { fail: 0.3, status: 502, faultSeed } });
      const statuses: number[] = [];
      for (let round = 0; round < 100; round += 1) {
        statuses.push((await ask('GET /v2/topics')).status);
      }
      return statuses;
    };
    const [first, second, other] = await Promise.all([run(42), run(42), run(43)]);
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
    const failed = first.filter((status) => status === 502).length;
    expect(failed).toBeGreaterThan(15);
    expect(failed).toBeLessThan(45);
  });

  test('that fail do nothing, and their key can be used again', async () => {
    const { ask } = await openSandbox({ faults: { fail: 1 } });
    expect((await ask(bulk, body('a'), key)).status).toBe(503);
    await ask('DELETE /__sandbox/faults');
    const again = await ask(bulk, body('a'), key);
    expect(again.body.created).toEqual([{ subscriberId: 'a' }]);
  });

  test('after the commit leave the work done and its answer to the key', async () => {
    const { ask } = await openSandbox({ faults: { afterCommit: 1 } });
    const outcome = await ask(bulk, body('a'), key).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    expect([503, 'the sandbox closed the connection to inject a fault']).toContain(outcome);
    const again = await ask(bulk, body('a'), key);
    expect(again.headers.get('idempotency-replay')).toBe('true');
    expect(again.body.created).toEqual([{ subscriberId: 'a' }]);
  });

  test('of latency wait before the work', async () => {
    const waits: number[] = [];
    const { ask } = await openSandbox({
      faults: { latency: 100 },
      startTimer: (delay, call) => {
        waits.push(delay);
        if (delay === 100) queueMicrotask(call);
        return () => undefined;
      },
    });
    expect((await ask('GET /v2/topics/announcements')).status).toBe(200);
    expect(waits).toContain(100);
  });

  test('in process, cut requests and bodies throw', async () => {
    const cut = 'the sandbox closed the connection to inject a fault';
    const reset = await openSandbox({ faults: { reset: 1 } });
    await expect(reset.ask('GET /v2/topics')).rejects.toThrow(cut);
    const truncated = await openSandbox({ faults: { truncate: 1 } });
    await expect(truncated.ask('GET /v2/topics')).rejects.toThrow(cut);
    expect((await truncated.ask('GET /__sandbox/status')).status).toBe(200);
  });

  test.each([
    ['reset', { reset: 1 }],
    ['truncate', { truncate: 1 }],
  ])('on a socket, %s breaks the connection', async (name, faults) => {
    const server = await serveSandbox({ host: '127.0.0.1', port: 0, faults });
    const headers = { authorization: `ApiKey ${server.key}` };
    const asked = fetch(`${server.baseUrl}/v2/topics`, { headers });
    if (name === 'reset') {
      await expect(asked).rejects.toThrow('fetch failed');
    } else {
      const answer = await asked;
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
    }
    const status = await fetch(`${server.baseUrl}/__sandbox/status`, { headers });
    expect(status.status).toBe(200);
    await status.text();
    await server.close();
  });
});
