import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { sentEvents } from '../../support/requests.ts';
import { openRig, parsed, type Ran, type Rig, writeInput } from '../../support/rig.ts';
import { runFolder, unauthorized } from '../../support/runs.ts';
import { words } from '../../support/words.ts';

const row = (id: string) => `${id},${id}@example.com\n`;
const toCsv = (ids: readonly string[]) => `subscriberId,email\n${ids.map(row).join('')}`;

async function send(rig: Rig, ids: readonly string[], ...more: string[]) {
  const file = writeInput(rig, 'users.csv', toCsv(ids));
  const { stdout } = await rig.svc([
    ...['events', 'trigger', 'welcome', '--recipients', file, '--update-subscribers'],
    ...['--payload', '{"product":"svc"}', '--yes', '--json', ...more],
  ]);
  return { file, runId: String(parsed(stdout).runId) };
}

/** `broken` failed because of its template. */
type Outcome = 'completed' | 'failed' | 'broken' | 'canceled' | 'queued' | undefined;
const details: Record<string, string> = {
  failed: 'Unexpected provider error',
  broken: 'Bridge execution failed',
};

/**
 * Responds to the activity listing. `outcome` has the statuses of the in-app and the e-mail job of the events of a
 * subscriber, by the number of the time that it was triggered; undefined for an event that is not in the activity.
 */
function openActivity(
  rig: Rig,
  outcome: (subscriberId: string, time: number) => Outcome[] | undefined,
  accepts = () => true,
) {
  const events: { id: string; subscriberId: string; time: number; event: Triggered }[] = [];
  rig.answerBy(({ method, url, body }) => {
    if (method === 'POST' && url.pathname === '/v1/events/trigger/bulk') {
      if (!accepts()) return unauthorized;
      const sent = (body as { events: Triggered[] }).events;
      for (const event of sent)
        for (const { subscriberId } of event.to)
          if (
            !events.some(
              (known) => known.id === event.transactionId && known.subscriberId === subscriberId,
            )
          ) {
            const time = 1 + events.filter((known) => known.subscriberId === subscriberId).length;
            events.push({ id: event.transactionId, subscriberId, time, event });
          }
      const value = sent.map(({ transactionId }) => ({
        acknowledged: true,
        status: 'processed',
        transactionId,
      }));
      return { status: 201, body: { data: value } };
    }
    if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
    const ids = url.searchParams.getAll('transactionId');
    const data = events
      .filter(({ id }) => ids.includes(id))
      .flatMap(({ id, subscriberId, time }) => {
        const statuses = outcome(subscriberId, time);
        if (!statuses) return [];
        const jobs = statuses.map((status, index) => ({
          _id: `j${index}`,
          type: index === 0 ? 'in_app' : 'email',
          status: status === 'broken' ? 'failed' : status,
          executionDetails: [details[status ?? '']].flatMap((detail) =>
            detail === undefined ? [] : { _id: 'd', status: 'Failed', detail, raw: '550' },
          ),
        }));
        return [
          { _id: `${id}-${subscriberId}`, transactionId: id, _subscriberId: subscriberId, jobs },
        ];
      });
    return { status: 200, body: { page: 0, pageSize: 50, hasMore: false, data } };
  });
  return events;
}

interface Triggered {
  name: string;
  to: { subscriberId: string }[];
  payload: object;
  transactionId: string;
}

const sentRecipients = (ran: Ran) =>
  sentEvents(ran.requests).flatMap(({ to }) => to.map(({ subscriberId }) => subscriberId));

const resend = (...more: string[]) => words`events resend --run last --yes --json ${more}`;

const outcomes: Record<string, Outcome[] | undefined> = {
  good: ['completed', 'completed'],
  none: ['failed', 'failed'],
  half: ['completed', 'failed'],
  off: ['canceled', 'canceled'],
  open: ['completed', 'queued'],
  absent: undefined,
};
const ids = Object.keys(outcomes);

describe('events resend', () => {
  it('triggers the same events again for the recipients that got nothing', async () => {
    const rig = await openRig();
    const events = openActivity(rig, (id) => outcomes[id]);
    const { runId } = await send(rig, ids);
    const ran = await rig.svc(resend());
    expect(ran.code).toBe(0);
    expect(parsed(ran.stdout)).toMatchObject({
      ...{ origin: runId, runId: `${runId}-resend-1`, rows: 1, triggered: 1, unfinished: 2 },
    });
    const [event] = sentEvents(ran.requests);
    const first = events.find(({ subscriberId }) => subscriberId === 'none');
    expect(event).toEqual({
      ...first?.event,
      to: [{ subscriberId: 'none' }],
      transactionId: expect.not.stringMatching(String(first?.id)),
    });
  });

  it.each([
    ['the ids of recipients and actor alone', [], undefined],
    ['their fields again with --update-subscribers', ['--update-subscribers'], 'old@example.com'],
  ])('sends %s, so that a corrected address stays', async (_name, more, email) => {
    const rig = await openRig();
    openActivity(rig, () => ['failed', 'failed']);
    const events = ['u1', 'u2'].map((subscriberId) => ({
      ...{ name: 'welcome', payload: { product: 'svc' } },
      to: [{ subscriberId, email: 'old@example.com' }, 'u3'],
      actor: { subscriberId: 'boss', email: 'old@example.com' },
    }));
    const file = writeInput(rig, 'events.ndjson', events.map((e) => JSON.stringify(e)).join('\n'));
    await rig.svc(['events', 'trigger', '--file', file, '--yes']);
    const sent = sentEvents((await rig.svc(resend(...more))).requests);
    expect(sent).toHaveLength(4);
    for (const event of sent) {
      const [{ subscriberId } = { subscriberId: '' }] = event.to;
      const fields = email === undefined ? {} : { email };
      expect(event.to).toEqual([
        subscriberId === 'u3' ? { subscriberId } : { subscriberId, ...fields },
      ]);
      expect(event).toMatchObject({ actor: { subscriberId: 'boss', ...fields } });
      expect(JSON.stringify(event).includes('old@')).toBe(email !== undefined);
    }
  });

  it('--only failed also takes those with a delivered message, and the question counts these', async () => {
    const rig = await openRig();
    openActivity(rig, (id) => outcomes[id]);
    await send(rig, ids);
    const asked = await rig.svc(['events', 'resend', '--run', 'last', '--only', 'failed'], {
      tty: true,
      stdin: 'n\n',
      columns: 200,
    });
    expect(asked.stderr).toContain('1 message that was delivered will be sent again.');
    expect(asked.stderr).toContain('Left out: 2 recipients not finished yet.');
    expect(sentEvents(asked.requests)).toEqual([]);
    const ran = await rig.svc(resend('--only', 'failed'));
    expect(sentRecipients(ran)).toEqual(['none', 'half']);
  });

  it('--cause takes those with this cause', async () => {
    const rig = await openRig();
    openActivity(rig, (id) => outcomes[id]);
    const { runId } = await send(rig, ids);
    const none = await rig.svc(resend('--cause', 'template_error'));
    expect(none.code).toBe(0);
    expect(parsed(none.stdout)).toEqual({
      ...{ origin: runId, runId: null, rows: 0, triggered: 0, unfinished: 2 },
    });
    expect(sentRecipients(await rig.svc(resend('--cause', 'provider_error')))).toEqual(['none']);
  });

  it('says so if there is nothing to resend, and proposes to follow what it resent', async () => {
    const rig = await openRig();
    openActivity(rig, (id) => outcomes[id]);
    const { runId } = await send(rig, ids);
    const line = resend('--cause', 'template_error').filter((word) => word !== '--json');
    const sentence = `: run ${runId} has no recipient who is finished and undelivered; 2 are not finished.`;
    const piped = await rig.svc(line);
    expect(piped.stdout).toBe(`origin\t${runId}\nrunId\t\nrows\t0\ntriggered\t0\nunfinished\t2\n`);
    expect(piped.stderr).toContain(sentence);
    const printed = await rig.svc(line, { tty: true, columns: 200 });
    expect(printed.written.split(sentence)).toHaveLength(2);
    const sent = await rig.svc(
      resend().filter((word) => word !== '--json'),
      { tty: true, columns: 200 },
    );
    expect(sent.stderr.split('\n').slice(0, 3)).toEqual([
      `Run ${runId}: 1 recipient to resend to.`,
      'Left out: 2 recipients not finished yet. Resend to them later with --again.',
      '1 recipient with a failed message also got a delivered message: --only failed resends to them, too.',
    ]);
    expect(sent.stdout).toMatch(/\nFollow the deliveries: svc runs watch \S+-resend-1\n$/);
  });

  it('a second one needs --again, which takes those who are still undelivered', async () => {
    const rig = await openRig();
    openActivity(rig, (id, time) => (id === 'a' && time > 1 ? ['completed'] : ['failed']));
    const { runId } = await send(rig, ['a', 'b']);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
    const second = await rig.svc(resend());
    expect(second.code).toBe(2);
    expect(second.requests).toEqual([]);
    expect(second.stderr).toContain(`Run ${runId} was resent before by run ${runId}-resend-1.`);
    const filtered = await rig.svc(resend('--only', 'failed', '--cause', 'provider_error'));
    expect(filtered.stderr).toContain(
      `svc events resend --run ${runId} --only failed --cause provider_error --again`,
    );
    const again = await rig.svc(resend('--again'));
    expect(sentRecipients(again)).toEqual(['b']);
    expect(parsed(again.stdout)).toMatchObject({ runId: `${runId}-resend-2` });
    const third = await rig.svc(resend('--again'));
    expect(sentRecipients(third)).toEqual(['b']);
    expect(sentEvents(third.requests)[0]?.transactionId).not.toBe(
      sentEvents(again.requests)[0]?.transactionId,
    );
  });

  it('--again takes those whose resent event failed with this cause', async () => {
    const rig = await openRig();
    openActivity(rig, (id, time) => [id === 'a' && time > 1 ? 'broken' : 'failed']);
    await send(rig, ['a', 'b']);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
    const again = resend('--again', '--cause', 'provider_error');
    expect(sentRecipients(await rig.svc(again))).toEqual(['b']);
  });

  it('--again counts those who got one of the messages that were sent again', async () => {
    const rig = await openRig();
    openActivity(rig, (_id, time) => [time > 1 ? 'completed' : 'failed', 'failed']);
    await send(rig, ['a', 'b']);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
    const again = await rig.svc(words`events resend --run last --again --yes`);
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/^2 recipients with a failed message also got a delivered/);
  });

  it('sends the valid rows of a file with blank and invalid ones', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const file = writeInput(rig, 'users.csv', `${toCsv(['a'])}\n,x@example.com\n${row('b')}`);
    const line = ['events', 'trigger', 'welcome', '--recipients', file, '--yes'];
    expect((await rig.svc(line)).code).toBe(3);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
  });

  it('refuses a run that only validated its rows, or is still sending', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const validated = await send(rig, ['a'], '--validate-only');
    expect(await rig.svc(words`events resend --run ${validated.runId} --yes`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Run ${validated.runId} only validated its rows.`),
    });
    const { runId } = await send(rig, ['a']);
    const lock = path.join(runFolder(rig, runId), 'lock');
    writeFileSync(lock, '{"pid":4242}');
    const refused = await rig.svc(resend());
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toContain(`Run ${runId} is still sending events.`);
    expect(refused.stderr).toContain(`svc runs watch ${runId}`);
  });

  it('--again leaves out those whose resent event is not in the activity yet', async () => {
    const rig = await openRig();
    openActivity(rig, (id, time) => (time === 1 || id === 'b' ? ['failed'] : undefined));
    await send(rig, ['a', 'b']);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
    const again = await rig.svc(resend('--again'));
    expect(sentRecipients(again)).toEqual(['b']);
    expect(parsed(again.stdout)).toMatchObject({ rows: 1, unfinished: 1 });
  });

  it('counts the messages that the run and its earlier resends delivered', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['completed', 'failed']);
    await send(rig, ['a']);
    expect(sentRecipients(await rig.svc(resend('--only', 'failed')))).toEqual(['a']);
    const line = ['events', 'resend', '--run', 'last', '--only', 'failed', '--again'];
    const { stderr } = await rig.svc(line, { tty: true, stdin: 'n\n', columns: 200 });
    expect(stderr).toContain('2 messages that were delivered will be sent again.');
  });

  it('resends to a subscriber of a topic alone', async () => {
    const rig = await openRig();
    await rig.svc(['topics', 'create', 'news']);
    for (const id of ['t1', 't2']) await rig.svc(['subscribers', 'create', id]);
    await rig.svc(['topics', 'subscribe', 'news', 't1', 't2']);
    const event = { name: 'welcome', to: [{ type: 'Topic', topicKey: 'news' }], payload: { n: 1 } };
    const file = writeInput(rig, 'events.ndjson', `${JSON.stringify(event)}\n`);
    await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const failed = { _id: 'j', type: 'email', status: 'failed', executionDetails: [] };
    rig.answerBy(({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/v1/notifications') return undefined;
      const [transactionId] = url.searchParams.getAll('transactionId');
      const isOrigin = isFirst;
      isFirst = false;
      const data = ['t1', 't2'].map((id) => ({
        ...{ _id: id, transactionId, _subscriberId: id },
        jobs: [id === 't1' ? failed : { ...failed, status: 'completed' }],
      }));
      return {
        status: 200,
        body: { page: 0, pageSize: 50, hasMore: false, data: isOrigin ? data : [] },
      };
    });
    let isFirst = true;
    const [resent] = sentEvents((await rig.svc(resend())).requests);
    expect(resent).toMatchObject({
      name: 'welcome',
      to: [{ subscriberId: 't1' }],
      payload: { n: 1 },
    });
  });

  it('sends nothing twice when the state folder is lost', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const { runId } = await send(rig, ['a', 'b'], '--run-id', 'campaign', '--environment-id', 'e1');
    const first = sentEvents((await rig.svc(resend())).requests);
    const origin = runFolder(rig, runId);
    rmSync(`${origin}-resend-1`, { recursive: true });
    const refused = await rig.svc(resend());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`Run ${runId} was resent before.`);
    rmSync(path.join(rig.folder, 'state'), { recursive: true });
    await send(rig, ['a', 'b'], '--run-id', 'campaign', '--environment-id', 'e1');
    const afterLoss = await rig.svc(resend());
    expect(afterLoss.code).toBe(2);
    expect(sentEvents(afterLoss.requests)).toEqual([]);
    expect(first).toHaveLength(2);
  });

  it('completes a resend whose state was lost with the same transaction ids', async () => {
    const rig = await openRig();
    // The jobs of the resent events do not exist yet.
    openActivity(rig, (_id, time) => (time === 1 ? ['failed'] : undefined));
    const { runId } = await send(rig, ['a', 'b']);
    const first = await rig.svc(resend());
    rmSync(runFolder(rig, `${runId}-resend-1`), { recursive: true });
    const second = await rig.svc(resend());
    expect(sentEvents(second.requests)).toEqual(sentEvents(first.requests));
    const keys = [first, second].map(
      ({ requests }) =>
        requests.find(({ line }) => line.startsWith('POST'))?.headers['idempotency-key'],
    );
    expect(keys[0]).toBe(keys[1]);
  });

  it('refuses a changed input, standard input without a copy, other runs, and no run', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const { file, runId } = await send(rig, ['a', 'b']);
    appendFileSync(file, row('c'));
    const changed = await rig.svc(resend());
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain(
      `Run ${runId} cannot be sent again: the file changed since it started.`,
    );
    await rig.svc(['events', 'trigger', 'welcome', '--recipients', '-', '--yes'], {
      stdin: toCsv(['a']),
    });
    expect((await rig.svc(resend())).stderr).toContain(
      'read standard input, which cannot be read again',
    );
    await rig.svc(['events', 'trigger', 'welcome', '--recipients', '-', '--yes', '--spool'], {
      stdin: 'subscriberId\ns1\n',
    });
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['s1']);
    const csv = writeInput(rig, 'import.csv', toCsv(['i1']));
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const imported = await rig.svc(
      words`events resend --run ${String(parsed(stdout).runId)} --yes`,
    );
    expect(imported.stderr).toContain('Only runs of `svc events trigger` can be resent.');
    expect(await rig.svc(['events', 'resend'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('svc events resend --run last'),
    });
  });

  it('prints the first request with --dry-run, and leaves no run', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const { runId } = await send(rig, ['a', 'b']);
    const ran = await rig.svc(['events', 'resend', '--run', 'last', '--dry-run']);
    expect(ran.code).toBe(0);
    expect(sentEvents(ran.requests)).toEqual([]);
    expect(ran.stdout).toContain('POST');
    const { stdout } = await rig.svc(['runs', 'list', '-o', 'ids']);
    expect(stdout).toBe(`${runId}\n`);
  });

  it('resumes from its own copy, and must be resumed before another one', async () => {
    const rig = await openRig();
    const people = Array.from({ length: 150 }, (_unused, index) => `p${index}`);
    let accepted = 0;
    const maxAccepted = { now: Number.POSITIVE_INFINITY };
    openActivity(
      rig,
      (_id, time) => (time === 1 ? ['failed'] : ['completed']),
      () => {
        accepted += 1;
        return accepted <= maxAccepted.now;
      },
    );
    const { file, runId } = await send(rig, people);
    const resendId = `${runId}-resend-1`;
    maxAccepted.now = accepted + 1;
    const stopped = await rig.svc(resend('--concurrency', '1'));
    expect(stopped.code).toBe(4);
    maxAccepted.now = Number.POSITIVE_INFINITY;
    for (const more of [[], ['--again']]) {
      const refused = await rig.svc(resend(...more));
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`svc runs resume ${resendId}`);
    }
    rmSync(file);
    const resumed = await rig.svc(['runs', 'resume', resendId, '--json']);
    expect(parsed(resumed.stdout)).toMatchObject({ origin: runId, triggered: 150 });
    expect([...sentRecipients(stopped).slice(0, 100), ...sentRecipients(resumed)].sort()).toEqual(
      [...people].sort(),
    );
    const watched = await rig.svc(['runs', 'watch', 'last', '--json']);
    expect(parsed(watched.stdout)).toMatchObject({ runId: resendId, finished: 150 });
  });

  it('needs the name of a protected profile', async () => {
    const rig = await openRig({ bare: true });
    const production = { _id: 'b'.repeat(24), name: 'Production', _organizationId: 'c'.repeat(24) };
    const apiKeys = [{ key: testKey, _userId: 'd'.repeat(24) }];
    rig.answer({ status: 200, body: [{ ...production, identifier: 'p', type: 'prod', apiKeys }] });
    await rig.svc(['login', '--base-url', baseUrl, '--with-key', '--profile', 'live'], {
      stdin: testKey,
    });
    openActivity(rig, () => ['failed']);
    await send(rig, ['a'], '--confirm', 'live');
    const refused = await rig.svc(resend());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--confirm live');
    expect(sentRecipients(await rig.svc(resend('--confirm', 'live')))).toEqual(['a']);
  });
});
