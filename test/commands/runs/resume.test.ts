// Resuming a stopped run, with the whole program.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import {
  importLine,
  ledgerFile,
  people,
  runFolder,
  stopImport,
  unauthorized,
} from '../../support/runs.ts';
import { words } from '../../support/words.ts';

describe('a stopped run', () => {
  it('is resumed where it stopped, and the summary covers the whole run', async () => {
    const rig = await openRig();
    const { summary } = await stopImport(rig);
    expect(summary).toMatchObject({
      rows: 500,
      created: 500,
      stopped: { reason: 'API Key not found' },
    });
    const { code, stdout, requests } = await rig.svc(
      words`runs resume ${String(summary.runId)} --json`,
    );
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({
      runId: summary.runId,
      rows: 1200,
      created: 1200,
      resumed: true,
      stopped: null,
    });
    expect(
      requests.map(({ body }) => (body as { subscribers: unknown[] }).subscribers.length),
    ).toEqual([500, 200]);
  });

  it('repeats the batch in flight with the same idempotency key', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', people);
    rig.answer(unauthorized);
    const first = await rig.svc(importLine(csv));
    expect(first.code).toBe(4);
    const { requests } = await rig.svc(['runs', 'resume', String(parsed(first.stdout).runId)]);
    const key = (ran: typeof first) => ran.requests[0]?.headers['idempotency-key'];
    expect(requests[0]?.headers['idempotency-key']).toBe(key(first));
  });

  it('prints its summary again once it has finished', async () => {
    const rig = await openRig();
    const { summary } = await stopImport(rig);
    const done = await rig.svc(['runs', 'resume', String(summary.runId), '--json']);
    const again = await rig.svc(['runs', 'resume', String(summary.runId), '--json']);
    expect(again.requests).toEqual([]);
    expect(parsed(done.stdout)).toMatchObject({ alreadyFinished: false });
    expect(parsed(again.stdout)).toEqual({ ...parsed(done.stdout), alreadyFinished: true });
    const text = await rig.svc(['runs', 'resume', String(summary.runId)], { tty: true });
    expect(text).toMatchObject({
      code: 0,
      stderr: `Run ${summary.runId} has already finished. This is its summary.\n`,
    });
  });

  it('cannot be resumed with another file, other options or another service', async () => {
    const rig = await openRig();
    const { csv, summary } = await stopImport(rig, ['--data-rest']);
    const resume = ['runs', 'resume', String(summary.runId)];
    const line = ['subscribers', 'bulk-import', csv, '--resume', String(summary.runId)];
    expect((await rig.svc(line)).stderr).toContain('--data-rest changed');
    const env = { SVC_BASE_URL: 'http://other.localhost' };
    expect((await rig.svc(resume, { env })).stderr).toContain('the service changed');
    writeFileSync(csv, `${people}more\n`);
    const { code, stderr, requests } = await rig.svc(resume);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('the file changed');
  });

  it.each<[string, (runId: string, csv: string) => string[]]>([
    ['runs resume', (runId) => ['runs', 'resume', runId]],
    ['--resume', (runId, csv) => importLine(csv, '--resume', runId)],
  ])('that is deleted just before it is locked is not started again by %s', async (_name, line) => {
    const rig = await openRig();
    const { csv, runId } = await stopImport(rig);
    const folder = runFolder(rig, runId);
    writeFileSync(path.join(folder, 'lock'), '{"pid":9}');
    const { code, stderr, requests } = await rig.svc(line(runId, csv), {
      // Another process deletes the run while this one checks its old lock.
      isAlive: () => {
        rmSync(folder, { recursive: true, force: true });
        return false;
      },
    });
    expect({ code, requests }).toEqual({ code: 5, requests: [] });
    expect(stderr).toContain(`Run \`${runId}\` does not exist.`);
    expect(readdirSync(path.dirname(folder))).toEqual([]);
  });

  it('cannot be resumed from a pipe without --spool', async () => {
    const rig = await openRig();
    rig.answer(unauthorized);
    const piped = await rig.svc(['subscribers', 'bulk-import', '-', '--json'], { stdin: people });
    expect(piped.code).toBe(4);
    const refused = await rig.svc(['runs', 'resume', String(parsed(piped.stdout).runId)]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--spool');
    rig.answer(unauthorized);
    const spooled = await rig.svc(['subscribers', 'bulk-import', '-', '--spool', '--json'], {
      stdin: people,
    });
    expect(spooled.code).toBe(4);
    const { code, stdout } = await rig.svc(
      words`runs resume ${String(parsed(spooled.stdout).runId)} --json`,
    );
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 1200, failed: 0, unknown: 0 });
  });

  it('removes a partial ledger line and rejected rows of unfinished batches', async () => {
    const rig = await openRig();
    const csv = writeInput(
      rig,
      'users.csv',
      `subscriberId,email\nbad,nonsense\n${Array.from({ length: 900 }, (_unused, index) => `q${index},`).join('\n')}\n`,
    );
    rig.pass(1);
    rig.answer(unauthorized);
    const first = await rig.svc(importLine(csv));
    expect(first.code).toBe(4);
    const { runId, rejects } = parsed(first.stdout) as { runId: string; rejects: string };
    const ledger = ledgerFile(rig, runId);
    writeFileSync(ledger, `${readFileSync(ledger, 'utf8')}{"done":[502,9`);
    const rows = path.join(path.dirname(ledger), 'rejected-rows');
    writeFileSync(rows, `${readFileSync(rows, 'utf8')}partial,row`);
    // The state after a kill.
    writeFileSync(path.join(path.dirname(ledger), 'lock'), '{"pid":99999}');
    const { code, stdout } = await rig.svc(['runs', 'resume', runId, '--json']);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ rows: 901, created: 900, invalid: 1 });
    expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('does not change a modified rejects file, and reports it next to the new one', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 900 }, (_unused, index) => `q${index},`);
    const csv = writeInput(
      rig,
      'users.csv',
      `subscriberId,email\nbad,nonsense\n${rows.join('\n')}\nworse,nonsense\n`,
    );
    rig.pass(1);
    rig.answer(unauthorized);
    const line = importLine(csv);
    const stopped = await rig.svc(line);
    expect(stopped.code).toBe(4);
    const { runId, rejects } = parsed(stopped.stdout) as Record<string, string>;
    const edited = `${readFileSync(rejects ?? '', 'utf8')}one more row of mine\n`;
    writeFileSync(rejects ?? '', edited);
    const { stdout, stderr } = await rig.svc(['runs', 'resume', runId ?? ''], {
      tty: true,
      columns: 400,
    });
    const beside = (rejects ?? '').replace('rejects.csv', 'rejects-2.csv');
    expect(stderr).toContain(
      `${rejects} was changed or created by another program, so it is not replaced. Further rejected rows are in ${beside}.`,
    );
    for (const file of [rejects, beside]) {
      expect(stdout).toContain(
        `Fix the rejected rows, then run: svc subscribers bulk-import ${file}\n`,
      );
    }
    expect(stdout).toMatch(/^Rejected: 2 invalid\.\n {2}2 × email: /m);
    expect(readFileSync(rejects ?? '', 'utf8')).toBe(edited);
    expect(readFileSync(beside, 'utf8')).toMatch(/^903,.*,worse,nonsense$/m);
    const shown = await rig.svc(['runs', 'show', runId ?? '', '--jq', '.rejects']);
    expect(shown.stdout).toBe(`${beside}\n`);
    const files = await rig.svc(['runs', 'show', runId ?? '', '--json']);
    const summary = { rejects: beside, rejectsFiles: [rejects, beside] };
    expect(parsed(files.stdout)).toMatchObject({ rejectsFiles: [rejects, beside], summary });
    const card = await rig.svc(['runs', 'show', runId ?? ''], { tty: true, columns: 400 });
    expect(card.stdout).toContain(`${rejects}, ${beside}`);
    expect(parsed((await rig.svc(['runs', 'resume', runId ?? '', '--json'])).stdout)).toMatchObject(
      summary,
    );
  });

  it('prints its summary if explicit transaction ids cannot be stored, and can be resumed', async () => {
    const rig = await openRig();
    const events = ['a', 'b'].map((transactionId) =>
      JSON.stringify({ name: 'welcome', to: 'u1', transactionId }),
    );
    const file = writeInput(rig, 'events.ndjson', events.join('\n'));
    rig.answerWrites(unauthorized);
    const first = await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    expect(first.code).toBe(4);
    const runId = String(parsed(first.stdout).runId);
    const ids = path.join(runFolder(rig, runId), 'transaction-ids');
    rmSync(ids);
    mkdirSync(ids);
    const { code, stdout, stderr, requests } = await rig.svc(['runs', 'resume', runId], {
      tty: true,
      columns: 300,
    });
    expect({ code, requests }).toEqual({ code: 8, requests: [] });
    expect(stdout).toContain('triggered 0 of 0 rows');
    expect(stderr).toContain(`${ids} cannot be written: EISDIR`);
    expect(stderr).toContain(`svc runs resume ${runId}`);
    rmSync(ids, { recursive: true });
    const again = await rig.svc(['runs', 'resume', runId, '--json']);
    expect(again.code).toBe(0);
    expect(parsed(again.stdout)).toMatchObject({ rows: 2, triggered: 2 });
  });

  it('is refused while another process holds the lock, and with another journal format', async () => {
    const rig = await openRig();
    const { summary } = await stopImport(rig);
    const folder = runFolder(rig, String(summary.runId));
    writeFileSync(path.join(folder, 'lock'), '{"pid":4242}');
    expect((await rig.svc(['runs', 'list', '--jq', '.[0].state'])).stdout).toBe('running\n');
    rmSync(path.join(folder, 'lock'));
    const manifest = path.join(folder, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"format": 4', '"format": 5'));
    const { code, stderr } = await rig.svc(['runs', 'resume', String(summary.runId)]);
    expect(code).toBe(8);
    expect(stderr).toContain('does not support');
  });
});
