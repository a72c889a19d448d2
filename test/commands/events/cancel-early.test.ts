// svc events cancel before the service has created the jobs, with the whole program.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lateJobs, readActivity } from '../../support/late-jobs.ts';
import { printedError } from '../../support/printed-error.ts';
import { openRig, parsed, type Ran } from '../../support/rig.ts';
import { cancelLine, ledgerFile } from '../../support/runs.ts';

const linesOf = ({ requests }: Ran) => requests.map(({ line }) => line);
const cancels = (ran: Ran) => linesOf(ran).filter((line) => line.startsWith('DELETE'));
const checks = (ran: Ran) => linesOf(ran).filter((line) => line.startsWith('GET'));

describe('svc events cancel <id>', () => {
  const cancel = ['events', 'cancel', 't1', '--yes', '--json'];

  it('cancels again once the service has created the jobs', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({ t1: { afterMs: 2_000 } }));
    const ran = await svc(cancel);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual([
      { transactionId: 't1', cancelled: true, state: 'cancelled' },
    ]);
    expect(cancels(ran)).toHaveLength(2);
    expect(ran.slept).toBeLessThan(4_000);
  });

  it('reports notPending if every job has a final status, with one activity request and no wait', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({ t1: { afterMs: 0, statuses: ['completed', 'failed', 'skipped'] } }));
    const ran = await svc(cancel);
    expect(ran).toMatchObject({ code: 0, slept: 0 });
    expect(JSON.parse(ran.stdout)).toEqual([
      { transactionId: 't1', cancelled: false, state: 'notPending' },
    ]);
    expect([cancels(ran).length, checks(ran).length]).toEqual([1, 1]);
  });

  it('waits for running jobs to finish and cancels again meanwhile', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({ t1: { afterMs: 0, statuses: ['running', 'pending'], doneMs: 1_500 } }));
    const ran = await svc(cancel);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ cancelled: false, state: 'notPending' }]);
    expect(cancels(ran).length).toBeGreaterThan(2);
    expect(ran.slept).toBeGreaterThanOrEqual(1_500);
  });

  it('does not treat jobs as finished that wait in the digest of another event', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({ t1: { afterMs: 1_000, statuses: ['merged', 'merged'] } }));
    expect(JSON.parse((await svc(cancel)).stdout)).toMatchObject([{ state: 'cancelled' }]);
  });

  it('reports unknown after 5 s, with exit code 6, if the service never shows the transaction', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({}));
    const line = ['events', 'cancel', 't1', '--yes'];
    const ran = await svc(line, { tty: true, columns: 300 });
    expect(ran).toMatchObject({ code: 6, slept: 5_000 });
    expect(ran.stdout).toBe(
      'Cancelled 0 of 1 transaction at http://sandbox.localhost.\nt1: unknown: not found in the activity; check the id. Check it with `svc activity get t1`.\n',
    );
    expect(ran.stderr).toContain('The outcome of 1 transaction is not known yet. Checking again…');
    expect(checks(ran).length).toBeLessThan(10);
    const programs = await svc(cancel);
    expect(JSON.parse(programs.stdout)).toEqual([
      { transactionId: 't1', cancelled: null, state: 'unknown' },
    ]);
    expect(printedError(programs.stderr)).toMatchObject({ name: 'refused' });
  });

  it('exits with 3 if the service shows only some of the transactions', async () => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({ t1: { afterMs: 0 } }));
    const { code, stdout } = await svc(['events', 'cancel', 't1', 't2', '--yes', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).map(({ state }: { state: string }) => state)).toEqual([
      'cancelled',
      'unknown',
    ]);
  });

  it('looks up several transactions in one request, and only those with the response false', async () => {
    const { svc, answerBy } = await openRig();
    const done = { afterMs: 0, statuses: ['completed'] };
    answerBy(lateJobs({ t1: { afterMs: 0 }, t2: done, t3: done }));
    const ran = await svc(['events', 'cancel', 't1', 't2', 't3', '--yes', '--json']);
    expect(checks(ran)).toEqual(
      ['/v1/notifications?transactionId=t2&transactionId=t3&limit=50&page=0'].map(
        (target) => `GET ${target}`,
      ),
    );
  });

  it.each([
    ['0s', 0],
    ['12s', 12_000],
  ])('waits for --wait-timeout %s', async (timeout, slept) => {
    const { svc, answerBy } = await openRig();
    answerBy(lateJobs({}));
    expect(await svc([...cancel, '--wait-timeout', timeout])).toMatchObject({ code: 6, slept });
  });

  it('waits up to 60 s for a transaction that this machine triggered recently', async () => {
    const { svc, answerBy } = await openRig();
    const trigger = ['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 't1'];
    expect((await svc(trigger)).code).toBe(0);
    answerBy(lateJobs({ t1: { afterMs: 30_000 } }));
    const ran = await svc(cancel);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ state: 'cancelled' }]);
    expect(ran.slept).toBeGreaterThanOrEqual(30_000);
    answerBy(lateJobs({}));
    expect(await svc(cancel)).toMatchObject({ code: 6, slept: 60_000 });
    expect(await svc(['events', 'cancel', 't2', '--yes'])).toMatchObject({
      ...{ code: 6, slept: 5_000 },
    });
  });

  it('also waits up to 60 s if the trigger had no response', async () => {
    const { svc, answer, answerBy, pass } = await openRig();
    pass(1);
    answer(new Error('reset'));
    const trigger = ['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 't1'];
    expect((await svc([...trigger, '--retries', '0'])).code).toBe(7);
    answerBy(lateJobs({}));
    expect(await svc(cancel)).toMatchObject({ code: 6, slept: 60_000 });
  });

  it('retries failed activity requests, and exits with 7 if they keep failing', async () => {
    const { svc, answer, answerBy } = await openRig();
    answerBy(lateJobs({ t1: { afterMs: 0 } }));
    const down = { status: 500, body: { statusCode: 500, message: 'by the test' } };
    answer({ status: 200, body: false }, down);
    const ran = await svc([...cancel, '--retries', '0']);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ state: 'cancelled' }]);
    answerBy(({ method }) => (method === 'GET' ? down : { status: 200, body: false }));
    const { code, stderr } = await svc([...cancel, '--retries', '0']);
    expect(code).toBe(7);
    expect(stderr).toContain('by the test');
  });
});

describe('a cancellation after a lost first response', () => {
  const cancel = ['events', 'cancel', 't1', '--yes', '--json'];
  const shown = (jobs: unknown[]) => ({
    status: 200,
    body: { page: 0, pageSize: 50, hasMore: false, data: [{ ...readActivity('t1', []), jobs }] },
  });
  const job = (status: string, details: string[] = []) => ({
    _id: status,
    type: 'email',
    status,
    executionDetails: details.map((of) => ({ _id: of, status: of, detail: of })),
  });

  it.each([
    [
      'cancelled when jobs are canceled',
      [job('canceled', ['Pending']), job('canceled')],
      'cancelled',
    ],
    ['notPending when all jobs ran', [job('completed')], 'notPending'],
    ['notPending when a rule canceled a job', [job('canceled', ['Success'])], 'notPending'],
    [
      'notPending when a failed job canceled others',
      [job('failed'), job('canceled')],
      'notPending',
    ],
  ])('is %s', async (_name, jobs, state) => {
    const { svc, answer } = await openRig();
    answer(new Error('reset'), { status: 200, body: false }, shown(jobs));
    const { code, stdout } = await svc(cancel);
    expect({ code, value: JSON.parse(stdout) }).toMatchObject({ code: 0, value: [{ state }] });
  });

  it('is cancelled if the response that was lost is that of a later attempt', async () => {
    const { svc, answer } = await openRig();
    const delayed = shown([job('delayed')]);
    const refused = { status: 200, body: false };
    answer(refused, delayed, new Error('reset'), refused, shown([job('canceled', ['Pending'])]));
    const { code, stdout } = await svc(cancel);
    expect({ code, value: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      value: [{ state: 'cancelled' }],
    });
  });

  it('is unknown if the service does not show the transaction', async () => {
    const { svc, answer, answerBy } = await openRig();
    answerBy(lateJobs({}));
    answer(new Error('reset'));
    const { code, stdout } = await svc(cancel);
    expect({ code, value: JSON.parse(stdout) }).toMatchObject({
      code: 6,
      value: [{ cancelled: null }],
    });
  });
});

describe('svc events cancel --run', () => {
  const trigger = ['events', 'trigger', '--file', '-', '--yes', '--json'];
  const cancel = cancelLine('last', '--json');
  const events = (count: number) =>
    Array.from({ length: count }, (_unused, index) =>
      JSON.stringify({ name: 'trial-ending', to: 'u1', transactionId: `t${index}` }),
    ).join('\n');

  it('cancels a run whose jobs the service has not created yet', async () => {
    const { svc, answerBy } = await openRig();
    await svc(trigger, { stdin: events(120) });
    answerBy(lateJobs({ t0: { afterMs: 0 } }, () => ({ afterMs: 20_000 })));
    const ran = await svc(cancel);
    expect(ran.code).toBe(0);
    expect(parsed(ran.stdout)).toMatchObject({
      rows: 120,
      cancelled: 120,
      notPending: 0,
      unknown: 0,
      // The first request only measures how long the cancellation takes.
      requests: ran.requests.length - 1,
    });
    const [, ...followUps] = checks(ran);
    const idCounts = followUps.map((line) => line.split('transactionId=').length - 1);
    expect(Math.max(...idCounts)).toBe(20);
    // Each check needs three requests for 119 transactions.
    expect(idCounts.length % 3).toBe(0);
    expect(followUps.join()).not.toContain('transactionId=t0&');
  });

  it('counts cancelled, notPending and unknown, and exits with 3', async () => {
    const { svc, answerBy } = await openRig();
    await svc(trigger, { stdin: events(3) });
    answerBy(lateJobs({ t0: { afterMs: 9_000 }, t1: { afterMs: 0, statuses: ['completed'] } }));
    const ran = await svc(cancel);
    expect(ran).toMatchObject({ code: 3, slept: 60_000 });
    expect(parsed(ran.stdout)).toMatchObject({ cancelled: 1, notPending: 1, unknown: 1 });
  });

  it('uses the run in its hint, so that the command does not affect other events', async () => {
    const { svc, answerBy } = await openRig();
    const sent = await svc(trigger, { stdin: events(2) });
    const { runId } = parsed(sent.stdout);
    answerBy(lateJobs({ t0: { afterMs: 0 } }));
    const ran = await svc(cancelLine('last'), { tty: true });
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('Rejected: 1 with an unknown outcome.');
    expect(ran.stdout).toContain('1 × not found in the activity; check the id');
    expect(ran.stdout).toContain(`Cancel them again: svc events cancel --run ${runId}\n`);
    expect(ran.stdout + ran.stderr).not.toMatch(/activity list|Fix/);
  });

  it('exits with 6 if the service shows none of the transactions', async () => {
    const { svc, answerBy } = await openRig();
    await svc(trigger, { stdin: events(2) });
    answerBy(lateJobs({}));
    const ran = await svc([...cancel, '--wait-timeout', '2s']);
    expect(ran).toMatchObject({ code: 6, slept: 2_000 });
    expect(parsed(ran.stdout)).toMatchObject({ cancelled: 0, notPending: 0, unknown: 2 });
  });

  it('does not wait for events that the journal records as not triggered', async () => {
    const { svc, answerBy } = await openRig();
    const rejected = '{"name":"nothing","to":"u1","transactionId":"bad"}\n{"to":"u1"}';
    expect((await svc(trigger, { stdin: `${events(2)}\n${rejected}` })).code).toBe(3);
    answerBy(lateJobs({}, (id) => (/^t\d/.test(id) ? { afterMs: 3_000 } : {})));
    const ran = await svc(cancel);
    expect(parsed(ran.stdout)).toMatchObject({ rows: 3, cancelled: 2, notPending: 1, unknown: 0 });
    expect(ran.code).toBe(0);
    expect(ran.slept).toBeLessThan(10_000);
  });

  it('leaves undecided transactions to a resumed run if the service becomes unavailable', async () => {
    const { svc, answerBy } = await openRig();
    await svc(trigger, { stdin: events(2) });
    const down = { status: 500, body: { statusCode: 500, message: 'by the test' } };
    answerBy(({ method }) => (method === 'GET' ? down : { status: 200, body: false }));
    const stopped = await svc([...cancel, '--retries', '0']);
    expect({ code: stopped.code, ...parsed(stopped.stdout) }).toMatchObject({ code: 7, rows: 0 });
    answerBy(lateJobs({}, () => ({ afterMs: 0 })));
    const { code, stdout } = await svc(['runs', 'resume', 'last', '--json']);
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, rows: 2, cancelled: 2 });
  });

  it('prints one line per transaction with -o ndjson when its outcome is known', async () => {
    const { svc, answerBy } = await openRig();
    await svc(trigger, { stdin: events(2) });
    answerBy(lateJobs({ t0: { afterMs: 5_000 }, t1: { afterMs: 0 } }));
    const { stdout } = await svc(cancelLine('last', '-o', 'ndjson'));
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id, result }) => [id, result]).slice(0, 2)).toEqual([
      ['t1', 'cancelled'],
      ['t0', 'cancelled'],
    ]);
  });
});

describe('svc events cancel -', () => {
  it('waits 5 s for unknown transactions and 60 s for those of a recent run', async () => {
    const rig = await openRig();
    const { svc, answerBy } = rig;
    const trigger = (id: string) =>
      svc(['events', 'trigger', '--file', '-', '--yes', '--json'], {
        stdin: JSON.stringify({ name: 'trial-ending', to: 'u1', transactionId: id }),
      });
    await trigger('t1');
    // A run whose journal is damaged does not count.
    const { runId } = parsed((await trigger('t2')).stdout);
    writeFileSync(ledgerFile(rig, runId), 'damaged\n');
    answerBy(lateJobs({ t1: { afterMs: 30_000 }, t2: { afterMs: 30_000 } }));
    const { stdout } = await svc(['events', 'cancel', '-', '--yes', '--json'], {
      stdin: 't1\nt2\n',
    });
    expect(parsed(stdout)).toMatchObject({ rows: 2, cancelled: 1, unknown: 1 });
  });
});
