import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const csv =
  'Subscriber ID,First Name,email,data.plan\na1,Ada,ada@example.com,pro\nb2,Bo,bo.example.com,\nc3,,,free\n';

describe('svc subscribers bulk-import', () => {
  it('prints a summary on a terminal, with the command to send fixed rejects', async () => {
    const { svc, folder } = await openRig();
    const { stdout, code } = await svc(
      ['subscribers', 'bulk-import', '-', '--rejects', 'bad.csv'],
      { tty: true, stdin: csv },
    );
    expect({ stdout: stdout.replaceAll(folder, '<folder>'), code }).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stdout": "Imported 2 of 3 rows at http://sandbox.localhost in 0 s (3/s): 2 created, 0
        updated.
      Rejected: 1 invalid.
        1 × email: not an e-mail address
          line 3, b2: bo.example.com
      Fix the rejected rows, then run:
        svc subscribers bulk-import <folder>/bad.csv
      ",
      }
    `);
    expect(readFileSync(path.join(folder, 'bad.csv'), 'utf8')).toBe(
      '_line,_error,Subscriber ID,First Name,email,data.plan\n3,email: not an e-mail address,b2,Bo,bo.example.com,\n',
    );
  });

  it('writes rows with too few or too many cells unchanged to the rejects file', async () => {
    const { svc, folder } = await openRig();
    const importAndReadRejects = async (stdin: string) => {
      const line = ['subscribers', 'bulk-import', '-', '--rejects', 'bad.csv', '--force'];
      expect((await svc(line, { stdin })).code).toBe(2);
      return readFileSync(path.join(folder, 'bad.csv'), 'utf8');
    };
    const first = await importAndReadRejects(
      'subscriberId;email;phone\na;a@example.com\nb;;;more\n',
    );
    expect(first).toBe(
      [
        '_line;_error;subscriberId;email;phone',
        '2;"has 2 cells, the header has 3";a;a@example.com',
        '3;"has 4 cells, the header has 3";b;;;more\n',
      ].join('\n'),
    );
    const second = await importAndReadRejects(first);
    expect(second.split('\n').map((row) => row.split(';').slice(2).join(';'))).toEqual(
      first.split('\n').map((row) => row.split(';').slice(2).join(';')),
    );
  });

  it('prints a summary that counts every row', async () => {
    const { svc, folder } = await openRig();
    const { stdout, requests } = await svc(['subscribers', 'import', '-', '--json'], {
      stdin: csv,
    });
    expect(JSON.parse(stdout)).toEqual({
      runId: '20260115-120000-000001',
      rows: 3,
      created: 2,
      updated: 0,
      failed: 0,
      invalid: 1,
      skipped: 0,
      unknown: 0,
      duplicates: 0,
      batches: 1,
      requests: 1,
      retries: 0,
      seconds: 0,
      rowsPerSecond: 3,
      rejects: path.join(folder, 'state/runs/20260115-120000-000001/rejects.csv'),
      resumed: false,
      alreadyFinished: false,
      replayed: 0,
      stopped: null,
    });
    expect(requests[0]?.body).toEqual({
      subscribers: [
        { subscriberId: 'a1', firstName: 'Ada', email: 'ada@example.com', data: { plan: 'pro' } },
        { subscriberId: 'c3', data: { plan: 'free' } },
      ],
    });
  });

  it('prints key-value pairs to a pipe', async () => {
    const { svc } = await openRig();
    expect((await svc(['subscribers', 'bulk-import', '-'], { stdin: csv })).stdout).toContain(
      'created\t2\n',
    );
  });

  it('imports a fixed rejects file as it is', async () => {
    const { svc, folder } = await openRig();
    const line = ['subscribers', 'bulk-import', '-', '--rejects', 'bad.csv'];
    expect((await svc(line, { stdin: csv })).code).toBe(3);
    const bad = path.join(folder, 'bad.csv');
    writeFileSync(bad, readFileSync(bad, 'utf8').replace('bo.example', 'bo@example'));
    expect(
      JSON.parse((await svc(['subscribers', 'bulk-import', bad, '--json'])).stdout),
    ).toMatchObject({ rows: 1, created: 1, rejects: null });
  });

  it.each<[string, string, string[], string]>([
    [
      'NDJSON',
      '{"subscriberId":"n1"}\n{"subscriberId":"n2","plan":"pro"}\n',
      ['--format', 'ndjson'],
      '{"subscriberId":"n2","plan":"pro","_line":2,"_error":"unknown field \\"plan\\" (put custom data into data, or use --data-rest)"}\n',
    ],
    [
      'a JSON array',
      '[{"subscriberId":"n1"},\n7]',
      ['--format', 'json'],
      '[\n{"_line":2,"_error":"is not a JSON object","_raw":"7"}\n]\n',
    ],
  ])('reads %s and writes rejects in the same format', async (_name, stdin, options, rejects) => {
    const { svc, folder } = await openRig();
    const { stdout, code } = await svc(
      ['subscribers', 'bulk-import', '-', ...options, '--rejects', 'bad', '--json'],
      { stdin },
    );
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, created: 1, invalid: 1 });
    expect(code).toBe(3);
    expect(readFileSync(path.join(folder, 'bad'), 'utf8')).toBe(rejects);
  });

  it.each<[string, string, string[], string]>([
    ['an unknown column', 'subscriberId,Pet\na,b\n', [], 'Pet: custom data (b)'],
    ['a mistyped column', 'subscriberId,emial\na,b\n', [], 'Did you mean `email`?'],
    ['a column of an export', 'subscriberId,Mail\na,b\n', [], 'Mail: email (b)'],
    ['a missing id column', 'email\na@example.com\n', [], 'no column for subscriberId'],
    ['two columns for one field', 'subscriberId,Email,e_mail\na,b,c\n', [], 'both go to email'],
    ['a missing file', '', ['/nowhere.csv'], 'does not exist'],
    ['an unknown field in --map', 'a\n1\n', ['--map', 'emial=a'], 'Did you mean `email`?'],
  ])('rejects %s before sending a sends anything', async (_name, stdin, options, expected) => {
    const { svc } = await openRig();
    const file = options[0]?.startsWith('/') ? [] : ['-'];
    const { code, stderr, requests } = await svc(
      ['subscribers', 'bulk-import', ...file, ...options],
      { stdin },
    );
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(expected);
  });

  it('assigns columns as the options specify', async () => {
    const { svc } = await openRig();
    const { requests } = await svc(
      words`subscribers bulk-import - --map subscriberId=id --data-column plan --data-rest`,
      { stdin: 'id;plan;team\n007;pro;red\n' },
    );
    expect(requests[0]?.body).toEqual({
      subscribers: [{ subscriberId: '007', data: { plan: 'pro', team: 'red' } }],
    });
  });

  it('exits with 4 if the service rejects the API key, and still prints the summary', async () => {
    const { svc } = await openRig();
    const { code, stdout, stderr } = await svc(['subscribers', 'bulk-import', '-', '--json'], {
      stdin: 'subscriberId\na\n',
      env: { SVC_API_KEY: 'f'.repeat(32) },
    });
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      created: 0,
      stopped: { reason: 'API Key not found' },
    });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 4, name: 'auth' } });
  });

  it('exits with 2 if no row is valid and nothing was sent', async () => {
    const { svc } = await openRig();
    expect(
      (
        await svc(['subscribers', 'bulk-import', '-', '--quiet'], {
          stdin: 'subscriberId,email\na,b\n',
        })
      ).code,
    ).toBe(2);
  });

  it('does not replace a rejects file without --force', async () => {
    const { svc, folder } = await openRig();
    writeFileSync(path.join(folder, 'bad.csv'), 'precious');
    const line = ['subscribers', 'bulk-import', '-', '--rejects', 'bad.csv'];
    expect((await svc(line, { stdin: csv })).code).toBe(2);
    expect(readFileSync(path.join(folder, 'bad.csv'), 'utf8')).toBe('precious');
    expect((await svc([...line, '--force'], { stdin: csv })).code).toBe(3);
  });

  it('rejects --rejects in a missing folder before sending a request', async () => {
    const { svc, folder } = await openRig();
    const line = ['subscribers', 'bulk-import', '-', '--rejects', 'none/bad.csv'];
    const { code, stderr, requests } = await svc(line, { stdin: csv });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`--rejects: folder ${path.join(folder, 'none')} does not exist.`);
  });

  it.each<[string, string, string[]]>([
    ['with another path', './users.csv', ['--force']],
    ['through a symbolic link', 'link.csv', ['--force']],
    ['also without --force', 'users.csv', []],
  ])('does not overwrite its input with rejects: %s', async (_name, rejects, options) => {
    const { svc, folder } = await openRig();
    writeFileSync(path.join(folder, 'users.csv'), csv);
    symlinkSync('users.csv', path.join(folder, 'link.csv'));
    const line = ['subscribers', 'bulk-import', 'users.csv', '--rejects', rejects, ...options];
    const { code, stderr, requests } = await svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('is the input file');
    expect(readFileSync(path.join(folder, 'users.csv'), 'utf8')).toBe(csv);
  });

  it('removes a rejects file with --force, even if nothing is rejected', async () => {
    const { svc, folder } = await openRig();
    writeFileSync(path.join(folder, 'bad.csv'), 'stale');
    const line = ['subscribers', 'bulk-import', '-', '--rejects', 'bad.csv', '--force', '--json'];
    const { stdout } = await svc(line, { stdin: 'subscriberId\na\n' });
    expect(JSON.parse(stdout)).toMatchObject({ created: 1, rejects: null });
    expect(existsSync(path.join(folder, 'bad.csv'))).toBe(false);
  });
});
