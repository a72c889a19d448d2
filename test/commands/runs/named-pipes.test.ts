// Inputs that cannot be read twice, with the whole program. In a thread, Node warns about descriptors of named pipes,
// so vitest.config.ts runs this file in a process of its own.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, type Rig } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';

describe('a named pipe', () => {
  const piped = (rig: Rig, text: string) => {
    const pipe = path.join(rig.folder, 'ff');
    execFileSync('mkfifo', [pipe]);
    // Opening the pipe waits for the reader.
    return writeFile(pipe, text);
  };

  it('is read once, like standard input, and its run cannot be resumed', async () => {
    const rig = await openRig();
    const writing = piped(rig, 'subscriberId\nx\n');
    rig.answer(unauthorized);
    const { stdout, stderr } = await rig.svc(['subscribers', 'bulk-import', 'ff'], { tty: true });
    await writing;
    expect(stderr).toContain('ff cannot be read twice, so this run cannot be resumed');
    expect(stdout + stderr).not.toContain('runs resume');
    const runId = (await rig.svc(['runs', 'list', '-o', 'ids'])).stdout.trim();
    const refused = await rig.svc(['runs', 'resume', runId]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('read ff, which cannot be read again');
  });

  it('can be resumed with --spool', async () => {
    const rig = await openRig();
    const writing = piped(rig, 'subscriberId\nx\n');
    rig.answer(unauthorized);
    const line = ['subscribers', 'bulk-import', 'ff', '--spool', '--json'];
    const { runId } = JSON.parse((await rig.svc(line)).stdout) as { runId: string };
    await writing;
    const { stdout } = await rig.svc(['runs', 'resume', runId, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1, created: 1, stopped: null });
  });
});
