// svc runs show and delete, the folder of a run, and runs that cannot be read.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMode } from '../../support/file-mode.ts';
import { testKey } from '../../support/fixed.ts';
import { filterWrites } from '../../support/requests.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';
import { cancelLine, ledgerFile, runFolder, runsFolder, unauthorized } from '../../support/runs.ts';

describe('svc runs show', () => {
  it.each([
    ['subscriberId,email\na,a@example.com\n', false],
    ['subscriberId,email\na,b\n', true],
  ])('names the rejects file on a terminal only if there are rejected rows', async (csv, has) => {
    const rig = await openRig();
    const { code } = await rig.svc(['subscribers', 'bulk-import', '-'], { stdin: csv });
    expect(code).toBe(has ? 2 : 0);
    const { stdout } = await rig.svc(['runs', 'show', 'last'], { tty: true, columns: 200 });
    expect(/^REJECTS +\S+rejects\.csv$/m.test(stdout)).toBe(has);
    const json = await rig.svc(['runs', 'show', 'last', '--json']);
    const rejects = has ? expect.stringMatching(/rejects\.csv$/) : null;
    expect(parsed(json.stdout)).toMatchObject({ rejects });
  });
});

describe('the rejects file of a run that was killed', () => {
  it.each([
    ['given with --rejects', ['--rejects', 'bad.csv'], 'bad.csv'],
    ['in the folder of the run', [], 'rejects.csv'],
  ])('is shown, and not the internal copy of its rows: %s', async (_name, more, expected) => {
    const rig = await openRig();
    const rows = Array.from({ length: 900 }, (_unused, index) => `q${index},`);
    const text = `subscriberId,email\nbad,nonsense\n${rows.join('\n')}\n`;
    const csv = writeInput(rig, 'users.csv', text);
    rig.pass(1);
    rig.answer(unauthorized);
    const line = ['subscribers', 'bulk-import', csv, '--concurrency', '1', '--json', ...more];
    const stopped = await rig.svc(line);
    expect(stopped.code).toBe(4);
    const { runId, rejects } = parsed(stopped.stdout) as Record<string, string>;
    expect(path.basename(rejects ?? '')).toBe(expected);
    // The state after a kill.
    const ledger = ledgerFile(rig, String(runId));
    const lines = readFileSync(ledger, 'utf8').split('\n');
    writeFileSync(ledger, lines.filter((line) => !line.startsWith('{"published"')).join('\n'));
    rmSync(rejects ?? '');
    const shown = await rig.svc(['runs', 'show', 'last', '--json']);
    expect(parsed(shown.stdout)).toMatchObject({ invalid: 1, rejects });
    expect(shown.stdout).not.toContain('rejected-rows');
    const card = await rig.svc(['runs', 'show', 'last'], { tty: true, columns: 300 });
    expect(card.stderr).toContain(
      `When the resumed run ends, its rejected rows are written to ${rejects}.\n`,
    );
    expect((await rig.svc(['runs', 'resume', 'last'])).code).toBe(3);
    expect(existsSync(rejects ?? '')).toBe(true);
    const finished = await rig.svc(['runs', 'show', 'last'], { tty: true, columns: 300 });
    expect(finished.stderr).toBe('');
  });

  it('is the copy of its rows, if the run cannot be resumed', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 900 }, (_unused, index) => `q${index},`);
    const stdin = `subscriberId,email\nbad,nonsense\n${rows.join('\n')}\n`;
    rig.pass(1);
    rig.answer(unauthorized);
    const line = ['subscribers', 'bulk-import', '-', '--concurrency', '1', '--json'];
    const ran = await rig.svc(line, { stdin });
    expect(ran.code).toBe(4);
    const { runId, rejects } = parsed(ran.stdout) as Record<string, string>;
    const ledger = ledgerFile(rig, String(runId));
    const lines = readFileSync(ledger, 'utf8').split('\n');
    writeFileSync(ledger, lines.filter((line) => !line.startsWith('{"published"')).join('\n'));
    rmSync(rejects ?? '');
    const { stdout } = await rig.svc(['runs', 'show', 'last', '--jq', '.rejects']);
    expect(readFileSync(stdout.trim(), 'utf8')).toContain('bad,nonsense');
    const card = await rig.svc(['runs', 'show', 'last'], { tty: true, columns: 300 });
    expect(card.stderr).toBe(
      'The run stopped early. Its input cannot be read again, so it cannot be resumed.\n',
    );
  });
});

describe('svc runs', () => {
  it('show prints a run with its file, counts and summary', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\nb\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { runId } = parsed(stdout) as { runId: string };
    expect(parsed((await rig.svc(['runs', 'show', runId, '--json'])).stdout)).toMatchObject({
      runId,
      counts: { created: 2 },
      file: { path: csv },
      summary: { created: 2 },
    });
    expect((await rig.svc(['runs', 'show', '../../config'])).code).toBe(2);
  });

  it('delete asks first, then removes the folder of the run', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { runId } = parsed(stdout) as { runId: string };
    const unconfirmed = await rig.svc(['runs', 'delete', runId]);
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain('--yes');
    const deleted = await rig.svc(['runs', 'delete', runId, '--yes'], { tty: true });
    expect(deleted).toMatchObject({ code: 0, stdout: `Deleted run ${runId}.\n` });
    expect(existsSync(runFolder(rig, runId))).toBe(false);
    expect((await rig.svc(['runs', 'show', runId])).code).toBe(5);
  });

  it.each([1, 2, 3, 4, 5])(
    'delete reports success only if the run is gone: process 9 has it at check %i of its lock',
    async (number) => {
      const rig = await openRig();
      const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
      const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
      const folder = runFolder(rig, parsed(stdout).runId);
      writeFileSync(path.join(folder, 'lock'), '{"pid":9}');
      let checks = 0;
      const isAlive = () => {
        checks += 1;
        return checks === number;
      };
      const { code } = await rig.svc(['runs', 'delete', 'last', '--yes'], { isAlive });
      expect([0, 8]).toContain(code);
      expect({ code, isGone: !existsSync(folder) }).toEqual({ code, isGone: code === 0 });
    },
  );

  it('show, resume and delete accept last as the newest run', async () => {
    const rig = await openRig();
    const withoutRuns = await rig.svc(['runs', 'show', 'last']);
    expect(withoutRuns.code).toBe(5);
    expect(withoutRuns.stderr).toContain('No runs are stored on this machine.');
    rig.answer(unauthorized);
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    const { code, stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    expect(code).toBe(4);
    const { runId } = parsed(stdout) as { runId: string };
    const shown = await rig.svc(['runs', 'show', 'last'], { tty: true });
    expect(shown.stderr).toBe(`The run stopped early. To resume it: svc runs resume ${runId}\n`);
    expect((await rig.svc(['runs', 'show', 'last', '--jq', '.runId'])).stdout).toBe(`${runId}\n`);
    const resumed = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(parsed(resumed.stdout)).toMatchObject({ runId, created: 1 });
    expect((await rig.svc(['runs', 'delete', 'last', '--yes'])).stdout).toContain(runId);
    expect((await rig.svc(['runs', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('write no secrets to the folder of a run', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    await rig.svc(['subscribers', 'bulk-import', csv]);
    const runs = runsFolder(rig);
    const [name = ''] = readdirSync(runs);
    for (const file of readdirSync(path.join(runs, name))) {
      expect(readFileSync(path.join(runs, name, file), 'utf8')).not.toContain('ApiKey');
      expect(readFileSync(path.join(runs, name, file), 'utf8')).not.toContain(testKey);
    }
    expect(readdirSync(path.join(runs, name)).sort()).toEqual(['ledger.ndjson', 'manifest.json']);
    expect(fileMode(path.join(runs, name))).toBe('700');
  });

  it('delete removes the copied input of a run that was killed before it started', async () => {
    const rig = await openRig();
    const folder = runFolder(rig, 'r-copy');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'input.partial'), 'customers');
    writeFileSync(path.join(folder, 'lock'), '{"pid":4242}');
    const whileRunning = await rig.svc(['runs', 'delete', 'r-copy', '--yes']);
    expect(whileRunning.code).toBe(8);
    expect(whileRunning.stderr).toContain('Run r-copy is in use by process 4242.');
    writeFileSync(path.join(folder, 'lock'), '{"pid":9}');
    const unconfirmed = await rig.svc(['runs', 'delete', 'r-copy']);
    expect(unconfirmed.stderr).toContain('to delete run r-copy, which never started.');
    expect((await rig.svc(['runs', 'delete', 'r-copy', '--yes'])).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it('list and delete support a run with an unreadable journal', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', csv, '--json']);
    const { runId } = parsed(stdout) as { runId: string };
    writeFileSync(ledgerFile(rig, runId), 'damaged\n');
    expect((await rig.svc(['runs', 'list', '--jq', '.[0].state'])).stdout).toBe('unreadable\n');
    const resumed = await rig.svc(['runs', 'resume', 'last']);
    expect(resumed.code).toBe(8);
    expect(resumed.stderr).toContain('is damaged at line 1, and no other line can be read.');
    expect(resumed.stderr).toContain(
      'Run the command again: sending its rows twice has no further effect.',
    );
    expect((await rig.svc(['runs', 'delete', 'last'])).stderr).toContain(
      'of `svc subscribers bulk-import`, whose journal cannot be read.',
    );
    expect((await rig.svc(['runs', 'delete', 'last', '--yes'])).code).toBe(0);
  });

  it('resume, show and cancel fail for a damaged journal of events, so that nothing is sent twice', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'events.ndjson', '{"name":"welcome","to":"u1"}\n'.repeat(3));
    const first = await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const { runId } = parsed(first.stdout) as { runId: string };
    const ledger = ledgerFile(rig, runId);
    writeFileSync(ledger, '\0'.repeat(512).concat('\n'));
    for (const line of [['runs', 'resume', runId], ['runs', 'show', runId], cancelLine(runId)]) {
      const { code, stderr, requests } = await rig.svc(line);
      expect({ code, requests }).toEqual({ code: 8, requests: [] });
      expect(stderr).toContain('Do not run the command again');
      expect(stderr).toContain('Move the file away and resume the run');
    }
    renameSync(ledger, path.join(rig.folder, 'damaged'));
    const resumed = await rig.svc(['runs', 'resume', runId, '--json']);
    expect({ code: resumed.code, ...parsed(resumed.stdout) }).toMatchObject({
      ...{ code: 0, triggered: 3, replayed: 3 },
    });
    expect(filterWrites(resumed.requests)).toEqual([]);
  });
});
