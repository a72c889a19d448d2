// A state folder that was moved or copied while a run was stopped or after it finished.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { cancelLine, unauthorized } from '../../support/runs.ts';

const rows = [
  'bad-0,nonsense',
  ...Array.from({ length: 900 }, (_unused, index) => `p${index},p@example.com`),
  'bad-1,nonsense',
];
const people = `subscriberId,email\n${rows.join('\n')}\n`;
const badIn = (rejects: unknown) => readFileSync(String(rejects), 'utf8').match(/bad-\d/g);

const moves: [string, (from: string, to: string) => void][] = [
  ['moved', renameSync],
  [
    'copied',
    (from, to) => {
      cpSync(from, to, { recursive: true });
      rmSync(from, { recursive: true });
    },
  ],
];

/** Stops a run after its first batch, then moves or copies the state folder. */
async function taken(rig: Rig, take: (from: string, to: string) => void, line: string[]) {
  rig.pass(1);
  rig.answer(unauthorized);
  const import_ = ['subscribers', 'bulk-import', '--concurrency', '1', '--json'];
  const { code, stdout } = await rig.svc([...import_, ...line], { stdin: people });
  expect(code).toBe(4);
  const elsewhere = path.join(rig.folder, 'elsewhere');
  take(path.join(rig.folder, 'state'), elsewhere);
  const env = { SVC_STATE_DIR: elsewhere };
  const { runId } = parsed(stdout) as { runId: string };
  return { env, runId, folder: path.join(elsewhere, 'runs', runId) };
}

describe.each(moves)('a state folder that was %s', (_name, take) => {
  it('contains the rejected rows of a resumed run', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const { env, runId, folder } = await taken(rig, take, [file]);
    const { code, stdout } = await rig.svc(['runs', 'resume', runId, '--json'], { env });
    expect(code).toBe(3);
    const rejects = path.join(folder, 'rejects.csv');
    expect(parsed(stdout)).toMatchObject({ rows: 902, created: 900, invalid: 2, rejects });
    expect(badIn(rejects)).toEqual(['bad-0', 'bad-1']);
    expect(existsSync(path.join(rig.folder, 'state'))).toBe(false);
  });

  it('contains the copy of standard input for a resumed run', async () => {
    const rig = await openRig();
    const { env, runId, folder } = await taken(rig, take, ['-', '--spool']);
    const { code, stdout } = await rig.svc(['runs', 'resume', runId, '--json'], { env });
    expect(code).toBe(3);
    expect(parsed(stdout)).toMatchObject({
      rows: 902,
      created: 900,
      rejects: path.join(folder, 'rejects.csv'),
    });
    const shown = parsed((await rig.svc(['runs', 'show', runId, '--json'], { env })).stdout);
    expect(shown).toMatchObject({ file: { path: path.join(folder, 'input') }, folder });
  });

  it('contains further rejected rows next to a rejects file that was modified', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const { env, runId, folder } = await taken(rig, take, [file]);
    const rejects = path.join(folder, 'rejects.csv');
    const beside = path.join(folder, 'rejects-2.csv');
    writeFileSync(rejects, `${readFileSync(rejects, 'utf8')}mine\n`);
    const { stdout } = await rig.svc(['runs', 'resume', runId, '--json'], { env });
    expect(parsed(stdout)).toMatchObject({ rejects: beside, rejectsFiles: [rejects, beside] });
    expect(badIn(beside)).toEqual(['bad-1']);
  });

  it('contains the rejects file that the summary of a finished run names', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const first = await rig.svc(['subscribers', 'bulk-import', file, '--json']);
    expect(first.code).toBe(3);
    const { runId } = parsed(first.stdout) as { runId: string };
    const elsewhere = path.join(rig.folder, 'elsewhere');
    take(path.join(rig.folder, 'state'), elsewhere);
    const env = { SVC_STATE_DIR: elsewhere };
    const rejects = path.join(elsewhere, 'runs', runId, 'rejects.csv');
    for (const verb of ['resume', 'show']) {
      const { stdout } = await rig.svc(['runs', verb, runId, '--json'], { env });
      expect(parsed(stdout)).toMatchObject({ rejects });
    }
    expect(badIn(rejects)).toEqual(['bad-0', 'bad-1']);
  });

  it('contains the list of transactions for a resumed cancellation', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'events.ndjson', '{"name":"welcome","to":"u1"}\n'.repeat(3));
    const trigger = ['events', 'trigger', '--file', file, '--yes', '--json'];
    const { runId } = parsed((await rig.svc(trigger)).stdout) as { runId: string };
    rig.pass(1);
    rig.answer(unauthorized);
    const cancel = cancelLine(runId, '--json', '--concurrency', '1');
    const ran = await rig.svc(cancel);
    expect(ran.code).toBe(4);
    const stopped = parsed(ran.stdout) as { runId: string };
    expect(stopped).toMatchObject({ rows: 0, stopped: { reason: 'API Key not found' } });
    const elsewhere = path.join(rig.folder, 'elsewhere');
    take(path.join(rig.folder, 'state'), elsewhere);
    const { stdout } = await rig.svc(['runs', 'resume', stopped.runId, '--json', '--yes'], {
      env: { SVC_STATE_DIR: elsewhere },
    });
    expect(parsed(stdout)).toMatchObject({ rows: 3, stopped: null });
  });

  it('does not affect a rejects file outside of it', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', people);
    const { env, runId } = await taken(rig, take, [file, '--rejects', 'bad.csv']);
    const { stdout } = await rig.svc(['runs', 'resume', runId, '--json'], { env });
    const rejects = path.join(rig.folder, 'bad.csv');
    expect(parsed(stdout)).toMatchObject({ invalid: 2, rejects });
    expect(badIn(rejects)).toEqual(['bad-0', 'bad-1']);
  });
});

it('a state folder that cannot be created is an error that names it, before anything is sent', async () => {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', people);
  const env = { SVC_STATE_DIR: path.join(file, 'state') };
  const { code, stderr, requests } = await rig.svc(['subscribers', 'bulk-import', file], { env });
  expect({ code, requests }).toEqual({ code: 8, requests: [] });
  expect(stderr).toMatch(/The folder \S*users\.csv\S* cannot be created: ENOTDIR/);
  expect(stderr).toContain('Nothing was sent. Set SVC_STATE_DIR to a writable folder.');
});
