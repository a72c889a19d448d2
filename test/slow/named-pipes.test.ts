// Inputs that cannot be read twice, and pipes and devices in place of the files of a run, with the whole program. In a thread, Node warns about descriptors of named pipes,
// so vitest.config.ts runs this file in a process of its own.
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, type Rig, writeInput } from '../support/rig.ts';
import { unauthorized } from '../support/runs.ts';

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

describe('a file of a run that is not a regular file', () => {
  const runId = 'r1';

  /** A run of two events with their own transaction ids, and an invalid one. */
  async function openRun() {
    const rig = await openRig();
    const event = (id: string) => `{"name":"welcome","to":"u1","transactionId":"${id}"}\n`;
    const file = writeInput(rig, 'events.ndjson', `${event('t1')}${event('t2')}{"name":7}\n`);
    const start = ['events', 'trigger', '--file', file, '--run-id', runId, '--yes'];
    expect((await rig.svc(start)).code).toBe(3);
    const { stdout } = await rig.svc(['runs', 'show', runId, '--jq', '.folder']);
    return { rig, start, folder: stdout.trim() };
  }

  const kinds = {
    'a pipe': (file: string) => {
      execFileSync('mkfifo', [file]);
    },
    'a link to a pipe': (file: string) => {
      execFileSync('mkfifo', [`${file}-pipe`]);
      symlinkSync(`${file}-pipe`, file);
    },
    'a link to a device': (file: string) => symlinkSync('/dev/zero', file),
  };

  /** Returns the path that errors name. */
  function replace(folder: string, name: string, put = kinds['a pipe']) {
    const file = path.join(folder, name);
    rmSync(file, { force: true });
    put(file);
    return file;
  }

  async function expectRefused(rig: Rig, file: string, lines: readonly string[][]) {
    for (const line of lines) {
      const { code, stderr, requests } = await rig.svc(line, { tty: 'stdout', columns: 300 });
      expect({ line, code, requests }).toEqual({ line, code: 8, requests: [] });
      expect(stderr).toContain(`${file} is not a regular file.`);
    }
  }

  const states = async (rig: Rig) => (await rig.svc(['runs', 'list', '--jq', '.[].state'])).stdout;

  it.each(Object.entries(kinds))(
    'is refused as a journal, and the run is listed as unreadable: %s',
    async (_kind, put) => {
      const { rig, start, folder } = await openRun();
      await expectRefused(rig, replace(folder, 'ledger.ndjson', put), [
        start,
        ['runs', 'show', runId],
        ['runs', 'resume', runId],
        ['runs', 'merge', folder],
        ['events', 'cancel', '--run', runId, '--yes'],
      ]);
      expect(await states(rig)).toBe('unreadable\n');
      expect((await rig.svc(['runs', 'prune', '--older-than', '0', '--yes'])).code).toBe(0);
      expect((await rig.svc(['runs', 'delete', runId, '--yes'])).code).toBe(0);
    },
  );

  it('is refused as a manifest, and other runs are listed', async () => {
    const { rig, start, folder } = await openRun();
    expect((await rig.svc([...start, '--run-id', 'r2'])).code).toBe(3);
    await expectRefused(rig, replace(folder, 'manifest.json'), [
      ['runs', 'show', runId],
      ['runs', 'resume', runId],
      ['runs', 'merge', folder],
    ]);
    expect(await states(rig)).toBe('finished\n');
  });

  it('is refused as a lock, and the run is listed as unreadable', async () => {
    const { rig, folder } = await openRun();
    await expectRefused(rig, replace(folder, 'lock'), [
      ['runs', 'show', runId],
      ['runs', 'delete', runId, '--yes'],
    ]);
    expect(await states(rig)).toBe('unreadable\n');
  });

  it.each<[string, string[]]>([
    ['transaction-ids', ['events', 'cancel', '--run', runId, '--yes']],
    ['transactions.ndjson', ['events', 'cancel', '--run', runId, '--yes']],
    ['rejected-rows', ['runs', 'merge', '<folder>', '--rejects', 'all.ndjson']],
  ])('is refused as %s', async (name, line) => {
    const { rig, folder } = await openRun();
    const file = replace(folder, name);
    await expectRefused(rig, file, [line.map((word) => (word === '<folder>' ? folder : word))]);
  });

  it('is refused as the copy of the input', async () => {
    const { rig, folder } = await openRun();
    // Without its journal, the run starts again.
    rmSync(path.join(folder, 'ledger.ndjson'));
    await expectRefused(rig, replace(folder, 'input'), [['runs', 'resume', runId]]);
  });
});
