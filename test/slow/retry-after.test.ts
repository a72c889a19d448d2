// `Retry-After` in every form it comes in: never earlier than told, and not at all beyond --max-wait.
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { against, fail, rename } from '../support/fail-responses.ts';
import { openService } from '../support/service.ts';

/** Waits between the arrivals at the server, milliseconds. */
const waitsOf = (seen: readonly { at: number }[]) =>
  seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0));

const later = (status: number, value: string) => [status, { 'retry-after': value }] as const;

/** The whole second that lies so far ahead, at least. */
const secondsAhead = (seconds: number) => new Date(Math.ceil(Date.now() / 1_000 + seconds) * 1_000);
const asctime = (date: Date) =>
  date.toUTCString().replace(/(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT/, '$1 $3 $2 $5 $4');

describe('Retry-After', () => {
  it('is kept to the millisecond or longer: seconds, fractions, several, on 429 and 503, on reads and writes', async () => {
    const cases: [string, number, string[], number][] = [
      ['1', 429, ['topics', 'list'], 1_000],
      ['1', 503, rename, 1_000],
      ['1.5', 429, rename, 1_500],
      ['1, 2', 429, ['topics', 'list', '--all'], 2_000],
      [' 1 ', 429, ['events', 'cancel', 't', '--yes'], 1_000],
    ];
    const ended = await Promise.all(
      cases.map(([value, status, line]) => against(line, [later(status, value)])),
    );
    for (const [index, { code, seen, stderr }] of ended.entries()) {
      const [value, , , least = 0] = cases[index] ?? [];
      expect({ value, code, stderr, requests: seen.length }).toEqual({
        value,
        code: 0,
        stderr: '',
        requests: 2,
      });
      expect(waitsOf(seen)[0]).toBeGreaterThanOrEqual(least);
    }
  });

  it('may be a date in any form of HTTP, which is not come before', async () => {
    const date = secondsAhead(1);
    const forms = [date.toUTCString(), asctime(date), date.toISOString()];
    const ended = await Promise.all(forms.map((form) => against(rename, [later(429, form)])));
    for (const { code, seen } of ended) {
      expect({ code, requests: seen.length }).toEqual({ code: 0, requests: 2 });
      expect(seen[1]?.at).toBeGreaterThanOrEqual(date.getTime());
    }
  });

  it('that is past, negative or no time at all leaves the wait to svc', async () => {
    const past = new Date(Date.now() - 60_000).toUTCString();
    const forms = [past, '0', '-5', 'soon', 'May 2099', '1e9', '', 'NaN'];
    // Longer than svc waits by itself would end with 7.
    const ended = await Promise.all(
      forms.map((form) => against([...rename, '--max-wait', '1s'], [later(429, form)])),
    );
    expect(ended.map(({ code, seen }) => [code, seen.length])).toEqual(forms.map(() => [0, 2]));
  });

  it('beyond --max-wait ends at once with 7 and says how long the service wants', async () => {
    const cases: [string, string[], string][] = [
      ['61', rename, 'wait 61s.'],
      ['3', [...rename, '--max-wait', '2s'], 'wait 3s.'],
      ['7200', ['topics', 'list'], 'wait 2h.'],
      ['3700', ['topics', 'list', '--all'], 'wait 62m.'],
      ['604800', rename, 'wait 7d.'],
      ['99999999999999999999', rename, 'for more than 30 days.'],
      ['9'.repeat(400), rename, 'for more than 30 days.'],
      [secondsAhead(7_200).toUTCString(), rename, 'wait 12'],
    ];
    const began = Date.now();
    const ended = await Promise.all(
      cases.map(([value, line]) => against([...line, '--json'], [later(429, value)])),
    );
    expect(Date.now() - began).toBeLessThan(15_000);
    for (const [index, { code, stdout, stderr, seen }] of ended.entries()) {
      const [value, , said = ''] = cases[index] ?? [];
      expect({ value, code, stdout, requests: seen.length }).toEqual({
        value,
        code: 7,
        stdout: '',
        requests: 1,
      });
      const { error } = JSON.parse(stderr) as { error: { hint: string } };
      expect(error.hint).toContain('The service asks to wait');
      expect(error.hint.replace(/ Try .*/, '')).toContain(said);
    }
  });

  it('beyond --max-wait stops a run, which can be resumed, and says so', async () => {
    const line = ['subscribers', 'bulk-import', '-', '--spool', '--format', 'ndjson', '--json'];
    const { code, stdout, stderr, seen } = await against(
      line,
      [later(503, '120')],
      '{"subscriberId":"a"}\n',
    );
    const { runId, stopped } = JSON.parse(stdout) as { runId: string; stopped: { reason: string } };
    expect({ code, reason: stopped.reason, requests: seen.length }).toEqual({
      code: 7,
      reason: 'by the test',
      requests: 1,
    });
    const { error } = JSON.parse(stderr) as { error: { hint: string; next: string[] } };
    expect(error.hint).toContain('The service asks to wait 2m.');
    expect(error.next).toEqual([`svc runs resume ${runId}`]);
  });

  it('of weeks is waited for with a --max-wait of months, not passed over', async () => {
    // A timer of more than 24.8 days goes off at once.
    let answered = () => {};
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const { env, seen } = await openService((_seen, response) => {
      fail(response, later(429, String(40 * 86_400)));
      answered();
    });
    const home = openHome();
    const run = home.start([...rename, '--max-wait', '60d', '--timeout', '60d'], {
      env: { ...home.env, ...env },
    });
    await answer;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect({ ended: run.process.exitCode, requests: seen.length }).toEqual({
      ended: null,
      requests: 1,
    });
    // Ctrl-C ends the wait; nothing is sent any more.
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(seen).toHaveLength(1);
  });
});
