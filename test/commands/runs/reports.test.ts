// The report at the end of a run: reasons for rejected rows, and the next command.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRig, type Ran, type Rig } from '../../support/rig.ts';
import { unauthorized } from '../../support/runs.ts';

const bad = 'subscriberId,email\na,nonsense\n';
const allOutput = ({ stdout, stderr }: Ran) => stdout + stderr;
const write = ({ folder }: Rig, name: string, text: string) =>
  writeFileSync(path.join(folder, name), text);

describe('the command to send fixed rejects', () => {
  it.each<[string, string[], string, string]>([
    [
      'an import, with its options quoted for a shell',
      [
        ...['subscribers', 'bulk-import', '-', '--map', 'email=The Mail', '--data-rest', '--infer'],
        ...['--data-column', 'a,b', '--skip', '0', '--delimiter', ';'],
      ],
      'subscriberId;The Mail;a;b\nx;nonsense;1;2\n',
      "svc subscribers bulk-import <bad> --map 'email=The Mail' --data-rest --infer --data-column a,b",
    ],
    [
      'one event a row',
      ['events', 'trigger', 'welcome', '--recipients', '-', '--yes', '-f', "who=Ada's"],
      'subscriberId,payload.note\n,x\n',
      "svc events trigger welcome --recipients <bad> --field 'who=Ada'\\''s'",
    ],
    [
      'a list of ids, with rejects in CSV',
      ['topics', 'subscribe', 'announcements', '--file', '-'],
      'no-such-user\n',
      'svc topics subscribe announcements --file <bad>',
    ],
    [
      'a list that is read only from standard input',
      ['inbox', 'mark', 'u1', 'read', '-'],
      'ffffffffffffffffffffffff\n',
      'svc inbox mark u1 read - --format csv < <bad>',
    ],
    [
      'rows that are only validated',
      ['subscribers', 'bulk-import', '-', '--validate-only'],
      bad,
      'svc subscribers bulk-import <bad> --validate-only',
    ],
  ])('is complete for %s', async (_name, line, stdin, command) => {
    const rig = await openRig();
    const { stdout } = await rig.svc([...line, '--rejects', 'my bad.csv'], {
      tty: true,
      columns: 300,
      stdin,
    });
    const file = `'${path.join(rig.folder, 'my bad.csv')}'`;
    expect(stdout).toContain(
      `Fix the rejected rows, then run: ${command.replace('<bad>', file)}\n`,
    );
  });

  it('contains the service options, and the format if the file has no extension', async () => {
    const rig = await openRig();
    const line = ['events', 'trigger', '--file', '-', '--yes', '--rejects', 'bad'];
    const address = ['--base-url', 'http://sandbox.localhost'];
    const { stdout } = await rig.svc([...line, ...address], {
      tty: true,
      columns: 300,
      stdin: '{"to":"u1"}',
      env: { SVC_BASE_URL: 'http://sandbox.localhost' },
    });
    expect(stdout).toContain(
      `svc events trigger --file ${path.join(rig.folder, 'bad')} --format ndjson --base-url http://sandbox.localhost\n`,
    );
  });
});

describe('the reasons for rejects', () => {
  const rows = [
    ...Array.from({ length: 3 }, (_unused, n) => `a${n},nonsense,,`),
    ...Array.from({ length: 5 }, (_unused, n) => `b${n},,no where,`),
    ...Array.from({ length: 2 }, (_unused, n) => `c${n},,,Mars/Base`),
    ',,en,',
    'fine,,,',
  ];
  const stdin = `subscriberId,email,locale,timezone\n${rows.join('\n')}\n`;
  const counts =
    /^ {2}5 × locale: .*\n {2}3 × email: .*\n {2}2 × timezone: .*\n {2}1 × other reasons\n(?! {2})/m;
  const samples = /^(?: {4}line \d+, [abc]\d: (?:no where|nonsense|Mars\/Base)\n)/gm;

  it.each([[[]], [['--validate-only']]])(
    'are printed with %j, the three most frequent first with three rows each, and the rest counted',
    async (more) => {
      const rig = await openRig();
      const { stdout } = await rig.svc(['subscribers', 'bulk-import', '-', ...more], {
        tty: true,
        columns: 300,
        stdin,
      });
      expect(stdout.match(samples)).toHaveLength(8);
      expect(stdout.replace(samples, '')).toMatch(counts);
    },
  );

  it('are printed on standard error if standard output is not a terminal', async () => {
    const rig = await openRig();
    const line = ['subscribers', 'bulk-import', '-'];
    const lines = await rig.svc(line, { stdin });
    expect(lines.stdout).toContain('invalid\t11\n');
    expect(lines.stderr).toMatch(/^Error: 11 of 12 rows rejected\.$/m);
    expect(lines.stderr).toMatch(counts);
    expect(lines.stderr).toMatch(
      /^Fix the rejected rows, then run: svc subscribers bulk-import .*rejects\.csv/m,
    );
    const { stderr } = await rig.svc([...line, '--json'], { stdin });
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 3,
        name: 'partial',
        message: '11 of 12 rows rejected.',
        details: expect.arrayContaining([{ field: '', message: '1 × other reasons' }]),
      },
    });
  });

  it('are printed with a dry run', async () => {
    const rig = await openRig();
    const { stderr } = await rig.svc(['subscribers', 'bulk-import', '-', '--dry-run'], {
      tty: true,
      columns: 300,
      stdin,
    });
    expect(stderr).toContain('11 rows would be rejected:');
    expect(stderr).toMatch(counts);
  });

  it('are truncated if the service returns long messages', async () => {
    const rig = await openRig();
    const failed = [{ subscriberId: 'a', message: 'no'.repeat(1_000) }];
    rig.answer({ status: 201, body: { created: [], updated: [], failed } });
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', '-'], {
      tty: true,
      columns: 300,
      stdin: 'subscriberId\na\n',
    });
    expect(stdout).toContain(`  1 × ${'no'.repeat(80)}…\n    line 2, a\n`);
  });

  it.each([
    [
      'a mapped column',
      ['--map', 'email=Mail'],
      'subscriberId,Mail\n李,\u001b[31mred\n',
      '李: \\x1b[31mred',
    ],
    ['an empty id', [], 'subscriberId,email\n,a@example.com\n', '    line 2\n'],
    ['JSON', ['--format', 'ndjson'], '{"subscriberId":"a","email":7}\n', 'line 1, a: 7'],
    ['a long value', [], `subscriberId,email\na,${'x'.repeat(90)}\n`, `a: ${'x'.repeat(60)}…`],
  ])('name the value of %s', async (_name, more, stdin, text) => {
    const rig = await openRig();
    const line = ['subscribers', 'bulk-import', '-', ...more];
    const { stdout } = await rig.svc(line, { tty: true, columns: 300, stdin });
    expect(stdout).toContain(text);
  });

  it('have no rows in the JSON of the summary', async () => {
    const rig = await openRig();
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', '-', '--json'], { stdin });
    expect(stdout).not.toContain('nonsense');
  });
});

describe('a run that can be resumed', () => {
  it('does not advise to fix rejected rows first', async () => {
    const rig = await openRig();
    const good = Array.from({ length: 900 }, (_unused, n) => `q${n},`).join('\n');
    write(rig, 'users.csv', `${bad}${good}\n`);
    rig.pass(1);
    rig.answer(unauthorized);
    const line = ['subscribers', 'bulk-import', 'users.csv', '--concurrency', '1'];
    const ran = await rig.svc(line, { tty: true, columns: 300 });
    expect(ran.stdout).toMatch(
      /^Stopped early after line 502: imported 500 of 501 rows at .* s \(.*\/s\)[^.]*\.\nRejected: 1 invalid\.\n.*\n {4}line 2, a: nonsense\nThe rejected row is in .*rejects\.csv\. Fix it once the resumed run has finished\.\n$/,
    );
    expect(ran.stdout).not.toContain('Fix the rejected rows');
    expect(allOutput(ran).match(/API Key not found/g)).toHaveLength(1);
    expect(allOutput(ran).match(/svc runs resume/g)).toHaveLength(1);
  });

  it('says once what happened, then the command to resume, after --max-errors stopped it', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 1_200 }, (_unused, n) => `q${n},nonsense`).join('\n');
    write(rig, 'users.csv', `subscriberId,email\n${rows}\n`);
    const line = ['subscribers', 'bulk-import', 'users.csv', '--max-errors', '5'];
    const { stdout } = await rig.svc(line, { tty: true, columns: 300 });
    expect(stdout).toMatch(
      /^Stopped early \(500 rows failed, more than --max-errors allows\) after line 501: imported 0 of 500 rows at /,
    );
    expect(stdout).toMatch(
      /^The 500 rejected rows are in .*rejects\.csv\. Fix them once the resumed run has finished\.\nResume: svc runs resume [\w-]+\n$/m,
    );
    expect(stdout.match(/svc runs resume/g)).toHaveLength(1);
  });
});

describe('a file with a broken end', () => {
  const broken = 'subscriberId,firstName\na,x\nb,"y\nc,z\n';

  it('is reported once, with its line, and can be imported again after it is fixed', async () => {
    const rig = await openRig();
    write(rig, 'users.csv', broken);
    const ran = await rig.svc(['subscribers', 'bulk-import', 'users.csv'], {
      tty: true,
      columns: 300,
    });
    expect(ran.code).toBe(3);
    expect(ran.stdout).toMatch(/^Stopped early after line 3: imported 1 of 1 row at /);
    expect(ran.stderr).toContain('the quote that opens on line 3 is not closed.');
    expect(ran.stderr).toContain('Fix the input and import it again.');
    expect(allOutput(ran).match(/not closed\.\n/g)).toHaveLength(1);
    expect(allOutput(ran)).not.toContain('runs resume');
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', 'users.csv', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ stopped: { line: 3 } });
  });

  it('of events is continued after the finished rows with --skip', async () => {
    const rig = await openRig();
    const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--yes', '--skip', '1'];
    const stdin = 'subscriberId\nu1\nu2\nu3\n"u4\n';
    const { stderr } = await rig.svc(line, { tty: true, columns: 300, stdin });
    expect(stderr).toContain(
      'run the command again with --skip 3, because these rows are finished.',
    );
  });

  it('of a list can be sent again', async () => {
    const rig = await openRig();
    const line = ['topics', 'subscribe', 'announcements', '--file', '-', '--format', 'csv'];
    const { stderr } = await rig.svc(line, {
      tty: true,
      columns: 300,
      stdin: 'subscriberId\nu1\n"u2\n',
    });
    expect(stderr).toContain('Fix the input and run the command again.');
  });
});
