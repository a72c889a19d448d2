// svc events cancel with a run or a list, with the whole program.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { cancelLine, runFolder, unauthorized } from '../../support/runs.ts';
import { openTwoEnvironments, sentKeys } from '../../support/two-environments.ts';
import { words } from '../../support/words.ts';

describe('svc events cancel', () => {
  it('--run cancels all transactions of a run, including explicit ids', async () => {
    const rig = await openRig();
    const events = ['a', 'b', undefined].map((transactionId, index) =>
      JSON.stringify({
        name: 'trial-ending',
        to: `u${index + 1}`,
        ...(transactionId ? { transactionId } : {}),
      }),
    );
    await rig.svc(['events', 'trigger', '--file', '-', '--yes'], { stdin: events.join('\n') });
    const { code, stdout } = await rig.svc(cancelLine('last', '--json'));
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 3, cancelled: 3, notPending: 0 });
    const again = await rig.svc(cancelLine('last', '--json'));
    expect(parsed(again.stdout)).toMatchObject({ cancelled: 0, notPending: 3 });
  });

  it('--run cancels explicit ids, without blanks around them but with blanks and joiners inside', async () => {
    const rig = await openRig();
    const ids = ['a b', 'a', ' padded ', 'two\u200djoined', 'spaced'];
    const events = ids.map((transactionId) =>
      JSON.stringify({ name: 'trial-ending', to: 'u1', transactionId }),
    );
    await rig.svc(['events', 'trigger', '--file', '-', '--yes'], { stdin: events.join('\n') });
    const { stdout, requests } = await rig.svc(cancelLine('last', '--json'));
    expect(requests.map(({ line }) => decodeURIComponent(line.split('/').at(-1) ?? ''))).toEqual(
      ids.map((id) => id.trim()),
    );
    expect(parsed(stdout)).toMatchObject({ rows: 5, cancelled: 5 });
  });

  it('--run says first how long it takes, by the plan of the service', async () => {
    const rig = await openRig();
    const event = '{"name":"trial-ending","to":"u1"}\n';
    await rig.svc(['events', 'trigger', '--file', '-', '--yes'], { stdin: event.repeat(120) });
    const headers = {
      'ratelimit-policy': '30;w=5;burst=33;category="global";cost="single";serviceLevel="free"',
    };
    rig.answer({ status: 200, headers, body: { data: [], page: 0, pageSize: 1, hasMore: false } });
    const asked = await rig.svc(['events', 'cancel', '--run', 'last'], { tty: true, stdin: 'n\n' });
    expect(asked.stderr.replace(/\s+/g, ' ')).toContain(
      'Cancelling takes 120 requests, one for each transaction: about 2s at 60 a second, the limit of the plan free.',
    );
    expect(asked.requests).toHaveLength(1);
    const limited = await rig.svc(['events', 'cancel', '--run', 'last', '--rate', '10'], {
      tty: true,
      stdin: 'n\n',
    });
    expect(limited.stderr.replace(/\s+/g, ' ')).toContain('about 12s at 10 a second (--rate).');
  });

  it('--run reports the machine that has locked the run, and how to unlock it', async () => {
    const rig = await openRig();
    const stdin = '{"name":"trial-ending","to":"u1"}';
    const sent = await rig.svc(['events', 'trigger', '--file', '-', '--yes', '--json'], { stdin });
    const { runId } = parsed(sent.stdout) as { runId: string };
    const mark = path.join(runFolder(rig, runId), 'lock');
    writeFileSync(mark, JSON.stringify({ pid: 7, host: 'elsewhere', start: 'b1.100' }));
    const { code, stderr, requests } = await rig.svc(cancelLine(runId));
    expect({ code, requests }).toEqual({ code: 8, requests: [] });
    expect(stderr).toContain('is locked by process 7 on elsewhere');
    expect(stderr).toContain(`remove ${mark}, then cancel.`);
  });

  it('--run last selects the newest run, even if the clock was set back', async () => {
    const rig = await openRig();
    const trigger = ['events', 'trigger', '--file', '-', '--yes', '--json'];
    const run = async (count: number) => {
      const event = '{"name":"trial-ending","to":"u1"}';
      const stdin = Array.from({ length: count }, () => event).join('\n');
      return String(parsed((await rig.svc(trigger, { stdin })).stdout).runId);
    };
    const older = await run(1);
    const newest = await run(2);
    const manifest = path.join(runFolder(rig, older), 'manifest.json');
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace('12:00:00.000Z', '13:00:00.000Z'),
    );
    const listed = await rig.svc(['runs', 'list', '--jq', '.[0].runId']);
    expect(listed.stdout).toBe(`${newest}\n`);
    const { stdout } = await rig.svc(cancelLine('last', '--json'));
    expect(parsed(stdout)).toMatchObject({ rows: 2, cancelled: 2 });
  });

  it('- reads a list', async () => {
    const rig = await openRig();
    await rig.svc(['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 'x']);
    const { stdout } = await rig.svc(['events', 'cancel', '-', '--yes', '--json'], {
      stdin: 'x\ny\n',
    });
    expect(parsed(stdout)).toMatchObject({ rows: 2, cancelled: 1, unknown: 1 });
  });

  it('- rejects ids that are missing or cannot be part of a URL, and cancels the others', async () => {
    const { svc } = await openRig();
    await svc(['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 'txn_1']);
    const line = ['events', 'cancel', '-', '--yes', '--json'];
    const texts = await svc(line, { stdin: '..\ntxn_1\n\n' });
    expect(texts.code).toBe(3);
    expect(parsed(texts.stdout)).toMatchObject({ rows: 2, invalid: 1, cancelled: 1 });
    expect(texts.requests.map((request) => request.line)).toEqual([
      'DELETE /v1/events/trigger/txn_1',
    ]);
    const stdin = '{"transactionId":""}\n{"transactionId":"txn_1"}\n';
    const rows = await svc([...line, '--format', 'ndjson'], { stdin });
    expect(parsed(rows.stdout)).toMatchObject({ rows: 2, invalid: 1, notPending: 1 });
  });

  it('--run refuses a run that triggered nothing', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\nu1\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { code, stderr } = await rig.svc(
      words`events cancel --run ${String(parsed(stdout).runId)} --yes`,
    );
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Only runs of `svc events trigger` or `svc events resend` can be cancelled',
    );
    expect((await rig.svc(cancelLine('last'))).code).toBe(5);
  });
});

describe('svc events cancel --run', () => {
  const event = '{"name":"trial-ending","to":"u1"}';
  const trigger = ['events', 'trigger', '--file', '-', '--yes', '--json'];
  const cancel = cancelLine('last', '--json');

  it('sends requests only to the environment of the run', async () => {
    const { rig, keyOf } = await openTwoEnvironments();
    const { stdout } = await rig.svc(trigger, { stdin: event });
    const runId = String(parsed(stdout).runId);
    await rig.svc(['profiles', 'use', 'production']);
    const other = await rig.svc(cancel);
    expect({ code: other.code, requests: other.requests }).toEqual({ code: 5, requests: [] });
    const refused = await rig.svc(cancelLine(runId, '--json'));
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain(
      `Run ${runId} cannot be cancelled here: the environment changed since it started.`,
    );
    expect(refused.stderr).toContain(`svc events cancel --run ${runId} --profile development`);
    const own = await rig.svc([...cancel, '--profile', 'development']);
    expect(sentKeys(own.requests)).toEqual([`ApiKey ${keyOf('development')}`]);
    expect({ code: own.code, ...parsed(own.stdout) }).toMatchObject({ code: 0, cancelled: 1 });
  });

  it('sends requests only to the service of the run', async () => {
    const rig = await openRig();
    const { stdout } = await rig.svc(trigger, { stdin: event });
    const env = { SVC_BASE_URL: 'http://other.localhost' };
    const line = cancelLine(String(parsed(stdout).runId), '--json');
    const { code, stderr, requests } = await rig.svc(line, { env });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('cannot be cancelled here: the service changed since it started');
  });

  it('can be resumed in the environment of the run after an interruption', async () => {
    const { rig, keyOf } = await openTwoEnvironments();
    await rig.svc(trigger, { stdin: event });
    rig.answer(unauthorized);
    const stopped = await rig.svc(cancel);
    expect(stopped.code).toBe(4);
    await rig.svc(['profiles', 'use', 'production']);
    const line = ['runs', 'resume', String(parsed(stopped.stdout).runId), '--json'];
    const { code, stdout, requests } = await rig.svc(line);
    expect(sentKeys(requests)).toEqual([`ApiKey ${keyOf('development')}`]);
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, rows: 1, unknown: 0 });
  });

  it('exits with 8 while the run is still sending', async () => {
    const rig = await openRig();
    const { stdout } = await rig.svc(trigger, { stdin: event });
    const runId = String(parsed(stdout).runId);
    const mark = path.join(runFolder(rig, runId), 'lock');
    writeFileSync(mark, '{"pid":4242}');
    const { code, stderr, requests } = await rig.svc(cancel);
    expect({ code, requests }).toEqual({ code: 8, requests: [] });
    expect(stderr).toContain(`Run ${runId} is still sending events`);
    expect(stderr).toContain('Interrupt it with Ctrl-C');
    rmSync(mark);
    expect((await rig.svc(cancel)).code).toBe(0);
  });
});
