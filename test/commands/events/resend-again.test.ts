// Refusals and repetitions of `svc events resend`: it sends nothing twice.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { sentEvents } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { runFolder } from '../../support/runs.ts';
import { words } from '../../support/words.ts';
import { openActivity, resend, row, send, sentRecipients, toCsv } from './resend-rig.ts';

describe('events resend', () => {
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

  it('is possible after the run was canceled', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const { runId } = await send(rig, ['a']);
    expect((await rig.svc(words`events cancel --run ${runId} --yes`)).code).toBe(0);
    const { code, requests } = await rig.svc(resend());
    expect({ code, sent: sentEvents(requests) }).toMatchObject({ code: 0, sent: [{}] });
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

  it('completes a resend whose state was lost with the events that are not in the activity', async () => {
    const rig = await openRig();
    openActivity(rig, (id, time) =>
      time === 1 ? ['failed'] : id === 'a' ? ['completed'] : undefined,
    );
    const { runId } = await send(rig, ['a', 'b']);
    const first = sentEvents((await rig.svc(resend())).requests);
    rmSync(runFolder(rig, `${runId}-resend-1`), { recursive: true });
    const second = sentEvents((await rig.svc(resend())).requests);
    expect(second).toEqual(first.filter(({ to }) => to[0]?.subscriberId === 'b'));
    expect(second).toHaveLength(1);
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
    expect((await rig.svc(resend())).stderr).toMatch(
      /read standard input, which cannot be read again.*With --spool, svc keeps a copy/,
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

  it('--again leaves out those whose resent event is not in the activity yet', async () => {
    const rig = await openRig();
    openActivity(rig, (id, time) => (time === 1 || id === 'b' ? ['failed'] : undefined));
    await send(rig, ['a', 'b']);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
    const again = await rig.svc(resend('--again'));
    expect(sentRecipients(again)).toEqual(['b']);
    expect(parsed(again.stdout)).toMatchObject({ rows: 1, unfinished: 1 });
  });

  it.each(['queued', undefined] as const)(
    '--again sends nothing while each resent event is %s in the activity',
    async (status) => {
      const rig = await openRig();
      openActivity(rig, (_id, time) => (time === 1 ? ['failed'] : status && [status]));
      await send(rig, ['a', 'b']);
      expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
      const again = await rig.svc(resend('--again'));
      expect(sentRecipients(again)).toEqual([]);
      expect(parsed(again.stdout)).toMatchObject({ rows: 0, unfinished: 2 });
    },
  );

  it('reads no further page once it has all events', async () => {
    const rig = await openRig();
    const accepts = () => true;
    openActivity(rig, () => ['failed'], accepts, true);
    await send(rig, ['a', 'b']);
    expect(sentRecipients(await rig.svc(resend()))).toEqual(['a', 'b']);
    const { requests } = await rig.svc(resend('--again'));
    const pages = requests.flatMap(({ line }) => /[?&]page=(\d+)/.exec(line)?.[1] ?? []);
    expect(new Set(pages)).toEqual(new Set(['0']));
  });

  it('derives the transaction ids from the event, its row, the recipient and the number', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['failed']);
    const file = writeInput(rig, 'users.csv', toCsv(['a', 'b']));
    const line = ['events', 'trigger', 'welcome', '--recipients', file, '--payload'];
    const ran = await rig.svc([...line, '{"product":"svc"}', '--yes', '--json']);
    const manifest = path.join(runFolder(rig, parsed(ran.stdout).runId), 'manifest.json');
    const { idScope } = JSON.parse(readFileSync(manifest, 'utf8'));
    const origins = sentEvents(ran.requests).map(({ transactionId }) => transactionId);
    for (const number of [1, 2]) {
      const { requests } = await rig.svc(resend('--again'));
      expect(sentEvents(requests).map(({ transactionId }) => transactionId)).toEqual(
        origins.map((origin, index) => {
          const parts = ['resend', idScope, index + 1, index === 0 ? 'a' : 'b', number, origin];
          const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
          return `txn_${hash.slice(0, 24)}`;
        }),
      );
    }
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

  it('counts the messages that the run and its earlier resends delivered', async () => {
    const rig = await openRig();
    openActivity(rig, () => ['completed', 'failed']);
    await send(rig, ['a']);
    expect(sentRecipients(await rig.svc(resend('--only', 'failed')))).toEqual(['a']);
    const line = ['events', 'resend', '--run', 'last', '--only', 'failed', '--again'];
    const { stderr } = await rig.svc(line, { tty: true, stdin: 'n\n', columns: 200 });
    expect(stderr).toContain('2 messages that were delivered will be sent again.');
  });
});
