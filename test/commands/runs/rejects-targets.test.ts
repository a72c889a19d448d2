// --rejects with targets other than a file: standard output, a device, a pipe.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';
import { runFolder } from '../../support/runs.ts';

const stdin = 'subscriberId,email\na,nonsense\nb,b@example.com\n';
const rejected = /^_line,_error,subscriberId,email\n2,email: .*,a,nonsense\n$/;
const importTo = (...more: string[]) => ['subscribers', 'bulk-import', '-', '--json', ...more];

describe('--rejects', () => {
  it('refuses -, because standard output contains the summary', async () => {
    const rig = await openRig();
    const { code, stdout, stderr, requests } = await rig.svc(importTo('--rejects', '-'), { stdin });
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: '', requests: [] });
    expect(stderr).toContain('standard output contains the summary');
  });

  it.each([[[]], [['--force']]])(
    'accepts /dev/null, and the run keeps the rows in its own folder: %j',
    async (more) => {
      const rig = await openRig();
      const ran = await rig.svc(importTo('--rejects', '/dev/null', ...more), { stdin });
      expect(ran.code).toBe(3);
      const { runId, rejects } = parsed(ran.stdout) as { runId: string; rejects: string };
      expect(rejects).toBe(path.join(runFolder(rig, runId), 'rejects.csv'));
      expect(readFileSync(rejects, 'utf8')).toMatch(rejected);
      expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
      const shown = await rig.svc(['runs', 'show', runId, '--json']);
      expect(parsed(shown.stdout)).toMatchObject({ rejects });
    },
  );

  it('writes to a pipe with a reader, and keeps the rows in the folder of the run', async () => {
    const rig = await openRig();
    const pipe = path.join(rig.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe]);
    const read = text(reader.stdout);
    await once(reader, 'spawn');
    let ran = await rig.svc(importTo('--rejects', pipe), { stdin });
    // Retry until the reader has opened the pipe.
    for (let tries = 0; ran.code === 2 && tries < 100; tries += 1) {
      expect(ran.stderr).toContain(`no program reads from ${pipe}`);
      ran = await rig.svc(importTo('--rejects', pipe), { stdin });
    }
    expect(ran.code).toBe(3);
    expect(await read).toMatch(rejected);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(readFileSync(String(parsed(ran.stdout).rejects), 'utf8')).toMatch(rejected);
  });

  it('refuses a pipe without a reader, before anything is sent', async () => {
    const rig = await openRig();
    const pipe = path.join(rig.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, stderr, requests } = await rig.svc(importTo('--rejects', pipe), { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`no program reads from ${pipe}`);
    expect((await rig.svc(['runs', 'list', '--json'])).stdout).toBe('[]\n');
  });

  it('stops the run if it cannot be written, and the resumed run keeps all rows in its folder', async () => {
    const rig = await openRig();
    symlinkSync('/dev/full', path.join(rig.folder, 'bad'));
    const first = await rig.svc(importTo('--rejects', 'bad', '--spool'), { stdin });
    expect(first.code).toBe(8);
    const { runId } = parsed(first.stdout) as { runId: string };
    expect(parsed(first.stdout)).toMatchObject({ rows: 2, invalid: 1 });
    const again = await rig.svc(['runs', 'resume', runId, '--json']);
    expect(again.code).toBe(3);
    const { rejects } = parsed(again.stdout) as { rejects: string };
    expect(readFileSync(rejects, 'utf8')).toMatch(rejected);
    rmSync(path.join(rig.folder, 'bad'));
  });

  it('writes nothing to a device with --dry-run', async () => {
    const rig = await openRig();
    const line = importTo('--rejects', '/dev/full', '--dry-run');
    const { code, requests } = await rig.svc(line, { stdin });
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
  });
});
