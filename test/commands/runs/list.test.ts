// svc runs list: its columns, its JSON and --limit.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrl, testKey } from '../../support/fixed.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const runImport = async (rig: Rig, file: string, stdin?: string) => {
  const line = ['subscribers', 'bulk-import', file, '--json'];
  const { stdout } = await rig.svc(line, stdin === undefined ? {} : { stdin });
  return (parsed(stdout) as { runId: string }).runId;
};

describe('svc runs list', () => {
  it('prints command, counts, file and profile of each run as JSON', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\nb\n');
    const runId = await runImport(rig, csv);
    expect(JSON.parse((await rig.svc(['runs', 'list', '--json'])).stdout)).toEqual([
      {
        runId,
        command: 'subscribers bulk-import',
        state: 'finished',
        rows: 2,
        done: 2,
        failed: 0,
        startedAt: '2026-01-15T12:00:00.000Z',
        file: csv,
        profile: null,
        invalid: 0,
        validateOnly: false,
      },
    ]);
  });

  it('leaves ids that other commands accept by their unique beginning or end', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    const runId = await runImport(rig, csv);
    for (const short of [runId.slice(-6), `…${runId.slice(-6)}`, runId.slice(0, 8)])
      expect((await rig.svc(['runs', 'show', short, '--jq', '.runId'])).stdout).toBe(`${runId}\n`);
    await runImport(rig, csv);
    const { code, stderr } = await rig.svc(['runs', 'show', runId.slice(0, 8)]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(runId) });
    expect((await rig.svc(['runs', 'show', 'nothing-like-it'])).code).toBe(5);
  });

  it('estimates the rows of a run that stopped early', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 1_000 }, (_unused, index) => `u${1_000 + index}`);
    const csv = writeInput(rig, 'users.csv', `subscriberId\n${rows.join('\n')}\n`);
    rig.pass(1);
    rig.answer({ status: 401, body: { message: 'API Key not found' } });
    const line = ['subscribers', 'bulk-import', csv, '--concurrency', '1', '--json'];
    expect((await rig.svc(line)).code).toBe(4);
    const estimated = await rig.svc(['runs', 'list', '--jq', '.[0].estimatedRows']);
    expect(estimated.stdout).toBe('1000\n');
    const { stdout } = await rig.svc(['runs', 'show', 'last'], { tty: true });
    expect(stdout).toMatch(/^ROWS +500 of ~1000$/m);
  });

  it('estimates a whole number of rows in a short file', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'ids.csv', 'subscriberId\na\nb2\nlonger-id\n');
    rig.pass(2);
    rig.answer({ status: 401, body: { message: 'API Key not found' } });
    const line = ['subscribers', 'delete', '--file', csv, '--concurrency', '1', '--yes', '--json'];
    expect((await rig.svc(line)).code).toBe(4);
    const { stdout } = await rig.svc(['runs', 'list', '--jq', '.[0].estimatedRows']);
    expect(stdout).toMatch(/^\d+\n$/);
  });

  it('reports null as the file of a run from standard input', async () => {
    const rig = await openRig();
    await runImport(rig, '-', 'subscriberId\na\n');
    expect((await rig.svc(['runs', 'list', '--jq', '.[0].file'])).stdout).toBe('null\n');
  });

  it('names the profile that a run was started with', async () => {
    const rig = await openRig({ bare: true });
    await rig.svc(['login', '--profile', 'staging', '--base-url', baseUrl, '--with-key'], {
      stdin: testKey,
    });
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    await runImport(rig, csv);
    expect((await rig.svc(['runs', 'list', '--jq', '.[0].profile'])).stdout).toBe('staging\n');
    const { stdout } = await rig.svc(['runs', 'list'], { tty: true, columns: 160 });
    expect(stdout.split('\n')[0]).toMatch(/ FILE +PROFILE +INVALID$/);
    expect(stdout.split('\n')[1]).toMatch(/users\.csv +staging +0$/);
  });

  it('appends file, profile and invalid rows to the columns of a pipe', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    const runId = await runImport(rig, csv);
    expect((await rig.svc(['runs', 'list'])).stdout).toBe(
      `${runId}\tsubscribers bulk-import\tfinished\t1\t1\t0\t2026-01-15T12:00:00.000Z\t${csv}\t\t0\n`,
    );
  });

  it('fits 80 columns with whole words and the outcome, and 140 with the end of a long path', async () => {
    const rig = await openRig();
    mkdirSync(path.join(rig.folder, 'exports-of-the-customer-database'));
    const csv = path.join(rig.folder, 'exports-of-the-customer-database', 'customers.csv');
    writeFileSync(csv, 'subscriberId\na\n');
    await runImport(rig, csv);
    const { stdout } = await rig.svc(['runs', 'list'], { tty: true });
    expect(stdout).toMatchInlineSnapshot(`
      "RUN                     COMMAND                  STATE     ROWS  FAILED  INVALID
      20260115-120000-000001  subscribers bulk-import  finished     1       0        0
      "
    `);
    const wider = (await rig.svc(['runs', 'list'], { tty: true, columns: 140 })).stdout;
    expect(wider).toMatch(/ subscribers bulk-import .* …\S*customers\.csv /);
    const narrow = (await rig.svc(['runs', 'list'], { tty: true, columns: 76 })).stdout;
    expect(narrow).toMatch(/ subscribers bulk-import +finished /);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('distinguishes validations from imports, and invalid rows from failed ones', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId,email\na,\nb,nonsense\nc,\n');
    for (const more of [[], ['--validate-only']])
      expect((await rig.svc(['subscribers', 'bulk-import', csv, ...more])).code).toBe(3);
    const listed = await rig.svc(['runs', 'list', '--json']);
    const common = { command: 'subscribers bulk-import', state: 'finished', rows: 3 };
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { ...common, done: 2, failed: 0, invalid: 1, validateOnly: true },
      { ...common, done: 2, failed: 0, invalid: 1, validateOnly: false },
    ]);
    const table = await rig.svc(['runs', 'list'], { tty: true, columns: 200 });
    const [, validation, imported] = table.stdout.split('\n');
    expect(validation).toMatch(/ subscribers bulk-import +validated +3 +2 +0 .* 1$/);
    expect(imported).toMatch(/ subscribers bulk-import +finished +3 +2 +0 .* 1$/);
    const card = await rig.svc(['runs', 'show', 'last'], { tty: true, columns: 200 });
    expect(card.stdout).toMatch(/^STATE +validated$/m);
    expect(card.stdout).toMatch(/^FAILED +0$/m);
    expect(card.stdout).toMatch(/^INVALID +1$/m);
    expect(card.stdout).toMatch(/^REJECTS +\S+rejects\.csv$/m);
  });

  it('does not call a validation that stopped early validated', async () => {
    const rig = await openRig();
    const rows = 'a,nonsense\n'.repeat(600);
    const csv = writeInput(rig, 'users.csv', `subscriberId,email\n${rows}`);
    const line = ['subscribers', 'bulk-import', csv, '--validate-only', '--max-errors', '5'];
    expect((await rig.svc(line)).code).toBe(3);
    const { stdout } = await rig.svc(['runs', 'list']);
    expect(stdout).toContain('\tsubscribers bulk-import --validate-only\tstopped\t');
  });

  it('--limit lists only the newest runs', async () => {
    const rig = await openRig();
    const csv = writeInput(rig, 'users.csv', 'subscriberId\na\n');
    const [, second, third] = [
      await runImport(rig, csv),
      await runImport(rig, csv),
      await runImport(rig, csv),
    ];
    expect((await rig.svc(['runs', 'list', '--limit', '2', '-o', 'ids'])).stdout).toBe(
      `${third}\n${second}\n`,
    );
    expect((await rig.svc(['runs', 'list', '--limit', '0'])).code).toBe(2);
  });
});
