// A disk that becomes full during a run or at its end.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { idempotencyKeys, transactionIds } from '../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../support/rig.ts';
import { ledgerFile } from '../support/runs.ts';

const disk = vi.hoisted(() => ({
  /** Writes of texts with this prefix fail. */
  prefix: '',
  /** Number of such writes that succeed first. The next one is partial, and all later ones succeed. */
  partialAfter: undefined as number | undefined,
  isTearing: false,
  isTruncateBroken: false,
  /** The next sync of a file fails. */
  losesSync: false,
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const full = () => new Error('ENOSPC: no space left on device');
  return {
    ...fs,
    writeSync: (...given: [number, Buffer, number, number, number | null]) => {
      const [descriptor, bytes, from, length, at] = given;
      const text = bytes.subarray(from, from + length).toString();
      if (disk.isTearing) {
        disk.isTearing = false;
        throw full();
      }
      if (disk.prefix === '' || !text.startsWith(disk.prefix)) return fs.writeSync(...given);
      if (disk.partialAfter === undefined) throw full();
      disk.partialAfter -= 1;
      if (disk.partialAfter !== -1) return fs.writeSync(...given);
      disk.isTearing = true;
      return fs.writeSync(descriptor, bytes, from, Math.floor(length / 2), at);
    },
    fdatasync: (descriptor: number, done: (error: Error | null) => void) => {
      const { losesSync } = disk;
      disk.losesSync = false;
      fs.fdatasync(descriptor, (error) => done(losesSync ? full() : error));
    },
    ftruncateSync: (descriptor: number, length: number) => {
      if (disk.isTruncateBroken) throw new Error('EIO: the size stays');
      fs.ftruncateSync(descriptor, length);
    },
  };
});

beforeEach(() => {
  Object.assign(disk, {
    prefix: '',
    partialAfter: undefined,
    isTearing: false,
    isTruncateBroken: false,
    losesSync: false,
  });
});

const readLedger = (rig: Rig, runId: string) => readFileSync(ledgerFile(rig, runId), 'utf8');
const isComplete = (line: string) => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

it.each([
  ['the first line of a batch', '{"sent"', 2, false],
  ['the line of a finished batch', '{"done"', 1, false],
  ['the line of a finished batch, which cannot be truncated', '{"done"', 1, true],
])(
  'a run with a partial write of %s is resumed, and every event keeps its transaction id',
  async (...given) => {
    const [_what, prefix, partialAfter, isTruncateBroken] = given;
    const rig = await openRig();
    const events = Array.from({ length: 450 }, () => '{"name":"welcome","to":"u1"}');
    const file = writeInput(rig, 'events.ndjson', events.join('\n'));
    Object.assign(disk, { prefix, partialAfter, isTruncateBroken });
    const first = await rig.svc(['events', 'trigger', '--file', file, '--yes', '--json']);
    const { runId } = parsed(first.stdout) as { runId: string };
    expect(first.code).toBe(8);
    expect(first.stderr).toContain(`svc runs resume ${runId}`);
    const partialLines = readLedger(rig, runId)
      .split('\n')
      .filter((line) => line !== '' && !isComplete(line));
    expect(partialLines).toHaveLength(isTruncateBroken ? 1 : 0);
    const again = await rig.svc(['runs', 'resume', runId], { tty: true });
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^Triggered 450 of 450 rows /);
    expect(again.stderr.includes('1 unreadable line')).toBe(isTruncateBroken);
    expect(
      new Set([...transactionIds(first.requests), ...transactionIds(again.requests)]).size,
    ).toBe(450);
    // A repeated batch has the same key, so the service replays its stored response.
    const repeated = idempotencyKeys(again.requests).filter((key) =>
      idempotencyKeys(first.requests).includes(key),
    );
    expect(repeated).toHaveLength(prefix === '{"done"' ? 1 : 0);
  },
);

it.each([
  ['csv', 'a row', '_line', 0],
  ['csv', 'a later row', '505,', 0],
  ['json', 'a later row', ',\n', 0],
])(
  'a run with a partial write of %s rejects at %s keeps complete rows, each one once',
  async (...given) => {
    const [format, _what, prefix, partialAfter] = given;
    const rig = await openRig();
    const rows = Array.from({ length: 2_000 }, (_unused, index) => ({
      subscriberId: `p${index}`,
      email: index % 500 === 3 ? 'nonsense' : 'p@example.com',
    }));
    const text =
      format === 'json'
        ? JSON.stringify(rows)
        : `subscriberId,email\n${rows.map((row) => Object.values(row).join(',')).join('\n')}\n`;
    const file = writeInput(rig, `users.${format}`, text);
    Object.assign(disk, { prefix, partialAfter });
    const first = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect(first.code).toBe(8);
    const before = parsed(first.stdout) as {
      runId: string;
      invalid: number;
      rejects: string | null;
    };
    const idsIn = (rejects: string | null) =>
      rejects === null ? [] : (readFileSync(rejects, 'utf8').match(/\bp\d+\b/g) ?? []);
    expect(idsIn(before.rejects)).toHaveLength(before.invalid);
    const again = await rig.svc(['runs', 'resume', before.runId, '--json']);
    expect(again.code).toBe(3);
    const after = parsed(again.stdout) as { rejects: string };
    expect(after).toMatchObject({ rows: 2_000, created: 1_996, invalid: 4, stopped: null });
    expect(after).not.toHaveProperty('rejectsFiles');
    expect(idsIn(after.rejects).sort()).toEqual(['p1003', 'p1503', 'p3', 'p503']);
  },
);

it('a run stops if rejected rows cannot be synced, and rejects them again on resume', async () => {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', 'subscriberId,email\na,nonsense\nb,\n');
  disk.losesSync = true;
  const first = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
  expect(first.code).toBe(8);
  expect(first.stderr).toContain('rejected-rows cannot be written: ENOSPC');
  expect(parsed(first.stdout)).toMatchObject({ rows: 0, rejects: null });
  const again = await rig.svc(['runs', 'resume', String(parsed(first.stdout).runId), '--json']);
  const { rejects } = parsed(again.stdout) as { rejects: string };
  expect(parsed(again.stdout)).toMatchObject({ rows: 2, created: 1, invalid: 1 });
  expect(idempotencyKeys(again.requests)).toEqual(idempotencyKeys(first.requests));
  expect(readFileSync(rejects, 'utf8').trim().split('\n')).toHaveLength(2);
});

it('a run that could not record its rejects file uses that file on resume', async () => {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', 'subscriberId,email\na,nonsense\n');
  disk.prefix = '{"published"';
  const line = ['subscribers', 'bulk-import', file, '--rejects', 'bad.csv', '--json'];
  const first = await rig.svc(line);
  expect(first.code).toBe(8);
  disk.prefix = '';
  const again = await rig.svc(['runs', 'resume', String(parsed(first.stdout).runId), '--json']);
  expect(parsed(again.stdout)).toMatchObject({
    invalid: 1,
    rejects: path.join(rig.folder, 'bad.csv'),
  });
});

it.each([
  ['its last line', '{"end"'],
  ['the footer of its rejects file', '\n]'],
])(
  'a run that cannot write %s prints its summary and can be resumed to its end',
  async (_name, prefix) => {
    const rig = await openRig();
    const rows = [{ subscriberId: 'a' }, { subscriberId: 'b', email: 'nonsense' }];
    const file = writeInput(rig, 'users.json', JSON.stringify(rows));
    disk.prefix = prefix;
    const { code, stdout, stderr } = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    const summary = parsed(stdout) as { runId: string; rejects: string };
    expect(code).toBe(8);
    expect(summary).toMatchObject({ rows: 2, created: 1, invalid: 1 });
    expect(summary).toMatchObject({ stopped: { reason: expect.stringContaining('ENOSPC') } });
    expect(stderr).toContain(`svc runs resume ${summary.runId}`);
    disk.prefix = '';
    const again = await rig.svc(['runs', 'resume', summary.runId, '--json']);
    expect(again.requests).toEqual([]);
    expect(parsed(again.stdout)).toMatchObject({ rows: 2, created: 1, invalid: 1, stopped: null });
    const { rejects } = parsed(again.stdout) as { rejects: string };
    expect(JSON.parse(readFileSync(rejects, 'utf8'))).toMatchObject([{ subscriberId: 'b' }]);
  },
);
