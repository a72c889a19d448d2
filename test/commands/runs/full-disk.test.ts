// A disk that is full when a run comes to its end.
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

/** What the disk takes no more. */
const disk = vi.hoisted(() => ({ refuses: '' }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    writeSync: (...given: [number, Buffer, number, number, number | null]) => {
      const text = given[1].subarray(given[2], given[2] + given[3]).toString();
      if (disk.refuses !== '' && text.startsWith(disk.refuses))
        throw new Error('ENOSPC: no space left on device');
      return fs.writeSync(...given);
    },
  };
});

beforeEach(() => {
  disk.refuses = '';
});

it.each([
  ['its last line', '{"end"'],
  ['the end of its rejects', '\n]'],
])(
  'a run whose disk does not take %s shows what was done, and goes on to its end',
  async (_name, refuses) => {
    const rig = await openRig();
    const rows = [{ subscriberId: 'a' }, { subscriberId: 'b', email: 'nonsense' }];
    const file = writeInput(rig, 'users.json', JSON.stringify(rows));
    disk.refuses = refuses;
    const { code, stdout, stderr } = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    const summary = parsed(stdout) as { runId: string; rejects: string };
    expect(code).toBe(8);
    expect(summary).toMatchObject({ rows: 2, created: 1, invalid: 1 });
    expect(summary).toMatchObject({ stopped: { reason: expect.stringContaining('ENOSPC') } });
    expect(stderr).toContain(`svc runs resume ${summary.runId}`);
    disk.refuses = '';
    const again = await rig.svc(['runs', 'resume', summary.runId, '--json']);
    expect(again.requests).toEqual([]);
    expect(parsed(again.stdout)).toMatchObject({ rows: 2, created: 1, invalid: 1, stopped: null });
    expect(JSON.parse(readFileSync(summary.rejects, 'utf8'))).toMatchObject([
      { subscriberId: 'b' },
    ]);
  },
);
