import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { runFolder } from '../../support/runs.ts';

const rows = Array.from({ length: 40 }, (_unused, index) => `m${index},m${index}@example.com`);
const csv = `subscriberId,email\n${rows.join('\n')}\nx1,broken\nx2,broken\nx3,broken\nx4,broken\n`;

/** Imports the shards of a file, which have rejected rows. Returns copies of the folders of the runs. */
async function importShards(rig: Rig, shards: readonly string[], text = csv, expectedCode = 3) {
  const file = writeInput(rig, 'users.csv', text);
  const copies: string[] = [];
  for (const shard of shards) {
    const runId = `run-${shard.replace('/', '-')}`;
    const line = ['subscribers', 'bulk-import', file, '--shard', shard, '--run-id', runId];
    expect((await rig.svc(line)).code).toBe(expectedCode);
    copies.push(path.join(rig.folder, 'copies', runId));
    cpSync(runFolder(rig, runId), copies.at(-1) ?? '', { recursive: true });
  }
  return copies;
}

const merge = (rig: Rig, ...words: string[]) => rig.svc(['runs', 'merge', ...words, '--json']);

describe('svc runs merge', () => {
  it('takes the newest run as last', async () => {
    const rig = await openRig();
    await importShards(rig, ['0/2']);
    const { stdout } = await merge(rig, 'last');
    expect(parsed(stdout)).toMatchObject({ runs: ['run-0-2'] });
  });

  it('sums up all shards of a file and joins their rejected rows', async () => {
    const rig = await openRig();
    const copies = await importShards(rig, ['0/3', '1/3', '2/3']);
    const target = path.join(rig.folder, 'all-rejects.csv');
    const { code, stdout, requests } = await merge(rig, ...copies, '--rejects', target);
    expect({ code, requests }).toEqual({ code: 3, requests: [] });
    expect(parsed(stdout)).toMatchObject({
      runs: ['run-0-3', 'run-1-3', 'run-2-3'],
      command: 'subscribers bulk-import',
      rows: 44,
      created: 40,
      invalid: 4,
      failed: 0,
      rejects: target,
      unfinished: [],
      missingShards: [],
    });
    const [header, ...rejected] = readFileSync(target, 'utf8').trimEnd().split('\n');
    expect(header).toBe('_line,_error,subscriberId,email');
    expect(rejected.map((row) => row.split(',')[2]).sort()).toEqual(['x1', 'x2', 'x3', 'x4']);
    writeFileSync(target, readFileSync(target, 'utf8').replaceAll('broken', 'x@example.com'));
    const again = await rig.svc(['subscribers', 'bulk-import', target, '--json']);
    expect(parsed(again.stdout)).toMatchObject({ rows: 4, created: 4 });
  });

  it.each([
    ['ndjson', '{"subscriberId":"a"}\n{"email":"b"}\n{"email":"c"}\n{"subscriberId":7}\n'],
    ['json', '[{"subscriberId":"a"},{"email":"b"},{"email":"c"},{"subscriberId":7}]'],
  ])('joins rejected rows as %s', async (format, text) => {
    const rig = await openRig();
    const file = writeInput(rig, `users.${format}`, text);
    for (const runId of ['a', 'b']) {
      const part = runId === 'a' ? ['--shard', '0/2'] : ['--shard', '1/2'];
      const ran = await rig.svc(['subscribers', 'bulk-import', file, '--run-id', runId, ...part]);
      expect(ran.code).toBe(runId === 'a' ? 3 : 0);
    }
    const other = await rig.svc(['subscribers', 'bulk-import', file, '--run-id', 'whole']);
    expect(other.code).toBe(3);
    const target = path.join(rig.folder, `rejects.${format}`);
    const { stdout } = await merge(
      rig,
      ...[runFolder(rig, 'a'), runFolder(rig, 'b'), '--rejects', target],
    );
    expect(parsed(stdout)).toMatchObject({ rows: 4, invalid: 3 });
    expect(readFileSync(target, 'utf8')).toBe(
      readFileSync(path.join(runFolder(rig, 'whole'), `rejects.${format}`), 'utf8'),
    );
  });

  it('changes nothing in the folders and writes no file without rejected rows', async () => {
    const rig = await openRig();
    const [copy = ''] = await importShards(rig, ['0/1'], 'subscriberId\na\n', 0);
    const before = readFileSync(path.join(copy, 'ledger.ndjson'), 'utf8');
    const target = path.join(rig.folder, 'rejects.csv');
    const { code, stdout } = await merge(rig, copy, '--rejects', target);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 1, rejects: null });
    expect(existsSync(target)).toBe(false);
    expect(readFileSync(path.join(copy, 'ledger.ndjson'), 'utf8')).toBe(before);
  });

  it('reports missing shards and runs that have not finished', async () => {
    const rig = await openRig();
    const text = 'subscriberId\na\nb\nc\nd\ne\n';
    const [first = ''] = await importShards(rig, ['0/3'], text, 0);
    // The environment is read first.
    rig.pass(1);
    rig.answer({ status: 401, body: { message: 'no' } });
    const [second = ''] = await importShards(rig, ['2/3'], text, 4);
    const { code, stdout } = await merge(rig, first, second);
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({ unfinished: ['run-2-3'], missingShards: ['1/3'] });
    const { stderr } = await rig.svc(['runs', 'merge', first, second]);
    expect(stderr).toBe('Error: Not finished: run-2-3.\nMissing shards: 1/3.\n');
    const { stdout: shown } = await rig.svc(['runs', 'merge', first, second], { tty: true });
    expect(shown).toContain('Not finished: run-2-3.\nMissing shards: 1/3.\n');
  });

  it('reports runs that processed only a part of the input', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\na\nb\n');
    await rig.svc(['subscribers', 'bulk-import', file, '--take', '1', '--run-id', 'part']);
    const { code, stdout } = await merge(rig, runFolder(rig, 'part'));
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 3, rows: 1, limited: ['part'] });
    const { stderr } = await rig.svc(['runs', 'merge', runFolder(rig, 'part')]);
    expect(stderr).toBe('Error: Only a part of the input (--skip, --take): part.\n');
  });

  it.each<[string, string[], Record<string, string>, string]>([
    [
      'another service',
      ['--environment-id', 'e'],
      { SVC_BASE_URL: 'http://other.localhost' },
      'of different services',
    ],
    ['another option', ['--data-rest'], {}, 'with different options: --data-rest'],
    ['--validate-only', ['--validate-only'], {}, 'is a run with --validate-only'],
  ])('refuses to merge a run with %s', async (_name, options, env, expected) => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\na\nb\n');
    const line = ['subscribers', 'bulk-import', file];
    await rig.svc([...line, '--shard', '0/2', '--run-id', 'r0']);
    const more = ['--shard', '1/2', '--run-id', 'r1', ...options];
    await rig.svc([...line, ...more], { env });
    const { code, stderr } = await merge(rig, runFolder(rig, 'r0'), runFolder(rig, 'r1'));
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });

  it('merges runs of shards with other limits', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\na\nb\n');
    const limits = [[], ['--rate', '50', '--concurrency', '3', '--max-errors', '1']];
    for (const [shard, more] of limits.entries()) {
      const ids = ['--shard', `${shard}/2`, '--run-id', `r${shard}`];
      await rig.svc(['subscribers', 'bulk-import', file, ...ids, ...more]);
    }
    const { code, stdout } = await merge(rig, runFolder(rig, 'r0'), runFolder(rig, 'r1'));
    expect({ code, ...parsed(stdout) }).toMatchObject({ code: 0, rows: 2, created: 2 });
  });

  it('refuses to merge runs of two environments', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId\na\nb\n');
    for (const shard of [0, 1]) {
      const ids = ['--run-id', `r${shard}`, '--environment-id', `e${shard}`];
      await rig.svc(['subscribers', 'bulk-import', file, '--shard', `${shard}/2`, ...ids]);
    }
    const { code, stderr } = await merge(rig, runFolder(rig, 'r0'), runFolder(rig, 'r1'));
    expect(code).toBe(2);
    expect(stderr).toContain('are runs of different environments');
  });

  it('says which file cannot be written, and that the runs are unchanged', async () => {
    const rig = await openRig();
    const [copy = ''] = await importShards(rig, ['0/1'], 'subscriberId,email\na,b\n', 2);
    const target = path.join(rig.folder, 'no-folder', 'rejects.csv');
    const { code, stderr } = await merge(rig, copy, '--rejects', target);
    expect(code).toBe(8);
    const { message, hint } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;
    expect(message).toContain(`${target} cannot be written: ENOENT`);
    expect(hint).toBe(
      'The runs are unchanged. Choose another file or free some disk space, then run the command again.',
    );
  });

  it('does not replace a file', async () => {
    const rig = await openRig();
    const [copy = ''] = await importShards(rig, ['0/1']);
    const target = writeInput(rig, 'rejects.csv', 'mine');
    const { code, stderr } = await merge(rig, copy, '--rejects', target);
    expect(code).toBe(2);
    expect(stderr).toContain('already exists');
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });

  it.each<[string, (rig: Rig) => Promise<string[]>, number, string]>([
    ['no folder', async () => [], 2, 'No run folders are given'],
    ['a folder without a run', async ({ folder }) => [folder], 2, 'is not the folder of a run'],
    [
      'the same shard twice',
      async (rig) => {
        const [copy = ''] = await importShards(rig, ['0/2']);
        return [copy, copy];
      },
      2,
      'are runs of the same rows (shard 0/2)',
    ],
    [
      'other numbers of shards',
      (rig) => importShards(rig, ['0/2', '1/3']),
      2,
      'different numbers of',
    ],
    [
      'another input',
      async (rig) => [
        ...(await importShards(rig, ['0/2'])),
        ...(await importShards(rig, ['1/2'], 'subscriberId\na\n', 0)),
      ],
      2,
      'are runs of different inputs',
    ],
    [
      'a damaged manifest',
      async (rig) => {
        const [copy = ''] = await importShards(rig, ['0/2']);
        const file = path.join(copy, 'manifest.json');
        const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
        writeFileSync(file, JSON.stringify({ ...manifest, rejects: 7 }));
        return [copy];
      },
      8,
      'manifest.json is damaged: rejects',
    ],
    [
      'counts that are not numbers',
      async (rig) => {
        const [copy = ''] = await importShards(rig, ['0/2']);
        const file = path.join(copy, 'ledger.ndjson');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"created":', '"created":-'));
        return [copy];
      },
      8,
      'ledger.ndjson is damaged',
    ],
  ])('rejects %s', async (_name, folders, expectedCode, expected) => {
    const rig = await openRig();
    const { code, stdout, stderr } = await merge(rig, ...(await folders(rig)));
    expect({ code, stdout }).toEqual({ code: expectedCode, stdout: '' });
    expect(stderr).toContain(expected);
  });
});
