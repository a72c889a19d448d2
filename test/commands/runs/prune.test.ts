// svc runs prune: which runs it removes, what it asks and what it prints.
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { frozenNow } from '../../support/fixed.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { ledgerFile, runFolder, runsFolder, unauthorized } from '../../support/runs.ts';

const dayMs = 24 * 3_600_000;

/** Sets the time at which the journal of a run was last written. */
function setAge(rig: Rig, runId: string, days: number) {
  const time = (frozenNow - days * dayMs) / 1_000;
  utimesSync(ledgerFile(rig, runId), time, time);
}

async function importRun(rig: Rig, { file = 'users.csv', days = 0, isStopped = false } = {}) {
  const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
  if (isStopped) rig.answer(unauthorized);
  const { code, stdout } = await rig.svc(
    ['subscribers', 'bulk-import', file === '-' ? '-' : csv, '--json'],
    file === '-' ? { stdin: 'subscriberId\na\n' } : {},
  );
  expect(code).toBe(isStopped ? 4 : 0);
  const { runId } = parsed(stdout) as { runId: string };
  setAge(rig, runId, days);
  return runId;
}

/** Ages the runs only after all have started: starting a run removes finished runs older than 30 days. */
async function runsOfAges(rig: Rig, ...ages: number[]) {
  const runIds: string[] = [];
  for (const _age of ages) runIds.push(await importRun(rig));
  ages.forEach((days, index) => {
    setAge(rig, runIds[index] ?? '', days);
  });
  return runIds as [string, string, ...string[]];
}

const prune = (rig: Rig, ...options: string[]) =>
  rig
    .svc(['runs', 'prune', '--older-than', '30d', '--json', ...options])
    .then(({ code, stdout, stderr }) => ({
      code,
      stderr,
      ...(stdout === '' ? {} : parsed(stdout)),
    }));

const left = (rig: Rig) => readdirSync(runsFolder(rig)).sort();

describe('svc runs prune', () => {
  it('removes finished runs older than 30 days', async () => {
    const rig = await openRig();
    const [old, recent] = await runsOfAges(rig, 31, 29);
    expect(await prune(rig, '--yes')).toEqual({
      code: 0,
      stderr: '',
      removed: [old],
      dryRun: false,
    });
    expect(left(rig)).toEqual([recent]);
  });

  it('--older-than sets the age, and 0 means every finished run', async () => {
    const rig = await openRig();
    const [first, second, third] = await runsOfAges(rig, 3, 1, 0);
    expect(await prune(rig, '--older-than', '2d', '--yes')).toMatchObject({ removed: [first] });
    const { removed } = (await prune(rig, '--older-than', '0', '--yes')) as { removed?: string[] };
    expect(removed?.toSorted()).toEqual([second, third]);
    expect(left(rig)).toEqual([]);
    expect((await prune(rig, '--older-than', 'soon', '--yes')).code).toBe(2);
  });

  it('without --older-than keeps the newest ten runs, also after the clock jumped ahead', async () => {
    const rig = await openRig();
    const [oldest, ...others] = await runsOfAges(rig, 40, ...Array<number>(11).fill(32));
    const pruneAll = () => rig.svc(['runs', 'prune', '--yes', '--json']);
    // All runs started on the same day by the clock of their time.
    for (const runId of others) {
      const file = path.join(runFolder(rig, runId), 'manifest.json');
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
      const startedAt = new Date(frozenNow - 32 * dayMs).toISOString();
      writeFileSync(file, JSON.stringify({ ...manifest, startedAt }));
    }
    expect(parsed((await pruneAll()).stdout)).toMatchObject({ removed: [] });
    // Three newer runs agree that the oldest one is old.
    for (let run = 0; run < 3; run += 1) await importRun(rig);
    expect(left(rig)).not.toContain(oldest);
    expect(left(rig)).toHaveLength(10);
  });

  it('asks first, with the number of runs, and removes nothing without --yes', async () => {
    const rig = await openRig();
    const [old] = await runsOfAges(rig, 40, 0);
    const { code, stderr } = await rig.svc(['runs', 'prune', '--older-than', '30d']);
    expect(code).toBe(2);
    expect(stderr).toContain('to remove 1 run older than 30d with its journal and rejects.');
    expect(stderr).toContain('Confirm with --yes.');
    expect(existsSync(runFolder(rig, old))).toBe(true);
  });

  it('--dry-run lists the runs and removes nothing', async () => {
    const rig = await openRig();
    const [first, second] = await runsOfAges(rig, 40, 50);
    expect(await prune(rig, '--dry-run')).toMatchObject({
      code: 0,
      removed: expect.arrayContaining([first, second]),
      dryRun: true,
    });
    const { code, stdout } = await rig.svc(['runs', 'prune', '--older-than', '30d', '--dry-run'], {
      tty: true,
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'Would remove 2 runs older than 30d:',
        `  ${second}  subscribers bulk-import, finished, 1 row`,
        `  ${first}  subscribers bulk-import, finished, 1 row`,
        '',
      ].join('\n'),
    });
    expect(left(rig)).toHaveLength(2);
  });

  it('prints what it removed, and removes nothing when no run is old enough', async () => {
    const rig = await openRig();
    const none = await rig.svc(['runs', 'prune'], { tty: true });
    expect(none).toMatchObject({ code: 0, stdout: 'No runs older than 30d to remove.\n' });
    const [old] = await runsOfAges(rig, 40, 0);
    const { stdout } = await rig.svc(['runs', 'prune', '--older-than', '30d', '--yes'], {
      tty: true,
    });
    expect(stdout).toBe(
      `Removed 1 run older than 30d:\n  ${old}  subscribers bulk-import, finished, 1 row\n`,
    );
    expect((await rig.svc(['runs', 'prune', '--yes', '-o', 'ids'])).stdout).toBe('');
  });

  it('keeps a run that can still be resumed, unless --include-resumable is given', async () => {
    const rig = await openRig();
    const stopped = await importRun(rig, { isStopped: true, days: 90 });
    expect(await prune(rig, '--yes')).toMatchObject({ code: 0, removed: [] });
    const asked = await rig.svc(['runs', 'prune', '--older-than', '30d', '--include-resumable']);
    expect(asked.stderr).toContain('It can still be resumed.');
    expect(await prune(rig, '--include-resumable', '--yes')).toMatchObject({ removed: [stopped] });
    expect(left(rig)).toEqual([]);
  });

  it('removes a stopped run that read from standard input, because it cannot be resumed', async () => {
    const rig = await openRig();
    const stopped = await importRun(rig, { file: '-', isStopped: true, days: 90 });
    expect(await prune(rig, '--yes')).toMatchObject({ removed: [stopped] });
  });

  it('keeps a run whose journal cannot be read, unless --include-resumable is given', async () => {
    const rig = await openRig();
    const runId = await importRun(rig);
    writeFileSync(ledgerFile(rig, runId), 'damaged\n');
    setAge(rig, runId, 90);
    expect(await prune(rig, '--yes')).toMatchObject({ removed: [] });
    expect(await prune(rig, '--include-resumable', '--yes')).toMatchObject({ removed: [runId] });
  });

  it.each(['{"pid":4242}', '{"pid":7,"host":"other-host","start":"ab.1"}'])(
    'never removes a run in progress (%s)',
    async (lock) => {
      const rig = await openRig();
      const runId = await importRun(rig);
      writeFileSync(path.join(runFolder(rig, runId), 'lock'), lock);
      setAge(rig, runId, 90);
      const line = ['--older-than', '0', '--include-resumable', '--yes'];
      expect(await prune(rig, ...line)).toMatchObject({ code: 0, removed: [] });
      expect(left(rig)).toEqual([runId]);
    },
  );

  it('leaves other folders and files of the state folder alone', async () => {
    const rig = await openRig();
    const [old] = await runsOfAges(rig, 40, 0);
    renameSync(
      path.join(runFolder(rig, old), 'manifest.json'),
      path.join(runFolder(rig, old), 'notes.json'),
    );
    expect(await prune(rig, '--older-than', '0', '--yes')).toMatchObject({ code: 0 });
    expect(left(rig)).toEqual([old]);
  });

  it('refuses an unknown name in --fields before it removes anything', async () => {
    const rig = await openRig();
    const [old] = await runsOfAges(rig, 40, 0);
    expect((await prune(rig, '--yes', '--fields', 'gone')).code).toBe(2);
    expect(existsSync(runFolder(rig, old))).toBe(true);
  });
});

describe('runs that another machine started', () => {
  it('are not removed', async () => {
    const rig = await openRig();
    const [own, other] = await runsOfAges(rig, 31, 31);
    const file = path.join(runFolder(rig, other), 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, host: 'elsewhere' }));
    expect(await prune(rig, '--yes')).toMatchObject({ removed: [own] });
  });
});
