// Idempotency keys between svc and the service: a request in progress, a key used twice, an answer that is kept.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { against, type Fate, keysOf, rename, trigger } from '../support/fail-responses.ts';

const inProgress = (seconds: string): Fate => [409, { 'retry-after': seconds }];
const replayed = (status: number): Fate => [status, { 'idempotency-replay': 'true' }];
const errorOf = (stderr: string) =>
  (JSON.parse(stderr) as { error: { code: number; message: string; hint: string } }).error;

describe('a request that the service is still carrying out', () => {
  it('is waited for, and sent again with the same key, as often as --retries allows', async () => {
    const ended = await Promise.all([
      against(rename, [500, inProgress('1')]),
      against([...trigger, '--idempotency-key', 'mine'], [inProgress('1'), inProgress('0')]),
    ]);
    for (const { code, stderr, seen } of ended) {
      expect({ code, stderr, requests: seen.length }).toEqual({ code: 0, stderr: '', requests: 3 });
      expect(new Set(keysOf({ seen })).size).toBe(1);
    }
    const [first, second] = ended.map(({ seen }) => seen.map(({ at }) => at));
    expect((first?.[2] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((second?.[1] ?? 0) - (second?.[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(keysOf(ended[1] ?? { seen: [] })[0]).toBe('mine');
  });

  it('and that began with a lost attempt of its own ends with 7: the outcome is unknown', async () => {
    const fates: Fate[] = ['reset', ...Array<Fate>(9).fill(inProgress('0'))];
    const { code, stderr } = await against([...rename, '--retries', '2', '--json'], fates);
    expect(code).toBe(7);
    expect(errorOf(stderr).message).toContain('is unknown');
  });

  it('and that does not end is reported', async () => {
    const fates = Array<Fate>(9).fill(inProgress('0'));
    const { code, stderr, seen } = await against([...rename, '--retries', '2', '--json'], fates);
    expect({ code, requests: seen.length }).toEqual({ code: 6, requests: 3 });
    expect(errorOf(stderr).hint).toContain('is still in progress');
  });

  it('never fails a run', async () => {
    const line = [
      'subscribers',
      'bulk-import',
      '-',
      '--format',
      'ndjson',
      '--json',
      '--retries',
      '1',
    ];
    const fates = Array<Fate>(2).fill(inProgress('0'));
    const { code, seen } = await against(line, fates, '{"subscriberId":"a"}\n');
    // What comes then is the answer to another request, but it came.
    expect({ code, requests: seen.length }).toEqual({ code: 6, requests: 3 });
    expect(new Set(keysOf({ seen })).size).toBe(1);
  });
});

describe('an idempotency key', () => {
  it('that was used for another body ends with 6, and says what to do', async () => {
    const home = openHome();
    await home.sandbox();
    const line = (name: string) => ['topics', 'rename', 'announcements', name, '--json'];
    await home.svc([...line('A'), '--idempotency-key', 'k1']);
    const { code, stdout, stderr } = await home.svc([...line('B'), '--idempotency-key', 'k1']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(errorOf(stderr).message).toBe(
      'Request with key "k1" is being reused for a different body',
    );
    expect(errorOf(stderr).hint).toContain('is valid for one request only');
  });

  it('for which the service keeps an error is replaced once where that is safe', async () => {
    const [first, later] = await Promise.all([
      against([...rename, '--json', '--idempotency-key', 'k'], [replayed(503)]),
      against([...trigger, '--json'], [500, replayed(503)]),
    ]);
    const sent = <T extends { method: string }>(seen: readonly T[]) =>
      seen.filter(({ method }) => method !== 'GET');
    expect([first, later].map(({ code, seen }) => [code, sent(seen).length])).toEqual([
      [0, 2],
      [0, 3],
    ]);
    expect(new Set(keysOf({ seen: sent(later.seen) })).size).toBe(2);
  });

  it('for which the service keeps an error ends with 7 where a new key could create twice', async () => {
    const create = ['environments', 'create', 'Staging', '--color', '#fff', '--json'];
    const { code, stderr, seen } = await against(create, [500, replayed(503)]);
    expect({ code, requests: seen.length }).toEqual({ code: 7, requests: 2 });
    expect(errorOf(stderr).message).toContain('the first attempt failed');
  });

  it('is another one in a run when the service repeats an error for the first', async () => {
    const home = openHome();
    const file = path.join(home.folder, 'users.ndjson');
    writeFileSync(file, '{"subscriberId":"a"}\n');
    const done: Fate = [201, {}, { created: [{ subscriberId: 'a' }], updated: [], failed: [] }];
    const { code, seen } = await against(
      ['subscribers', 'bulk-import', file, '--json'],
      [500, replayed(500), replayed(503), done],
    );
    const keys = keysOf({ seen });
    expect({ code, requests: keys.length, different: new Set(keys).size }).toEqual({
      code: 0,
      requests: 4,
      different: 3,
    });
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  });
});
