// Idempotency keys: a request that is still in progress, a key that is reused, and a response that the service stored.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { builtAgainst, type FailedResponse, rename, trigger } from '../support/fail-responses.ts';
import { printedError } from '../support/printed-error.ts';
import { idempotencyKeys } from '../support/requests.ts';
import { words } from '../support/words.ts';

const inProgress = (seconds: string): FailedResponse => [409, { 'retry-after': seconds }];
const replayed = (status: number): FailedResponse => [status, { 'idempotency-replay': 'true' }];
describe('a request that the service is still processing', () => {
  it('is sent again after a wait with the same key, as often as --retries allows', async () => {
    const ended = await Promise.all([
      builtAgainst(rename, [500, inProgress('1')]),
      builtAgainst([...trigger, '--idempotency-key', 'mine'], [inProgress('1'), inProgress('0')]),
    ]);
    for (const { code, stderr, seen } of ended) {
      expect({ code, stderr, requests: seen.length }).toEqual({ code: 0, stderr: '', requests: 3 });
      expect(new Set(idempotencyKeys(seen)).size).toBe(1);
    }
    const [first, second] = ended.map(({ seen }) => seen.map(({ at }) => at));
    expect((first?.[2] ?? 0) - (first?.[1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect((second?.[1] ?? 0) - (second?.[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(idempotencyKeys(ended[1]?.seen ?? [])[0]).toBe('mine');
  });

  it('exits with 7 if the first response was lost, because the outcome is unknown', async () => {
    const failures: FailedResponse[] = ['reset', ...Array<FailedResponse>(9).fill(inProgress('0'))];
    const { code, stderr } = await builtAgainst([...rename, '--retries', '2', '--json'], failures);
    expect(code).toBe(7);
    expect(printedError(stderr).message).toContain('is unknown');
  });

  it('is reported if it does not finish', async () => {
    const failures = Array<FailedResponse>(9).fill(inProgress('0'));
    const { code, stderr, seen } = await builtAgainst(
      [...rename, '--retries', '2', '--json'],
      failures,
    );
    expect({ code, requests: seen.length }).toEqual({ code: 6, requests: 3 });
    expect(printedError(stderr).hint).toContain('is still in progress');
  });

  it('does not stop a run', async () => {
    const line = words`subscribers bulk-import - --format ndjson --json --retries 1`;
    const failures = Array<FailedResponse>(2).fill(inProgress('0'));
    const { code, seen } = await builtAgainst(line, failures, '{"subscriberId":"a"}\n');
    // The third response is not that of an import, hence 6. This test is about the repeated request.
    expect({ code, requests: seen.length }).toEqual({ code: 6, requests: 3 });
    expect(new Set(idempotencyKeys(seen)).size).toBe(1);
  });
});

describe('an idempotency key', () => {
  it('that was used for another body makes the command exit with 6 and a hint', async () => {
    const home = openHome();
    await home.sandbox();
    const line = (name: string) => ['topics', 'rename', 'announcements', name, '--json'];
    await home.svc([...line('A'), '--idempotency-key', 'k1']);
    const { code, stdout, stderr } = await home.svc([...line('B'), '--idempotency-key', 'k1']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(printedError(stderr).message).toBe(
      'Request with key "k1" is being reused for a different body',
    );
    expect(printedError(stderr).hint).toContain('is valid for one request only');
  });

  it('with a stored error is replaced once where that is safe', async () => {
    const [first, second] = await Promise.all([
      builtAgainst([...rename, '--json', '--idempotency-key', 'k'], [replayed(503)]),
      builtAgainst([...trigger, '--json'], [500, replayed(503)]),
    ]);
    const sent = <T extends { method: string }>(seen: readonly T[]) =>
      seen.filter(({ method }) => method !== 'GET');
    expect([first, second].map(({ code, seen }) => [code, sent(seen).length])).toEqual([
      [0, 2],
      [0, 3],
    ]);
    expect(new Set(idempotencyKeys(sent(second.seen))).size).toBe(2);
  });

  it('with a stored error makes the command exit with 7 if a new key could create a duplicate', async () => {
    const create = ['environments', 'create', 'Staging', '--color', '#fff', '--json'];
    const { code, stderr, seen } = await builtAgainst(create, [500, replayed(503)]);
    expect({ code, requests: seen.length }).toEqual({ code: 7, requests: 2 });
    expect(printedError(stderr).message).toContain('the first attempt failed');
  });

  it('is replaced in a run if the service replays an error for it', async () => {
    const home = openHome();
    const file = path.join(home.folder, 'users.ndjson');
    writeFileSync(file, '{"subscriberId":"a"}\n');
    const done: FailedResponse = [
      201,
      {},
      { created: [{ subscriberId: 'a' }], updated: [], failed: [] },
    ];
    const { code, seen } = await builtAgainst(
      ['subscribers', 'bulk-import', file, '--json'],
      [500, replayed(500), replayed(503), done],
    );
    const keys = idempotencyKeys(seen);
    expect({ code, requests: keys.length, distinctKeys: new Set(keys).size }).toEqual({
      code: 0,
      requests: 4,
      distinctKeys: 3,
    });
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  });
});
