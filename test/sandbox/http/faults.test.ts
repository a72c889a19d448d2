// Fault injection: reproducible by seed, and never on the sandbox's own routes.
import { describe, expect, test } from 'vitest';
import { controlAt } from '../../support/control.ts';
import { serveSandbox } from '../../support/sandbox-311.ts';
import { openSandbox } from '../open.ts';

const bulk = 'POST /v1/subscribers/bulk';
const body = (subscriberId: string) => ({ subscribers: [{ subscriberId }] });
const key = { 'idempotency-key': 'k' };

describe('faults', () => {
  test('can be set, shown and cleared', async () => {
    const { ask } = await openSandbox();
    const set = (settings: object) => ask('POST /__sandbox/faults', settings);
    expect((await set({ fail: 0.5, status: 500 })).body).toEqual({ fail: 0.5, status: 500 });
    expect((await set({ latency: 10 })).body).toEqual({ fail: 0.5, status: 500, latency: 10 });
    expect((await ask('GET /__sandbox/faults')).body).toMatchObject({ latency: 10 });
    expect((await ask('DELETE /__sandbox/faults')).body).toEqual({});
    expect((await set({ fail: 7, rateLimit: 'gold' })).status).toBe(422);
    expect((await ask('GET /__sandbox/faults')).body).toEqual({});
  });

  test('fail a percentage of requests, the same ones for the same seed', async () => {
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

  test('that fail change nothing and do not use up the idempotency key', async () => {
    const { ask } = await openSandbox({ faults: { fail: 1 } });
    expect((await ask(bulk, body('a'), key)).status).toBe(503);
    await ask('DELETE /__sandbox/faults');
    const retry = await ask(bulk, body('a'), key);
    expect(retry.body.created).toEqual([{ subscriberId: 'a' }]);
  });

  test('after the commit keep the changes and the response stored for the key', async () => {
    const { ask } = await openSandbox({ faults: { afterCommit: 1 } });
    const outcome = await ask(bulk, body('a'), key).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    expect([503, 'the sandbox closed the connection to inject a fault']).toContain(outcome);
    const retry = await ask(bulk, body('a'), key);
    expect(retry.headers.get('idempotency-replay')).toBe('true');
    expect(retry.body.created).toEqual([{ subscriberId: 'a' }]);
  });

  test('with latency wait before the handler runs', async () => {
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

  test('that close the connection throw in process', async () => {
    const message = 'the sandbox closed the connection to inject a fault';
    const reset = await openSandbox({ faults: { reset: 1 } });
    await expect(reset.ask('GET /v2/topics')).rejects.toThrow(message);
    const truncated = await openSandbox({ faults: { truncate: 1 } });
    await expect(truncated.ask('GET /v2/topics')).rejects.toThrow(message);
    expect(await truncated.control.status()).toMatchObject({ name: 'svc-sandbox' });
  });

  test.each([
    ['reset', { reset: 1 }],
    ['truncate', { truncate: 1 }],
  ])('with %s close the connection on a socket', async (name, faults) => {
    const server = await serveSandbox({ host: '127.0.0.1', port: 0, faults, isBackground: true });
    const headers = { authorization: `ApiKey ${server.key}` };
    const pending = fetch(`${server.baseUrl}/v2/topics`, { headers });
    if (name === 'reset') {
      await expect(pending).rejects.toThrow('fetch failed');
    } else {
      const response = await pending;
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    }
    expect(await controlAt(server).status()).toMatchObject({ name: 'svc-sandbox' });
    await server.close();
  });
});
