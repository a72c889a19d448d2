// `Retry-After` in all formats: svc never retries earlier, and does not retry if the wait exceeds --max-wait.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { builtAgainst, fail, rename } from '../support/fail-responses.ts';
import { printedError } from '../support/printed-error.ts';
import { openService } from '../support/service.ts';

/** Returns the milliseconds between the requests. */
const intervals = (seen: readonly { at: number }[]) =>
  seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0));

const retryAfter = (status: number, value: string) => [status, { 'retry-after': value }] as const;

/** Returns a date at least this number of seconds ahead, rounded up to a full second. */
const secondsFromNow = (seconds: number) =>
  new Date(Math.ceil(Date.now() / 1_000 + seconds) * 1_000);
const asctime = (date: Date) =>
  date.toUTCString().replace(/(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT/, '$1 $3 $2 $5 $4');

describe('Retry-After', () => {
  it('is a minimum wait: seconds, fractions, several values, on 429 and 503, for reads and writes', async () => {
    const cases: [string, number, string[], number][] = [
      ['1', 429, ['topics', 'list'], 1_000],
      ['1', 503, rename, 1_000],
      ['1.5', 429, rename, 1_500],
      ['1, 2', 429, ['topics', 'list', '--all'], 2_000],
      [' 1 ', 429, ['events', 'cancel', 't', '--yes'], 1_000],
    ];
    const results = await Promise.all(
      cases.map(([value, status, line]) => builtAgainst(line, [retryAfter(status, value)])),
    );
    for (const [index, { code, seen, stderr }] of results.entries()) {
      const [value, , , minimum = 0] = cases[index] ?? [];
      expect({ value, code, stderr, requests: seen.length }).toEqual({
        value,
        code: 0,
        stderr: '',
        requests: 2,
      });
      expect(intervals(seen)[0]).toBeGreaterThanOrEqual(minimum);
    }
  });

  it('can be a date in any HTTP format, and svc does not retry before that date', async () => {
    const date = secondsFromNow(1);
    const values = [date.toUTCString(), asctime(date), date.toISOString()];
    const results = await Promise.all(
      values.map((value) => builtAgainst(rename, [retryAfter(429, value)])),
    );
    for (const { code, seen } of results) {
      expect({ code, requests: seen.length }).toEqual({ code: 0, requests: 2 });
      expect(seen[1]?.at).toBeGreaterThanOrEqual(date.getTime());
    }
  });

  it('in the past, negative or invalid is ignored: svc uses its own delay', async () => {
    const past = new Date(Date.now() - 60_000).toUTCString();
    const values = [past, '0', '-5', 'soon', 'May 2099', '1e9', '', 'NaN'];
    // A longer wait than the default delay would exceed --max-wait and exit with 7.
    const results = await Promise.all(
      values.map((value) =>
        builtAgainst([...rename, '--max-wait', '1s'], [retryAfter(429, value)]),
      ),
    );
    expect(results.map(({ code, seen }) => [code, seen.length])).toEqual(values.map(() => [0, 2]));
  });

  it('beyond --max-wait makes the command exit with 7 immediately and print the requested wait', async () => {
    const cases: [string, string[], string][] = [
      ['61', rename, 'wait of 61s.'],
      ['3', [...rename, '--max-wait', '2s'], 'wait of 3s.'],
      ['7200', ['topics', 'list'], 'wait of 2h.'],
      ['3700', ['topics', 'list', '--all'], 'wait of 62m.'],
      ['604800', rename, 'wait of 7d.'],
      ['99999999999999999999', rename, 'of more than 30 days.'],
      ['9'.repeat(400), rename, 'of more than 30 days.'],
      [secondsFromNow(7_200).toUTCString(), rename, 'wait of 12'],
    ];
    const startedAt = Date.now();
    const results = await Promise.all(
      cases.map(([value, line]) => builtAgainst([...line, '--json'], [retryAfter(429, value)])),
    );
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    for (const [index, { code, stdout, stderr, seen }] of results.entries()) {
      const [value, , text = ''] = cases[index] ?? [];
      expect({ value, code, stdout, requests: seen.length }).toEqual({
        value,
        code: 7,
        stdout: '',
        requests: 1,
      });
      const error = printedError(stderr);
      expect(error.hint).toContain('The service requests a wait of');
      expect(error.hint.replace(/ Try .*/, '')).toContain(text);
    }
  });

  it('beyond --max-wait stops a run and prints the command to resume it', async () => {
    const line = ['subscribers', 'bulk-import', '-', '--spool', '--format', 'ndjson', '--json'];
    const { code, stdout, stderr, seen } = await builtAgainst(
      line,
      [retryAfter(503, '120')],
      '{"subscriberId":"a"}\n',
    );
    const { runId, stopped } = JSON.parse(stdout) as { runId: string; stopped: { reason: string } };
    expect({ code, reason: stopped.reason, requests: seen.length }).toEqual({
      code: 7,
      reason: 'by the test',
      requests: 1,
    });
    const error = printedError(stderr);
    expect(error.hint).toContain('The service requests a wait of 2m.');
    expect(error.next).toEqual([`svc runs resume ${runId}`]);
  });

  it('of several weeks is respected if --max-wait allows it', async () => {
    // Why: a timer of more than 24.8 days would fire immediately.
    let onResponse = () => {};
    const responded = new Promise<void>((resolve) => {
      onResponse = resolve;
    });
    const { env, seen } = await openService((_seen, response) => {
      fail(response, retryAfter(429, String(40 * 86_400)));
      onResponse();
    });
    const home = openHome();
    const run = home.start([...rename, '--max-wait', '60d', '--timeout', '60d'], {
      env: { ...home.env, ...env },
    });
    await responded;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect({ exitCode: run.process.exitCode, requests: seen.length }).toEqual({
      exitCode: null,
      requests: 1,
    });
    // Ctrl-C ends the wait without another request.
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(seen).toHaveLength(1);
  });
});
