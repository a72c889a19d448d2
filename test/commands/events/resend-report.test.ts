// The words of svc events resend: what it refuses, leaves out and asks.
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { sentEvents } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { runFolder } from '../../support/runs.ts';
import { openTwoEnvironments } from '../../support/two-environments.ts';
import { words } from '../../support/words.ts';
import { openActivity, resend, send, sentRecipients, toCsv } from './resend-rig.ts';

describe('events resend refuses', () => {
  it('a command without a run', async () => {
    const rig = await openRig();
    const { code, stderr } = await rig.svc(words`events resend --json`);
    expect(code).toBe(2);
    expect(printedError(stderr)).toMatchObject({
      message: 'No run is given.',
      next: ['svc runs list', 'svc events resend --run last', 'svc activity audit'],
    });
  });

  it('a run that sent nothing, is not finished, or cannot be read again', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const validated = await send(rig, ['a'], '--validate-only');
    const only = await rig.svc(words`events resend --run ${validated.runId} --yes --json`);
    expect(only.code).toBe(2);
    expect(printedError(only.stderr).message).toBe(
      `Run ${validated.runId} only validated its rows. It sent no events.`,
    );
    const { runId } = await send(rig, ['a']);
    const lock = path.join(runFolder(rig, runId), 'lock');
    writeFileSync(lock, '{"pid":4242}');
    const sending = await rig.svc(resend());
    expect(sending.code).toBe(2);
    expect(printedError(sending.stderr)).toMatchObject({
      hint: 'Wait until it has finished.',
      next: [`svc runs watch ${runId}`],
    });
    rmSync(lock);
    const stdin = toCsv(['a']);
    await rig.svc(words`events trigger welcome --recipients - --yes`, { stdin });
    const piped = await rig.svc(resend());
    expect(piped.code).toBe(2);
    expect(printedError(piped.stderr).hint).toBe(
      'With --spool, svc keeps a copy that it can resend from.',
    );
  });

  it('a run with another key', async () => {
    const rig = await openRig();
    await send(rig, ['a']);
    const { code, stderr } = await rig.svc(resend(), { env: { SVC_API_KEY: 'another' } });
    expect(code).toBe(2);
    expect(printedError(stderr)).toMatchObject({
      message: expect.stringMatching(/^Run \S+ cannot be resent here: /),
      hint: expect.stringContaining(
        'If the key was replaced, trigger the events again with a new run.',
      ),
    });
  });

  it('a run of another environment, and names its profile', async () => {
    const { rig } = await openTwoEnvironments();
    const { runId } = await send(rig, ['a']);
    const elsewhere = words`events resend --run ${runId} --yes --profile production`;
    const { code, stderr } = await rig.svc(elsewhere);
    expect(code).toBe(2);
    expect(stderr).toContain(`\n  svc events resend --run ${runId} --profile development\n`);
  });

  it('a second time without --again, and names the earlier run and the same choice', async () => {
    const rig = await openRig();
    openActivity(rig, (_id, time) => (time === 1 ? ['completed', 'failed'] : ['completed']));
    const { runId } = await send(rig, ['a', 'b']);
    const line = resend('--only', 'failed', '--cause', 'provider_error');
    expect((await rig.svc(line)).code).toBe(0);
    const refused = await rig.svc(line);
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    const again = `svc events resend --run ${runId} --only failed --cause provider_error --again`;
    expect(printedError(refused.stderr)).toMatchObject({
      message: `Run ${runId} was resent before by run ${runId}-resend-1.`,
      hint: 'With --again, svc resends to those who are still undelivered.',
      next: [again],
    });
    rmSync(runFolder(rig, `${runId}-resend-1`), { recursive: true });
    const lost = await rig.svc(line);
    expect(lost.code).toBe(2);
    expect(printedError(lost.stderr)).toMatchObject({
      message: `Run ${runId} was resent before.`,
      next: [again],
    });
  });

  it('one that has not finished', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const { runId } = await send(rig, ['a']);
    expect((await rig.svc(resend())).code).toBe(0);
    // A run without the end of its ledger has stopped.
    const ledger = path.join(runFolder(rig, `${runId}-resend-1`), 'ledger.ndjson');
    writeFileSync(ledger, '');
    for (const more of [[], ['--again']]) {
      const { code, stderr } = await rig.svc(resend(...more));
      expect(code).toBe(2);
      expect(printedError(stderr)).toMatchObject({
        message: `Run ${runId}-resend-1, which resends run ${runId}, has not finished.`,
        hint: 'Resume it first.',
        next: [`svc runs resume ${runId}-resend-1`],
      });
    }
  });
});

describe('events resend', () => {
  it('asks with the number of events', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const { runId } = await send(rig, ['a', 'b']);
    const { code, stderr } = await rig.svc(words`events resend --run last`);
    expect(code).toBe(2);
    expect(stderr).toContain(`to trigger 2 events of run ${runId} again at `);
    expect(stderr).not.toContain('sent again');
  });

  it('is not a repetition after the events were canceled, and counts no unfinished ones', async () => {
    const rig = await openRig();
    openActivity(rig, (_id, time) => (time === 1 ? ['failed'] : ['completed']));
    const { runId } = await send(rig, ['a']);
    const canceled = await rig.svc(words`events cancel --run ${runId} --yes --json`);
    expect(canceled.code).toBe(0);
    const { code, stdout } = await rig.svc(resend());
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 1, triggered: 1 });
    expect(parsed(stdout)).not.toHaveProperty('unfinished');
  });

  it('proposes to trigger the events that the service rejects', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const { runId } = await send(rig, ['a']);
    rig.answerWrites({ status: 400, body: { statusCode: 400, message: 'No.' } });
    const { code, stderr } = await rig.svc(words`events resend --run last --yes`, { columns: 300 });
    expect(code).toBe(6);
    const rejects = path.join(runFolder(rig, `${runId}-resend-1`), 'rejects.ndjson');
    expect(stderr).toContain(`run: svc events trigger --file ${rejects}\n`);
  });

  it('prints one sentence on a terminal if nothing is left, and in a pipe the numbers', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['completed']);
    const { runId } = await send(rig, ['a']);
    const sentence = `Nothing to resend at http://sandbox.localhost: run ${runId} has no recipient who is finished and undelivered.\n`;
    const line = words`events resend --run last --yes`;
    const shown = await rig.svc(line, { tty: true, columns: 200 });
    expect({ stdout: shown.stdout, stderr: shown.stderr }).toEqual({
      ...{ stdout: sentence, stderr: '' },
    });
    const piped = await rig.svc(line);
    expect(piped.stderr).toBe(sentence);
    expect((await rig.svc([...line, '-o', 'ids'])).stdout).toBe('');
  });
});

it('events resend --again takes everybody who is left, also if its state was lost', async () => {
  const rig = await openRig();
  openActivity(rig, (id, time) =>
    time === 1 || (time === 2 && id === 'a') ? ['failed'] : undefined,
  );
  const { runId } = await send(rig, ['a', 'b']);
  expect((await rig.svc(resend())).code).toBe(0);
  rmSync(runFolder(rig, `${runId}-resend-1`), { recursive: true });
  const again = await rig.svc(resend('--again'));
  expect({ code: again.code, recipients: sentRecipients(again) }).toEqual({
    ...{ code: 0, recipients: ['a', 'b'] },
  });
  expect(again.stdout).toContain(`${runId}-resend-2`);
});

describe('events resend --transactions', () => {
  const line = words`events resend --transactions - --yes`;

  it('refuses an empty list, and explains one whose transactions are unknown', async () => {
    const rig = await openRig();
    const none = await rig.svc([...line, '--json'], { stdin: '\n\n' });
    expect({ code: none.code, requests: none.requests }).toEqual({ code: 2, requests: [] });
    expect(printedError(none.stderr).message).toBe('--transactions: the list contains no ids.');
    const unknown = await rig.svc([...line, '--json'], { stdin: 't1\n' });
    expect(unknown.code).toBe(5);
    expect(printedError(unknown.stderr)).toMatchObject({
      message: 'None of 1 transaction is in the activity.',
      hint: 'Each line of the list is a transaction id, as `svc activity audit -o ids` prints them.',
    });
  });

  it('names a file that cannot be read by its option', async () => {
    const rig = await openRig();
    const { code, stderr } = await rig.svc(words`events resend --transactions absent.txt --yes`);
    expect(code).toBe(2);
    expect(stderr).toContain('--transactions: ');
    const file = writeInput(rig, 'list.txt', 't1\n');
    expect((await rig.svc(words`events resend --transactions ${file} --yes`)).code).toBe(5);
  });

  /** Answers with events of one e-mail job. */
  const openEvents = async (events: readonly object[]) => {
    const rig = await openRig();
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
      const ids = url.searchParams.getAll('transactionId');
      const data = events.filter((event) =>
        ids.includes((event as { transactionId: string }).transactionId),
      );
      return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data } };
    });
    return rig;
  };
  const event = (transactionId: string, status: string, more: object = {}) => ({
    ...{ _id: transactionId, transactionId, _subscriberId: 's', createdAt: '2026-01-15T11:00:00Z' },
    subscriber: { _id: 's', subscriberId: 'u1' },
    template: { _id: 'w', name: 'Welcome', triggers: [{ identifier: 'welcome' }] },
    payload: { product: 'svc' },
    jobs: [{ _id: 'j', type: 'email', status, executionDetails: [] }],
    ...more,
  });

  const leftOut = (why: string) =>
    `1 event left out: ${why}.\nNothing to resend at http://sandbox.localhost.\n`;

  it('has nothing to send if all messages were delivered', async () => {
    const rig = await openEvents([event('t1', 'completed')]);
    const { code, stdout, stderr, requests } = await rig.svc(line, {
      stdin: 't1\n',
      tty: 'stdout',
    });
    expect({ code, stdout }).toEqual({
      ...{ code: 0, stdout: 'Nothing to resend at http://sandbox.localhost.\n' },
    });
    expect(requests).toHaveLength(1);
    expect(stderr).toBe('1 event left out: a message was delivered.\n');
    const printed = await rig.svc([...line, '--json'], { stdin: 't1\n' });
    expect(JSON.parse(printed.stdout)).toEqual({ runId: null, rows: 0, triggered: 0 });
    expect((await rig.svc([...line, '-o', 'ids'], { stdin: 't1\n' })).stdout).toBe('');
  });

  it('sends an event of any name once, with its own id', async () => {
    const rig = await openEvents([event('t1', 'failed'), event('t2', 'failed')]);
    const { code, requests, stderr } = await rig.svc(line, { stdin: 't1\nt2\nt1\nt3\n' });
    expect(code).toBe(0);
    const sent = sentEvents(requests);
    expect(sent).toHaveLength(2);
    for (const one of sent)
      expect(one).toEqual({
        ...{ name: 'welcome', to: [{ subscriberId: 'u1' }], payload: { product: 'svc' } },
        transactionId: expect.stringMatching(/^txn_[0-9a-f]{24}$/),
      });
    expect(stderr).toContain('Warning: 1 transaction not in the activity.\n');
  });

  it('names the place of an id with an invisible character', async () => {
    const rig = await openRig();
    const stdin = 't1\nt\u200b2\n';
    const piped = await rig.svc(line, { stdin });
    expect(piped.code).toBe(2);
    expect(piped.stderr).toContain('The id on line 2 of standard input ');
    const file = writeInput(rig, 'list.txt', stdin);
    const read = await rig.svc(words`events resend --transactions ${file} --yes`);
    expect(read.code).toBe(2);
    expect(read.stderr).toContain(`The id on line 2 of ${file} `);
  });

  it('sends to every recipient of a transaction, also one without jobs, once', async () => {
    const people = Array.from({ length: 51 }, (_unused, index) => ({
      ...event('t1', 'failed'),
      ...{ _id: `e${index}`, subscriber: { _id: `s${index}`, subscriberId: `p${index}` } },
      ...(index === 50 ? { jobs: undefined } : {}),
    }));
    const rig = await openRig();
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
      const page = Number(url.searchParams.get('page'));
      const data = people.slice(50 * page, 50 * page + 50);
      return { status: 200, body: { data, page, pageSize: 50, hasMore: page === 0 } };
    });
    const { code, requests } = await rig.svc(line, { stdin: 't1\n' });
    expect(code).toBe(0);
    const sent = sentEvents(requests);
    expect(sent.map(({ to }) => to[0]?.subscriberId)).toEqual(
      people.map(({ subscriber }) => subscriber.subscriberId),
    );
    const hash = createHash('sha256').update('["resend","t1","p0"]').digest('hex');
    expect(sent[0]?.transactionId).toBe(`txn_${hash.slice(0, 24)}`);
  });

  it('leaves out what a digest carried, and reads only digests', async () => {
    const main = { ...event('t9', 'completed'), _id: 'main' };
    const merged = event('t1', 'merged', { _digestedNotificationId: 'main' });
    const rig = await openRig();
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET') return undefined;
      if (url.pathname === '/v1/notifications/main') return { status: 200, body: { data: main } };
      const data = url.searchParams.getAll('transactionId').includes('t1') ? [merged] : [];
      return { status: 200, body: { data, page: 0, pageSize: 50, hasMore: false } };
    });
    const { code, stderr, requests } = await rig.svc(line, { stdin: 't1\n' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: leftOut('a message was delivered') });
    expect(requests.map((request) => request.line.replace(/\?.*/, ''))).toEqual([
      ...['GET /v1/notifications', 'GET /v1/notifications/main'],
    ]);
  });

  it('leaves out an event that has lost its payload, if the workflow uses it', async () => {
    const rig = await openEvents([event('t1', 'failed', { payload: undefined })]);
    const { code, stderr, requests } = await rig.svc(line, { stdin: 't1\n' });
    expect({ code, sent: sentEvents(requests) }).toEqual({ code: 0, sent: [] });
    expect(stderr).toBe(leftOut('they have no payload, or the service no longer has it'));
  });

  it.each([
    ['depends on the schedule of a person', undefined],
    ['is not known', { extendToSchedule: false, amount: 'some' }],
  ])('sends an event with a delay whose end %s', async (_why, controlVariables) => {
    const jobs = [
      {
        _id: 'd',
        type: 'delay',
        status: 'delayed',
        executionDetails: [],
        step: { controlVariables },
      },
      { _id: 'j', type: 'email', status: 'pending', executionDetails: [] },
    ];
    const rig = await openEvents([event('t1', '', { jobs })]);
    const { code, requests } = await rig.svc(line, { stdin: 't1\n' });
    expect({ code, sent: sentEvents(requests).length }).toEqual({ code: 0, sent: 1 });
  });

  it('leaves out what a digest carries that cannot be read', async () => {
    const rig = await openEvents([event('merged', 'merged', { _digestedNotificationId: 'gone' })]);
    const { code, stderr, requests } = await rig.svc(line, { stdin: 'merged\n' });
    expect({ code, sent: sentEvents(requests) }).toEqual({ code: 0, sent: [] });
    expect(stderr).toBe(leftOut('the event with the digest cannot be read'));
  });
});
