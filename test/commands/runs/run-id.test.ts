import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { filterWrites, idempotencyKeys, transactionIds } from '../../support/requests.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { runFolder, runsFolder } from '../../support/runs.ts';
import { openTwoEnvironments } from '../../support/two-environments.ts';
import { words } from '../../support/words.ts';

const people = 'subscriberId\nu1\nu2\n';
const importLine = (file: string, ...more: string[]) =>
  words`subscribers bulk-import ${file} --run-id nightly --json ${more}`;
const triggerLine = (file: string, ...more: string[]) =>
  words`events trigger welcome --recipients ${file} --run-id nightly --json --yes ${more}`;
const runsIn = (rig: Rig) => {
  const folder = runsFolder(rig);
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('the same --run-id in two environments', () => {
  it('imports the rows into each of them', async () => {
    const { rig } = await openTwoEnvironments();
    const file = writeInput(rig, 'users.csv', people);
    for (const profile of ['development', 'production']) {
      const env = { SVC_STATE_DIR: path.join(rig.folder, `state-of-${profile}`) };
      const ran = await rig.svc(importLine(file, '--profile', profile), { env });
      expect(parsed(ran.stdout)).toMatchObject({ rows: 2, unknown: 0, replayed: 0 });
      const subscriber = await rig.svc(['subscribers', 'get', 'u2', '--profile', profile]);
      expect(subscriber.code).toBe(0);
    }
  });

  it('sends other idempotency keys and transaction ids', async () => {
    const { rig } = await openTwoEnvironments();
    await rig.svc(['workflows', 'promote', 'welcome', '--to', 'production', '--yes']);
    const file = writeInput(rig, 'users.csv', people);
    const sent: { keys: unknown[]; ids: string[] }[] = [];
    for (const profile of ['development', 'production']) {
      const env = { SVC_STATE_DIR: path.join(rig.folder, `state-of-${profile}`) };
      const ran = await rig.svc(triggerLine(file, '--profile', profile), { env });
      expect(ran.code).toBe(0);
      const keys = idempotencyKeys(filterWrites(ran.requests));
      sent.push({ keys, ids: transactionIds(ran.requests) });
    }
    expect(new Set(sent.flatMap(({ keys }) => keys)).size).toBe(2);
    expect(new Set(sent.flatMap(({ ids }) => ids)).size).toBe(4);
  });

  it('is another run for another topic or workflow, also on a machine without its journal', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'ids.txt', 'u1\nu2\n');
    const keys: unknown[] = [];
    for (const topic of ['announcements', 'beta-testers']) {
      const env = { SVC_STATE_DIR: path.join(rig.folder, `state-of-${topic}`) };
      const line = ['topics', 'subscribe', topic, '--file', file, '--run-id', 'nightly', '--json'];
      const ran = await rig.svc(line, { env });
      expect(parsed(ran.stdout)).toMatchObject({ subscribed: 2, replayed: 0 });
      keys.push(...idempotencyKeys(filterWrites(ran.requests)));
    }
    expect(new Set(keys).size).toBe(2);
  });

  it('is the same run if its file is elsewhere', async () => {
    const rig = await openRig();
    const keys: unknown[] = [];
    for (const name of ['users.csv', 'mounted.csv']) {
      const env = { SVC_STATE_DIR: path.join(rig.folder, `state-of-${name}`) };
      const ran = await rig.svc(importLine(writeInput(rig, name, people)), { env });
      keys.push(...idempotencyKeys(filterWrites(ran.requests)));
    }
    expect(new Set(keys).size).toBe(1);
  });

  it('is another run with another command', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const [first, second] = [await rig.svc(importLine(file)), await rig.svc(triggerLine(file))];
    expect(first.code).toBe(0);
    expect({ code: second.code, writes: filterWrites(second.requests) }).toEqual({
      code: 2,
      writes: [],
    });
    expect(second.stderr).toContain(
      'Run nightly is a run of `svc subscribers bulk-import`, not of `svc events trigger`.',
    );
  });
});

describe('the environment of a run with --run-id', () => {
  it('is read once from the service', async () => {
    const rig = await openRig();
    const { requests } = await rig.svc(importLine(writeInput(rig, 'users.csv', people)));
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /v1/environments',
      'POST /v1/subscribers/bulk',
    ]);
  });

  it.each([403, 404])('must be given if the listing fails with %i', async (status) => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    rig.answer({ status, body: { statusCode: status, message: 'no' } });
    const refused = await rig.svc(importLine(file));
    expect({ code: refused.code, writes: filterWrites(refused.requests) }).toEqual({
      code: 2,
      writes: [],
    });
    expect(refused.stderr).toContain('--environment-id');
    expect(runsIn(rig)).toEqual([]);
    const given = await rig.svc(importLine(file, '--environment-id', 'env-1'));
    expect({ code: given.code, lines: given.requests.map(({ line }) => line) }).toEqual({
      code: 0,
      lines: ['POST /v1/subscribers/bulk'],
    });
  });

  it('is not accepted if it is empty', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const { code, stderr, requests } = await rig.svc(importLine(file, '--environment-id', ''));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('--environment-id is empty.');
  });

  it('is not accepted without --run-id', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const line = ['subscribers', 'bulk-import', file, '--environment-id', 'env-1'];
    const { code, stderr } = await rig.svc(line);
    expect(code).toBe(2);
    expect(stderr).toContain('--environment-id can only be used together with --run-id.');
  });
});

describe('a stored response to the first attempt', () => {
  it('is counted as replayed with --run-id, after the disk was lost', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    expect(parsed((await rig.svc(importLine(file))).stdout)).toMatchObject({ replayed: 0 });
    rmSync(path.join(rig.folder, 'state'), { recursive: true });
    const again = await rig.svc(importLine(file));
    expect(again.code).toBe(0);
    expect(parsed(again.stdout)).toMatchObject({ rows: 2, replayed: 2, alreadyFinished: false });
    rmSync(path.join(rig.folder, 'state'), { recursive: true });
    const line = importLine(file).filter((word) => word !== '--json');
    const { stdout } = await rig.svc(line, { tty: true });
    expect(stdout).toContain('\nAlready sent by an earlier start of this run: 2.\n');
  });

  it('stops a run with a generated id, which the service cannot know', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const body = { data: { created: [{ subscriberId: 'u1' }], updated: [], failed: [] } };
    rig.answer({ status: 201, headers: { 'idempotency-replay': 'true' }, body });
    const { code, stdout, stderr } = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ created: 0, unknown: 2, replayed: 0 });
    expect(stderr).toContain('the stored response of another request');
  });
});

describe('a finished --run-id', () => {
  const writeUsers = (rig: Rig) => writeInput(rig, 'users.csv', people);

  it.each<[string, (line: string[], rig: Rig) => string[], Record<string, string>, string]>([
    [
      'another file',
      (line, rig) => {
        const other = writeInput(rig, 'others.csv', 'subscriberId\nu3\n');
        return line.map((word) => (word.endsWith('users.csv') ? other : word));
      },
      {},
      'the file changed',
    ],
    [
      'another workflow',
      (line) => line.map((word) => (word === 'welcome' ? 'trial-ending' : word)),
      {},
      'an argument changed',
    ],
    ['other options', (line) => [...line, '-f', 'a=b'], {}, '--field changed'],
    ['another shard', (line) => [...line, '--shard', '0/2'], {}, '--shard changed'],
    [
      'another server',
      (line) => [...line, '--environment-id', 'e'],
      { SVC_BASE_URL: 'http://other.localhost' },
      'the service changed',
    ],
  ])('does not stand for %s', async (_name, change, env, expected) => {
    const rig = await openRig();
    const line = triggerLine(writeUsers(rig));
    expect((await rig.svc(line)).code).toBe(0);
    const other = await rig.svc(change(line, rig), { env });
    expect({
      code: other.code,
      stdout: other.stdout,
      writes: filterWrites(other.requests),
    }).toEqual({ code: 2, stdout: '', writes: [] });
    expect(other.stderr).toContain(expected);
  });

  it('is refused with the advice to choose another id', async () => {
    const rig = await openRig();
    const line = triggerLine(writeUsers(rig)).filter((word) => word !== '--json');
    expect((await rig.svc(line)).code).toBe(0);
    writeInput(rig, 'users.csv', 'subscriberId\nu3\n');
    const { code, stderr } = await rig.svc([...line, '-f', 'a=b']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'Error: Run id nightly belongs to other work: --field and the file changed since its run started.\nA run id identifies one run. Choose another id with --run-id, or repeat the original arguments, options and file.\n',
    );
    const resumed = await rig.svc(['runs', 'resume', 'nightly']);
    expect(resumed.stderr).toContain(
      'Run nightly cannot be resumed: the file changed since it started.\nA run resumes only with its original arguments, options and file. Restore them, or start a new run.\n',
    );
  });

  it('is refused with the advice to choose another id if only the service differs', async () => {
    const rig = await openRig();
    const line = triggerLine(writeUsers(rig), '--environment-id', 'e');
    expect((await rig.svc(line)).code).toBe(0);
    const env = { SVC_BASE_URL: 'http://other.localhost', SVC_API_KEY: 'b'.repeat(32) };
    const { code, stderr } = await rig.svc(line, { env });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Run id nightly belongs to other work: the service and the environment',
    );
    expect(stderr).toContain('Choose another id with --run-id');
  });

  it('is refused with the key of another environment', async () => {
    const { rig } = await openTwoEnvironments();
    const file = writeUsers(rig);
    expect((await rig.svc(triggerLine(file))).code).toBe(0);
    const other = await rig.svc(triggerLine(file, '--profile', 'production'));
    expect({ code: other.code, stdout: other.stdout }).toEqual({ code: 2, stdout: '' });
    expect(other.stderr).toContain('the environment changed');
  });

  it('says so for the same work, and prints its summary', async () => {
    const rig = await openRig();
    const file = writeUsers(rig);
    const first = parsed((await rig.svc(triggerLine(file))).stdout);
    expect(first).toMatchObject({ triggered: 2, alreadyFinished: false });
    const again = await rig.svc(triggerLine(file), { tty: 'stderr' });
    expect(parsed(again.stdout)).toEqual({ ...first, alreadyFinished: true });
    expect(filterWrites(again.requests)).toEqual([]);
    expect(again.stderr).toContain('Run nightly has already finished.');
  });

  it('compares standard input with the copy of --spool', async () => {
    const rig = await openRig();
    const line = importLine('-', '--spool');
    expect((await rig.svc(line, { stdin: people })).code).toBe(0);
    const same = await rig.svc(line, { stdin: people });
    expect(parsed(same.stdout)).toMatchObject({ alreadyFinished: true });
    const other = await rig.svc(line, { stdin: 'subscriberId\nu3\n' });
    expect({ code: other.code, stdout: other.stdout }).toEqual({ code: 2, stdout: '' });
    expect(other.stderr).toContain('the input changed since its run started');
  });

  it('is left alone on Ctrl-C while it is compared with standard input that does not end', async () => {
    const rig = await openRig();
    expect((await rig.svc(importLine('-', '--spool'), { stdin: people })).code).toBe(0);
    const shutdown = new AbortController();
    const stdin = new Readable({ read: () => shutdown.abort('interrupted') });
    const { code, stdout, stderr } = await rig.svc(importLine('-', '--spool'), {
      ...{ stdin, shutdownSignal: shutdown.signal },
    });
    expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(stdin.destroyed).toBe(true);
    const again = await rig.svc(importLine('-', '--spool'), { stdin: people });
    expect(parsed(again.stdout)).toMatchObject({ alreadyFinished: true });
  });

  it('cannot be compared with standard input without a copy', async () => {
    const rig = await openRig();
    expect((await rig.svc(importLine('-'), { stdin: people })).code).toBe(0);
    const { code, stdout, stderr } = await rig.svc(importLine('-'), { stdin: people });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'Run nightly has finished. It read standard input, which cannot be compared.',
    );
  });

  it('is printed by runs resume after its file was deleted', async () => {
    const rig = await openRig();
    const file = writeUsers(rig);
    expect((await rig.svc(importLine(file))).code).toBe(0);
    rmSync(file);
    const { code, stdout } = await rig.svc(['runs', 'resume', 'nightly', '--json']);
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, alreadyFinished: true });
  });
});

describe('starting with --run-id', () => {
  it('is done by only one of two processes at once', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const started = await Promise.all([rig.svc(importLine(file)), rig.svc(importLine(file))]);
    expect(started.map(({ code }) => code).sort()).toEqual([0, 8]);
    const refused = started.find(({ code }) => code === 8);
    expect(refused?.stderr).toContain('Run nightly is in use by process');
    expect(refused && filterWrites(refused.requests)).toEqual([]);
    expect(runsIn(rig)).toEqual(['nightly']);
  });

  it('sends to the environment of the process that started first, and to no other', async () => {
    const { rig, keyOf } = await openTwoEnvironments();
    const file = writeInput(rig, 'users.csv', people);
    const profiles = ['development', 'production'] as const;
    const started = await Promise.all(
      profiles.map((profile) => rig.svc(importLine(file, '--profile', profile))),
    );
    const first = started.findIndex(({ code }) => code === 0);
    const writes = started
      .flatMap(({ requests }) => filterWrites(requests))
      .map(({ headers }) => headers.authorization);
    expect(started.map(({ code }) => code).sort()).toEqual([0, 8]);
    expect(writes).toEqual([`ApiKey ${keyOf(profiles[first] ?? 'development')}`]);
    const shown = await rig.svc(['runs', 'show', 'nightly', '--jq', '.profile']);
    expect(shown.stdout).toBe(`${profiles[first]}\n`);
  });

  it('refuses a folder whose manifest is gone, because its journal is of other rows', async () => {
    const rig = await openRig();
    await rig.svc(importLine(writeInput(rig, 'users.csv', people)));
    rmSync(path.join(runFolder(rig, 'nightly'), 'manifest.json'));
    const ran = await rig.svc(importLine(writeInput(rig, 'others.csv', `${people}u3\n`)));
    expect({ code: ran.code, writes: filterWrites(ran.requests) }).toEqual({ code: 8, writes: [] });
    expect(ran.stderr).toContain('Run nightly has a journal but no manifest.');
    expect(readdirSync(runFolder(rig, 'nightly'))).toContain('ledger.ndjson');
  });

  it('does not use the copy of an input that a killed process left behind', async () => {
    const rig = await openRig();
    await rig.svc(importLine('-', '--spool'), { stdin: people });
    const folder = runFolder(rig, 'nightly');
    for (const name of ['manifest.json', 'ledger.ndjson']) rmSync(path.join(folder, name));
    const { stdout } = await rig.svc(importLine('-', '--spool'), {
      stdin: 'subscriberId\nfresh\n',
    });
    expect(parsed(stdout)).toMatchObject({ rows: 1, created: 1 });
  });

  it.each<[string, (rig: Rig) => string[], number, string]>([
    ['a missing file', () => importLine('nowhere.csv'), 2, 'nowhere.csv'],
    [
      'an existing rejects file',
      (rig) =>
        importLine(
          writeInput(rig, 'users.csv', people),
          ...['--rejects', writeInput(rig, 'rejects.csv', 'mine')],
        ),
      2,
      'rejects.csv',
    ],
    ['a wrong column', (rig) => importLine(writeInput(rig, 'u.csv', 'id,Pet\na,b\n')), 2, 'Pet'],
  ])('reports %s and leaves no run', async (_name, line, code, expected) => {
    const rig = await openRig();
    const ran = await rig.svc(line(rig));
    expect({ code: ran.code, writes: filterWrites(ran.requests) }).toEqual({ code, writes: [] });
    expect(ran.stderr).toContain(expected);
    expect(ran.stderr).not.toContain('cannot be removed');
    expect(runsIn(rig)).toEqual([]);
  });
});
