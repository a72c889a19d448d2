// The words of svc events cancel: its question, its errors and the list of a run.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { frozenNow } from '../../support/fixed.ts';
import { printedError } from '../../support/printed-error.ts';
import { openRig, parsed, type Rig } from '../../support/rig.ts';
import { cancelLine, runFolder, unauthorized } from '../../support/runs.ts';

const event = '{"name":"trial-ending","to":"u1"}\n';

async function send({ svc }: Pick<Rig, 'svc'>, count: number) {
  const line = ['events', 'trigger', '--file', '-', '--yes', '--json', '--spool'];
  const { stdout } = await svc(line, { stdin: event.repeat(count) });
  return String(parsed(stdout).runId);
}

describe('a rejected cancellation', () => {
  const rejected = { status: 400, body: { statusCode: 400, message: 'Bad id' } };

  it('names the reason for people and for programs', async () => {
    const rig = await openRig();
    const line = ['events', 'cancel', 't1', 't2', '--yes', '--wait-timeout', '0s'];
    const cancelled = { status: 200, body: { data: true } };
    rig.answerWrites(rejected, cancelled);
    const { code, stdout } = await rig.svc(line, { tty: 'stdout' });
    expect(code).toBe(3);
    expect(stdout).toContain('t1: not cancelled: Bad id');
    rig.answerWrites(rejected, cancelled);
    const printed = await rig.svc([...line, '--json']);
    expect(printed.code).toBe(3);
    expect(JSON.parse(printed.stdout)).toEqual([
      expect.objectContaining({ state: 'unknown', error: expect.stringContaining('Bad id') }),
      { transactionId: 't2', cancelled: true, state: 'cancelled' },
    ]);
    expect(printedError(printed.stderr)).toMatchObject({
      message: 'The service did not cancel 1 of 2 transactions.',
      details: [{ field: 't1', message: expect.stringMatching(/\S/) }],
    });
  });

  it('differs from an outcome that is unknown', async () => {
    const rig = await openRig();
    const line = ['events', 'cancel', 't1', '--yes', '--wait-timeout', '0s'];
    const { code, stdout } = await rig.svc(line, { tty: 'stdout', columns: 300 });
    expect(code).toBe(6);
    expect(stdout).toContain(
      't1: unknown: not found in the activity; check the id. Check it with `svc activity get t1`.',
    );
    const cancelled = { status: 200, body: { data: true } };
    rig.answerWrites(cancelled);
    const some = await rig.svc(['events', 'cancel', 't2', ...line.slice(2), '--json']);
    expect(some.code).toBe(3);
    expect(printedError(some.stderr)).toMatchObject({
      message: 'The outcome of 1 of 2 transactions is unknown.',
      hint: 'Check the transaction. Increase --wait-timeout to wait longer.',
      next: ['svc activity get t1'],
      details: [{ field: 't1', message: 'not found in the activity; check the id' }],
    });
    rig.answerWrites(rejected, 'sandbox');
    const both = await rig.svc(['events', 'cancel', 't2', ...line.slice(2), '--json']);
    expect(both.code).toBe(6);
    expect(printedError(both.stderr)).toMatchObject({
      message: 'The outcome of 2 of 2 transactions is unknown.',
      next: ['svc activity get t1'],
    });
    rig.answerWrites(cancelled);
    const none = await rig.svc(['events', 'cancel', 't2', '--yes', '--json']);
    expect({ code: none.code, stderr: none.stderr }).toEqual({ code: 0, stderr: '' });
  });
});

it('an error of a later request ends the command, after what was cancelled', async () => {
  const rig = await openRig();
  rig.answerWrites({ status: 200, body: { data: true } }, unauthorized);
  const { code, stdout, stderr } = await rig.svc([
    ...['events', 'cancel', 't1', 't2', '--yes', '--json'],
  ]);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)[0]).toMatchObject({ transactionId: 't1', state: 'cancelled' });
  expect(printedError(stderr).message).toContain('API Key not found');
});

it('a signal ends the wait, and says what is not known', async () => {
  const rig = await openRig();
  const signal = new AbortController();
  rig.answerBy(({ method }) => {
    if (method === 'GET') signal.abort('interrupted');
    return method === 'GET'
      ? { status: 200, body: { data: [], page: 0, pageSize: 50, hasMore: false } }
      : { status: 200, body: { data: false } };
  });
  const { code, stdout } = await rig.svc(['events', 'cancel', 't1', '--yes'], {
    tty: 'stdout',
    columns: 200,
    shutdownSignal: signal.signal,
  });
  expect(code).toBe(130);
  expect(stdout).toContain('t1: unknown: the wait ended early.');
});

it('the activity of a transaction is read to its end', async () => {
  const rig = await openRig();
  const item = (status: string, index: number) => ({
    ...{ _id: `e${index}`, transactionId: 't1', _subscriberId: 's' },
    jobs: [{ _id: 'j', type: 'email', status, executionDetails: [] }],
  });
  const values = [false, true];
  rig.answerBy(({ method, url }) => {
    if (method !== 'GET') return { status: 200, body: { data: values.shift() } };
    const page = Number(url.searchParams.get('page'));
    const data =
      page === 0
        ? Array.from({ length: 50 }, (_unused, n) => item('completed', n))
        : [item('delayed', 50)];
    return { status: 200, body: { data, page, pageSize: 50, hasMore: page === 0 } };
  });
  const { code, stdout } = await rig.svc(['events', 'cancel', 't1', '--yes', '--json']);
  expect({ code, state: JSON.parse(stdout)[0].state }).toEqual({ code: 0, state: 'cancelled' });
});

it('ids cannot be combined with --run', async () => {
  const rig = await openRig();
  const { code, stderr } = await rig.svc(['events', 'cancel', 't1', '--run', 'last', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toContain('Transaction ids cannot be combined with --run.');
});

it('a list of ids is asked about, and must not be empty', async () => {
  const rig = await openRig();
  const asked = await rig.svc(['events', 'cancel', 't1', 't2', 't3']);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('to cancel the pending jobs of 3 transactions at ');
  const none = await rig.svc(['events', 'cancel', '--yes', '--json']);
  expect(none.code).toBe(2);
  expect(printedError(none.stderr)).toMatchObject({
    message: 'No transaction is given.',
    next: ['svc activity list', 'svc events cancel <transaction-id>'],
  });
});

describe('the wait for a transaction of a run', () => {
  /** Runs with the id `own`, then one file of the run is changed; returns how long a cancellation waits. */
  async function waitAfter(change: (folder: string) => void) {
    const rig = await openRig();
    const stdin = '{"name":"trial-ending","to":"u1","transactionId":"own"}\n';
    const line = ['events', 'trigger', '--file', '-', '--yes', '--json'];
    const { stdout } = await rig.svc(line, { stdin });
    const folder = runFolder(rig, parsed(stdout).runId);
    rmSync(path.join(rig.folder, 'cache'), { recursive: true, force: true });
    change(folder);
    rig.answerBy(({ method }) =>
      method === 'GET'
        ? { status: 200, body: { data: [], page: 0, pageSize: 50, hasMore: false } }
        : { status: 200, body: { data: false } },
    );
    const { code, slept } = await rig.svc(['events', 'cancel', 'own', '--yes']);
    expect(code).toBe(6);
    return slept;
  }

  const startEarlier = (folder: string) => {
    const file = path.join(folder, 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, startedAt: '2025-01-01T00:00:00.000Z' }));
  };
  const writeNow = (folder: string) =>
    utimesSync(path.join(folder, 'ledger.ndjson'), frozenNow / 1000, frozenNow / 1000);

  it('is long if the run has started or was written a short time ago', async () => {
    expect(await waitAfter(() => undefined)).toBe(60_000);
    const resumed = (folder: string) => {
      startEarlier(folder);
      writeNow(folder);
    };
    expect(await waitAfter(resumed)).toBe(60_000);
  });

  it('is short otherwise, also if the run cannot be read', async () => {
    expect(await waitAfter(startEarlier)).toBe(5_000);
    const damage = (folder: string) => {
      writeFileSync(path.join(folder, 'manifest.json'), '{');
      writeNow(folder);
    };
    expect(await waitAfter(damage)).toBe(5_000);
  });
});

describe('--run', () => {
  it('asks with the number of transactions and the run', async () => {
    const rig = await openRig();
    const runId = await send(rig, 3);
    const { code, stderr } = await rig.svc(['events', 'cancel', '--run', 'last']);
    expect(code).toBe(2);
    expect(stderr).toContain(`to cancel the pending jobs of 3 transactions of run ${runId}`);
  });

  it('says how long it takes from 100 transactions on, and asks for one item for that', async () => {
    const rig = await openRig();
    await send(rig, 99);
    const few = await rig.svc(['events', 'cancel', '--run', 'last']);
    expect({ code: few.code, requests: few.requests }).toEqual({ code: 2, requests: [] });
    await send(rig, 100);
    const many = await rig.svc(['events', 'cancel', '--run', 'last']);
    expect(many.code).toBe(2);
    expect(many.stderr).toContain('Cancelling takes 100 requests, ');
    expect(many.requests.map(({ line }) => line)).toEqual([
      expect.stringMatching(/^GET \/v1\/notifications\?transactionId=txn_\w+&limit=1$/),
    ]);
  });

  it.each([
    ['64', '13s'],
    ['16', '13s'],
    ['4', '50s'],
  ])('estimates with --concurrency %s by the time of a request', async (concurrency, time) => {
    const rig = await openRig();
    await send(rig, 100);
    const body = { data: [], page: 0, pageSize: 1, hasMore: false };
    rig.answer({ status: 429, headers: { 'retry-after': '2' } }, { status: 200, body });
    const line = ['events', 'cancel', '--run', 'last', '--concurrency', concurrency];
    const { code, stderr } = await rig.svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain(`one for each transaction: about ${time}.\n`);
  });

  it.each([
    ['serviceLevel="free"', ' at 60 a second, the limit of the plan free'],
    ['serviceLevel=free', ' at 60 a second, the limit of the plan free'],
    ['serviceLevel="gold"', ''],
    ['w=5', ''],
  ])('knows the plan of %s', async (policy, reason) => {
    const rig = await openRig();
    await send(rig, 100);
    const body = { data: [], page: 0, pageSize: 1, hasMore: false };
    rig.answer({ status: 200, headers: { 'ratelimit-policy': policy }, body });
    const { code, stderr } = await rig.svc(['events', 'cancel', '--run', 'last']);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`about \\ds${reason}\\.\n`));
  });

  it('writes its list again only if the run has sent more', async () => {
    const rig = await openRig();
    rig.answerWrites('sandbox', unauthorized);
    const line = ['events', 'trigger', '--file', '-', '--yes', '--json', '--spool'];
    const stdin = event.repeat(450);
    const { code, stdout } = await rig.svc([...line, '--concurrency', '1'], { stdin });
    expect(code).toBe(4);
    const { runId } = parsed(stdout);
    const list = path.join(runFolder(rig, runId), 'transactions.ndjson');
    const listed = () => readFileSync(list, 'utf8').trim().split('\n').length;
    const validate = () => rig.svc(cancelLine(String(runId), '--validate-only'));
    expect((await validate()).code).toBe(0);
    const first = listed();
    const early = new Date('2020-01-01');
    utimesSync(list, early, early);
    expect((await validate()).code).toBe(0);
    expect(statSync(list).mtime).toEqual(early);
    expect((await rig.svc(['runs', 'resume', String(runId)])).code).toBe(0);
    expect((await validate()).code).toBe(0);
    expect(first).toBe(200);
    expect(listed()).toBe(450);
    expect(statSync(list).mtime).not.toEqual(early);
  });

  it('with another key names the way without the run, and can be validated', async () => {
    const rig = await openRig();
    const runId = await send(rig, 1);
    const env = { SVC_API_KEY: 'another' };
    const validated = await rig.svc(cancelLine(runId, '--validate-only'), { env });
    expect(validated.code).toBe(0);
    const { code, stderr, requests } = await rig.svc(cancelLine(runId, '--json'), { env });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    const list = path.join(runFolder(rig, runId), 'transactions.ndjson');
    expect(printedError(stderr).hint).toContain(
      `If the key was replaced, cancel its transactions by their ids with \`svc events cancel - --format ndjson < ${list}\`.`,
    );
  });
});
