import { describe, expect, it } from 'vitest';
import { frozenNow } from '../../support/fixed.ts';
import { openRig, parsed } from '../../support/rig.ts';

const line = ['activity', 'stats', '--since', '10d'];

describe('svc activity stats', () => {
  it('shows totals, groups with bars, and reasons on a terminal with 80 columns', async () => {
    const { svc } = await openRig();
    const { stdout, code } = await svc(line, { tty: true, columns: 80 });
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "SINCE       5 Jan 12:00
      EVENTS      15
      RECIPIENTS  16
      DELIVERED   19 (63.3%)
      FAILED      4 (13.3%)
      SKIPPED     6 (20.0%)
      WAITING     1 (3.3%)
      RATE        82.6%
      OVER TIME   ▁▁▃▁▁█▁▁▃▁▁█▁▁▆▁▂▁▁▃▁▁▂▁▆▁▁▃

      By workflow  █ delivered  ▓ failed  ▒ skipped  ░ waiting
      WORKFLOW        DELIVERED  FAILED  SKIPPED  WAITING    RATE  MESSAGES
      comment-digest         10       0        0        0  100.0%  ██████████████
      order-update            1       3        2        0   25.0%  █▓▓▓▓▒▒▒
      welcome                 4       0        2        0  100.0%  █████▒▒▒
      invoice-paid            2       0        0        0  100.0%  ███
      one-time-code           1       1        0        0   50.0%  ██▓
      price-alert             1       0        1        0  100.0%  ██▒
      trial-ending            0       0        1        1          ▒▒░

      Most frequent reasons
      REASON                                         MESSAGES  PERCENT  FREQUENCY
      The subscriber had no such channel.                   3    27.3%  ██████████████
      The subscriber had no phone number.                   2    18.2%  █████████
      The event was canceled before this step ran.          1     9.1%  █████
      The event waits in a delay.                           1     9.1%  █████
      The subscriber turned off the channel for all         1     9.1%  █████
      workflows.
      The subscriber had no e-mail address.                 1     9.1%  █████
      The provider returned an error.                       1     9.1%  █████
      The workflow is throttled.                            1     9.1%  █████
      ",
      }
    `);
    for (const row of stdout.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
  });

  it('shows all columns and wider bars on a terminal with 120 columns', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc([...line, '--by', 'channel'], { tty: true, columns: 120 });
    expect(stdout.slice(stdout.indexOf('By channel'))).toMatchInlineSnapshot(`
      "By channel  █ delivered  ▓ failed  ▒ skipped  ░ waiting
      CHANNEL  EVENTS  RECIPIENTS  DELIVERED  FAILED  SKIPPED  WAITING    RATE  MESSAGES
      email        12          12          7       1        3        1   87.5%  █████████████████████▓▓▓▒▒▒▒▒▒▒▒▒░░░
      in_app        9           9          9       0        0        0  100.0%  ███████████████████████████
      push          3           4          1       2        1        0   33.3%  ███▓▓▓▓▓▓▒▒▒
      sms           2           3          1       0        2        0  100.0%  ███▒▒▒▒▒▒
      chat          1           2          1       1        0        0   50.0%  ███▓▓▓

      Most frequent reasons
      REASON                                                    MESSAGES  PERCENT  FREQUENCY
      The subscriber had no such channel.                              3    27.3%  ████████████████████████████████████
      The subscriber had no phone number.                              2    18.2%  ████████████████████████
      The event was canceled before this step ran.                     1     9.1%  ████████████
      The event waits in a delay.                                      1     9.1%  ████████████
      The subscriber turned off the channel for all workflows.         1     9.1%  ████████████
      The subscriber had no e-mail address.                            1     9.1%  ████████████
      The provider returned an error.                                  1     9.1%  ████████████
      The workflow is throttled.                                       1     9.1%  ████████████
      "
    `);
  });

  it('prints the same bars with color, and colors the rate and each segment by its outcome', async () => {
    const { svc } = await openRig();
    const plain = await svc(line, { tty: true });
    const colored = await svc([...line, '--color', 'always'], { tty: true });
    expect(colored.stdout).toContain('\u001b[31m 25.0%');
    // order-update: one delivered, three failed, two skipped.
    const [green, red, dim] = ['\u001b[32m█', '\u001b[31m▓▓▓▓', '\u001b[2m▒▒▒'];
    expect(colored.stdout).toContain(`${green}\u001b[39m${red}\u001b[39m${dim}\u001b[22m`);
    expect(colored.stdout.replace(/\u001b\[\d+m/g, '').replace(/ +$/gm, '')).toBe(plain.stdout);
  });

  it('prints one line per group in a pipe, and a header in CSV', async () => {
    const { svc } = await openRig();
    const rows = 'comment-digest\t5\t5\t10\t0\t0\t0\norder-update\t1\t2\t1\t3\t2\t0\n';
    expect((await svc(line)).stdout).toContain(rows);
    expect((await svc([...line, '-o', 'csv'])).stdout).toContain(
      'key,events,recipients,delivered,failed,skipped,waiting\ncomment-digest,5,5,10,0,0,0\n',
    );
    expect((await svc([...line, '-o', 'ids'])).stdout).toMatch(/^comment-digest\norder-update\n/);
    expect((await svc([...line, '-o', 'csv', '--fields', 'key,failed'])).stdout).toMatch(
      /^key,failed\ncomment-digest,0\n/,
    );
  });

  it('does not report missing events if no message has a reason', async () => {
    const { svc } = await openRig();
    await svc(['events', 'trigger', 'welcome', '--to', 'u1', '--transaction-id', 'fine']);
    const stats = (...more: string[]) =>
      svc(['activity', 'stats', ...more, '--by', 'reason'], { tty: true, columns: 80 });
    expect((await stats('--since', '1m')).stdout).toContain(
      'No message failed, was skipped or is waiting.',
    );
    expect((await stats('--workflow', 'draft', '--since', '1m')).stdout).toContain(
      'No events match.',
    );
  });

  it('prints the counts as JSON; the groups add up to the total', async () => {
    const { svc } = await openRig();
    for (const by of ['workflow', 'day', 'hour', 'channel', 'reason']) {
      const { stdout, code } = await svc([...line, '--by', by, '--json']);
      const value = parsed(stdout) as unknown as {
        total: Record<string, number>;
        groups: { failed: number; skipped: number; waiting: number }[];
        reasons: object[];
      };
      expect({ code, value }).toMatchObject({
        code: 0,
        value: {
          since: '2026-01-05T12:00:00.000Z',
          until: new Date(frozenNow).toISOString(),
          by,
          total: { events: 15, recipients: 16, delivered: 19, failed: 4, skipped: 6, waiting: 1 },
        },
      });
      const { groups, reasons, total } = value;
      expect(groups.length).toBeGreaterThan(1);
      for (const name of ['failed', 'skipped', 'waiting'] as const)
        expect(groups.reduce((sum, group) => sum + group[name], 0)).toBe(total[name]);
      expect(reasons[0]).toEqual({ cause: 'missing_channel', count: 3 });
    }
  });

  it('counts by time in the order of time', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc([...line, '--by', 'day', '-o', 'ids']);
    const days = stdout.trim().split('\n');
    expect(days[0]).toBe('2026-01-05');
    expect(days).toEqual(days.toSorted());
  });

  it.each([
    ['day', 11, '2026-01-05', '2026-01-15'],
    ['hour', 241, '2026-01-05T12:00Z', '2026-01-15T12:00Z'],
  ])('lists every %s, also those without an event', async (by, count, first, last) => {
    const { svc } = await openRig();
    for (const format of ['json', 'ndjson', 'yaml', 'csv', 'tsv', 'ids', 'table']) {
      const { stdout } = await svc([...line, '--by', by, '-o', format]);
      expect(stdout.match(/2026-01-\d\d(T\d\d:00Z)?(?![T\d])/g)).toHaveLength(count);
    }
    const { groups } = parsed((await svc([...line, '--by', by, '--json'])).stdout) as {
      groups: object[];
    };
    expect(groups[0]).toEqual({
      ...{ key: first, events: 0, recipients: 0 },
      ...{ delivered: 0, failed: 0, skipped: 0, waiting: 0 },
    });
    expect(groups.at(-1)).toMatchObject({ key: last });
  });

  it('lists hours as short times in a table of a terminal of 60 columns', async () => {
    const { svc } = await openRig();
    const hours = ['activity', 'stats', '--since', '3h', '--by', 'hour'];
    const { stdout } = await svc(hours, { tty: true, columns: 60 });
    expect(stdout).toMatch(/^HOUR +EVENTS +DELIVERED +FAILED +SKIPPED +WAITING/m);
    expect(stdout).toMatch(/^12:00 /m);
  });

  it('counts a merged event with the outcome of a digest that is older than --since', async () => {
    const { svc } = await openRig();
    const since = ['--since', '2026-01-14T10:01:00Z', '--workflow', 'comment-digest'];
    const { stdout, requests } = await svc(['activity', 'stats', ...since, '--json']);
    expect(parsed(stdout)).toMatchObject({
      total: { events: 1, recipients: 1, delivered: 2, skipped: 0 },
      reasons: [],
    });
    expect(requests.at(-1)?.line).toMatch(/^GET \/v1\/notifications\/[0-9a-f]{24}$/);
  });

  it('counts a merged event as skipped if the server cannot return its digest', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(({ url }) =>
      /^\/v1\/notifications\/./.test(url.pathname)
        ? { status: 404, body: { statusCode: 404, message: `Cannot GET ${url.pathname}` } }
        : undefined,
    );
    const since = ['--since', '2026-01-14T10:01:00Z', '--workflow', 'comment-digest'];
    const { stdout, code } = await svc(['activity', 'stats', ...since, '--json']);
    expect({ code, ...parsed(stdout) }).toMatchObject({
      code: 0,
      total: { events: 1, delivered: 0, skipped: 2 },
      reasons: [{ cause: 'digest_merged', count: 2 }],
    });
  });

  it('counts only what the filters select', async () => {
    const { svc } = await openRig();
    const filters = ['--workflow', 'order-update', '--subscriber', 'u3'];
    const { stdout, requests } = await svc([...line, ...filters, '--json']);
    expect(parsed(stdout).total).toEqual({
      events: 1,
      recipients: 1,
      delivered: 0,
      failed: 2,
      skipped: 1,
      waiting: 0,
    });
    expect(requests.at(-1)?.line).toContain('subscriberIds=u3');
  });

  it('counts only the messages of a channel', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc([...line, '--channel', 'sms', '--json']);
    expect(parsed(stdout)).toMatchObject({
      total: { events: 2, recipients: 3, delivered: 1, failed: 0, skipped: 2, waiting: 0 },
      reasons: [{ cause: 'missing_phone', count: 2 }],
    });
  });

  it('counts the 7 days before --until, if only that is given', async () => {
    const { svc } = await openRig();
    const { stdout } = await svc(['activity', 'stats', '--until', '2d', '--json']);
    expect(parsed(stdout)).toMatchObject({
      since: '2026-01-06T12:00:00.000Z',
      until: '2026-01-13T12:00:00.000Z',
    });
  });

  it('reads every page, and counts an event with many recipients once', async () => {
    const { svc, answerBy } = await openRig();
    const count = 173;
    answerBy(({ url }) => {
      const page = Number(url.searchParams.get('page'));
      const length = Math.max(0, Math.min(50, count - page * 50));
      const data = Array.from({ length }, (_unused, index) => ({
        _id: `${page}-${index}`,
        transactionId: 'fan-out',
        createdAt: '2026-01-15T11:00:00.000Z',
        template: { name: 'W', triggers: [{ identifier: 'w' }] },
        jobs: [{ type: 'email', status: 'completed', executionDetails: [] }],
      }));
      return { status: 200, body: { data, page, pageSize: length, hasMore: length === 50 } };
    });
    const { stdout, requests } = await svc([...line, '--json']);
    expect(requests.filter(({ line: one }) => one.includes('page='))).toHaveLength(4);
    expect(parsed(stdout)).toMatchObject({
      total: { events: 1, recipients: count, delivered: count },
      groups: [{ key: 'w', events: 1, recipients: count, delivered: count }],
      reasons: [],
    });
  });

  it('counts groups beyond a thousand together', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(({ url }) => {
      const page = Number(url.searchParams.get('page'));
      const data = Array.from({ length: 50 }, (_unused, index) => ({
        _id: `${page}-${index}`,
        transactionId: `t-${page}-${index}`,
        template: { name: 'W', triggers: [{ identifier: `w-${page}-${index}` }] },
        jobs: [{ type: 'email', status: 'failed', executionDetails: [] }],
      }));
      return { status: 200, body: { data, page, pageSize: 50, hasMore: page < 29 } };
    });
    const { stdout } = await svc([...line, '--json']);
    const { groups, total } = parsed(stdout) as { groups: { key: string }[]; total: object };
    expect(total).toMatchObject({ events: 1500, failed: 1500 });
    expect(groups).toHaveLength(1001);
    expect(groups[0]).toMatchObject({ key: 'other', failed: 500, events: 500 });
  });

  it('shows that no events match', async () => {
    const { svc } = await openRig();
    const { stdout, code } = await svc(['activity', 'stats', '--subscriber', 'u8'], { tty: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/EVENTS +0\n/);
    expect(stdout).toContain('No events match.\n');
  });
});

describe('a plan that keeps activity for a shorter time', () => {
  const openPlan = async (plan: string) => {
    const { svc } = await openRig();
    expect((await svc(['sandbox', 'faults', 'set', '--rate-limit', plan])).code).toBe(0);
    return svc;
  };

  it.each([
    ['free', '2026-01-14T12:00:00.000Z', 'the last 24 hours'],
    ['pro', '2026-01-08T12:00:00.000Z', undefined],
  ])('%s: the default of stats is that time, with a note', async (plan, since, time) => {
    const svc = await openPlan(plan);
    const { code, stdout, stderr } = await svc(['activity', 'stats', '--json']);
    expect({ code, since: parsed(stdout).since }).toEqual({ code: 0, since });
    const table = await svc(['activity', 'stats', '-o', 'table']);
    expect(table.stderr).toBe(
      time === undefined
        ? ''
        : `The plan of this organization keeps the activity of ${time}, so older events are not counted.\n`,
    );
    const { stdout: explicit } = await svc(['activity', 'stats', '--since', since, '--json']);
    expect(parsed(stdout)).toEqual(parsed(explicit));
    expect(stderr).toBe('');
  });

  it.each([
    ['activity stats --since 7d'],
    ['activity list --since 7d'],
    ['activity stats --until 2d'],
  ])('svc %s fails, and the hint names the retention', async (given) => {
    const svc = await openPlan('free');
    const { code, stdout, stderr } = await svc(given.split(' '));
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain(
      'The plan of this organization keeps activity for a limited time. Ask for a later time, such as --since 2026-01-15.\n',
    );
    expect(stderr).not.toContain('feature');
    expect((await svc(['activity', 'list', '--since', '2026-01-15'])).code).toBe(0);
  });
});
