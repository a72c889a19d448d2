// Files of refused and dry runs, and resuming a run from another folder or with other input.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sentEvents } from '../../support/requests.ts';
import { openRig, type Rig } from '../../support/rig.ts';
import { importLine, runsFolder, unauthorized } from '../../support/runs.ts';

const people = (count: number) =>
  `subscriberId\n${Array.from({ length: count }, (_unused, index) => `p${index}`).join('\n')}\n`;
const remembered = (rig: Rig) => (existsSync(runsFolder(rig)) ? readdirSync(runsFolder(rig)) : []);
const printedRunId = (stdout: string) => (JSON.parse(stdout) as { runId: string }).runId;

describe('a bulk command refused before its first row', () => {
  it.each<[string, string[], string]>([
    ['because of the rejects file', importLine('-', '--spool', '--rejects', 'bad.csv'), people(1)],
    ['because of a column', importLine('-', '--spool'), 'subscriberId,Pet\na,b\n'],
    [
      'for want of a yes',
      ['events', 'trigger', 'welcome', '--recipients', '-', '--spool'],
      people(1),
    ],
  ])('%s leaves no run and no copy of the input', async (_name, line, stdin) => {
    const rig = await openRig();
    writeFileSync(path.join(rig.folder, 'bad.csv'), 'precious');
    const { code, requests } = await rig.svc(line, { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(remembered(rig)).toEqual([]);
    expect(readFileSync(path.join(rig.folder, 'bad.csv'), 'utf8')).toBe('precious');
  });
});

describe('--dry-run', () => {
  it('shows the first request and the number of requests, and writes no files', async () => {
    const rig = await openRig();
    const { code, stdout, requests } = await rig.svc(importLine('-', '--dry-run', '--spool'), {
      stdin: people(1_001),
    });
    expect({ code, requests }).toEqual({ code: 0, requests: [] });
    const shown = JSON.parse(stdout) as { requests: { body: { subscribers: unknown[] } }[] };
    expect(shown).toMatchObject({ total: { requests: 3, items: 1_001 } });
    expect(shown.requests.map(({ body }) => body.subscribers.length)).toEqual([500]);
    expect(remembered(rig)).toEqual([]);
  });

  it('prints the number of requests and rows on a terminal', async () => {
    const rig = await openRig();
    const { stdout, stderr } = await rig.svc(
      ['subscribers', 'bulk-import', '-', '--dry-run', '--concurrency', '1'],
      { stdin: people(1_001), tty: true, columns: 300 },
    );
    expect(stdout).toContain('p499');
    expect(stderr).toContain(
      '1,001 items would be sent in 3 requests: this one and 2 similar ones.',
    );
  });

  it('does not store explicit transaction ids', async () => {
    const rig = await openRig();
    const { code } = await rig.svc(['events', 'trigger', '--file', '-', '--dry-run'], {
      stdin: '{"name":"welcome","to":"u1","transactionId":"mine"}',
    });
    expect(code).toBe(0);
    expect(remembered(rig)).toEqual([]);
  });

  it('reports that all rows are invalid instead of showing a request', async () => {
    const rig = await openRig();
    const { code, stdout } = await rig.svc(importLine('-', '--dry-run'), {
      stdin: 'subscriberId,email\na,nonsense\n',
    });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1, invalid: 1, rejects: null });
    expect(remembered(rig)).toEqual([]);
  });
});

describe('a stopped run', () => {
  const stopped = async (rig: Rig, line: string[]) => {
    rig.answerWrites(unauthorized);
    const { code, stdout } = await rig.svc(line);
    expect(code).toBe(4);
    return printedRunId(stdout);
  };

  it('can be resumed from another folder', async () => {
    const rig = await openRig();
    writeFileSync(path.join(rig.folder, 'users.csv'), people(3));
    const runId = await stopped(rig, importLine('users.csv'));
    const elsewhere = path.join(rig.folder, 'elsewhere');
    mkdirSync(elsewhere);
    const { code, stdout } = await rig.svc(['runs', 'resume', runId, '--json'], { cwd: elsewhere });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 3, created: 3, stopped: null });
  });

  it('cannot be resumed with another file of the same name', async () => {
    const rig = await openRig();
    writeFileSync(path.join(rig.folder, 'users.csv'), people(3));
    const runId = await stopped(rig, importLine('users.csv'));
    const elsewhere = path.join(rig.folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, 'users.csv'), people(4));
    const { code, stderr } = await rig.svc(['runs', 'resume', runId], { cwd: elsewhere });
    expect(code).toBe(2);
    expect(stderr).toContain('the file changed');
  });

  it('cannot be resumed with another argument', async () => {
    const rig = await openRig();
    for (const name of ['users.csv', 'others.csv']) {
      writeFileSync(path.join(rig.folder, name), people(3));
    }
    const runId = await stopped(rig, importLine('users.csv'));
    const { code, stderr } = await rig.svc(importLine('others.csv', '--resume', runId), {
      env: { SVC_OUTPUT: 'table' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('an argument and the file changed');
  });

  it('does not send an event twice whose id is in a finished row', async () => {
    const rig = await openRig();
    const event = (transactionId: string | undefined, name: string | undefined = 'welcome') =>
      JSON.stringify({ name, to: 'u1', transactionId });
    const rows = [
      event('mine'),
      '{"to":"u1","transactionId":"free"}',
      ...Array.from({ length: 105 }, () => event(undefined)),
      event('mine'),
      event('free'),
    ];
    writeFileSync(path.join(rig.folder, 'events.ndjson'), rows.join('\n'));
    rig.answerWrites('sandbox');
    const line = ['events', 'trigger', '--file', 'events.ndjson', '--yes', '--json'];
    const runId = await stopped(rig, [...line, '--concurrency', '1']);
    const { stdout, requests } = await rig.svc(['runs', 'resume', runId, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 109, triggered: 107, invalid: 2 });
    const events = sentEvents(requests);
    expect(events.map(({ transactionId }) => transactionId)).toContain('free');
    expect(events.map(({ transactionId }) => transactionId)).not.toContain('mine');
  });
});

describe('svc runs', () => {
  it('list shows stopped and finished runs', async () => {
    const rig = await openRig();
    writeFileSync(path.join(rig.folder, 'users.csv'), people(3));
    rig.answer(unauthorized);
    const stopped = await rig.svc(importLine('users.csv'));
    expect(stopped.code).toBe(4);
    const first = printedRunId(stopped.stdout);
    const second = printedRunId((await rig.svc(importLine('users.csv'))).stdout);
    const states = async () =>
      (
        JSON.parse((await rig.svc(['runs', 'list', '--json'])).stdout) as Record<string, string>[]
      ).map(({ runId, state }) => [runId, state]);
    expect(await states()).toEqual([
      [second, 'finished'],
      [first, 'stopped'],
    ]);
  });

  it('show fails with notFound for a file, and with local for a damaged run', async () => {
    const rig = await openRig();
    mkdirSync(path.join(runsFolder(rig), 'broken'), { recursive: true });
    writeFileSync(path.join(runsFolder(rig), 'file'), '');
    writeFileSync(path.join(runsFolder(rig), 'broken', 'manifest.json'), '{');
    const file = await rig.svc(['runs', 'show', 'file']);
    expect(file.code).toBe(5);
    expect(file.stderr).toContain('Run `file` does not exist.');
    const broken = await rig.svc(['runs', 'show', 'broken']);
    expect(broken.code).toBe(8);
    expect(broken.stderr).toContain('The manifest of run broken cannot be read');
  });

  it('bulk-import exits with local if rejected rows cannot be written, and finished rows stay finished', async () => {
    const rig = await openRig();
    symlinkSync('/dev/full', path.join(rig.folder, 'bad'));
    const { code, stdout, stderr } = await rig.svc(importLine('-', '--rejects', 'bad', '--force'), {
      stdin: 'subscriberId,email\na,nonsense\n',
    });
    expect(code).toBe(8);
    expect(stderr).toContain('cannot be written');
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 1,
      invalid: 1,
      stopped: { reason: expect.stringContaining('cannot be written') },
    });
  });
});
