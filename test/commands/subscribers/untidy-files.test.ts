// Files as other programs export them: with another encoding, repeated columns, empty rows and local phone numbers.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

async function openFile(text: string | Buffer) {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', text);
  const run = async (...options: string[]) => {
    const ran = await rig.svc(['subscribers', 'bulk-import', file, ...options]);
    return { ...ran, stderr: ran.stderr.replaceAll(file, 'users.csv'), rows: sentRows(ran) };
  };
  return { rig, file, run };
}

const sentRows = ({ requests }: Awaited<ReturnType<Rig['svc']>>) =>
  requests.flatMap(({ body }) => (body as { subscribers: object[] }).subscribers);

describe('a file in windows-1252 whose columns need a confirmation', () => {
  const text = Buffer.from('Email Address,City\na@example.com,K\xf6ln \x80\n', 'latin1');

  it('is named with its encoding, and its samples are read in it', async () => {
    const { run } = await openFile(text);
    const { code, stdout, stderr } = await run();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `Error: users.csv is not valid UTF-8, probably windows-1252. It has no column for subscriberId. Proposed fields:
  Email Address: subscriberId, email (a@example.com)
  City: custom data (Köln €)
Add --encoding windows-1252. Accept the fields with --yes, or change them with --map <field>=<column>, --data-column <column> or --ignore-column <column>. --save-map mapping.yaml saves them for --map-file.
`,
    );
  });

  it('is named with its encoding with --json, too', async () => {
    const { run } = await openFile(text);
    const { message, hint, details } = printedError((await run('--json')).stderr);
    expect(message).toContain('is not valid UTF-8, probably windows-1252.');
    expect(hint).toContain('Add --encoding windows-1252.');
    expect(details).toContainEqual({ field: 'City', message: 'custom data (Köln €)' });
  });

  it('is refused if the columns are confirmed', async () => {
    const { run } = await openFile(text);
    const { code, stderr, rows } = await run('--yes', '--json');
    expect({ code, rows }).toEqual({ code: 2, rows: [] });
    expect(printedError(stderr.slice(stderr.indexOf('{'))).message).toBe(
      'users.csv is not valid UTF-8, probably windows-1252.',
    );
  });

  it('is imported with the encoding', async () => {
    const { run } = await openFile(text);
    const { code, rows, stderr } = await run('--yes', '--json', '--encoding', 'windows-1252');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(rows).toMatchObject([{ subscriberId: 'a@example.com', data: { City: 'Köln €' } }]);
  });
});

describe('columns with the same name', () => {
  it('are one column if their values are equal', async () => {
    const { run } = await openFile('id,note,note\nu1,a,a\nu2,"b", b\nu3,,\n');
    const { code, rows } = await run('--map', 'subscriberId=id', '--data-column', 'note');
    expect(code).toBe(0);
    expect(rows).toEqual([
      { subscriberId: 'u1', data: { note: 'a' } },
      { subscriberId: 'u2', data: { note: 'b' } },
      { subscriberId: 'u3' },
    ]);
  });

  const different = 'subscriberId,my note,my note\nu1,a,a\nu2,b,c\n';

  it('are refused if their values differ', async () => {
    const { run } = await openFile(different);
    const { code, stderr, rows } = await run('--data-rest');
    expect({ code, rows }).toEqual({ code: 2, rows: [] });
    expect(stderr).toBe(
      "Error: users.csv has two columns named `my note`, with different values on line 3.\nRename or remove one of them, or send neither of them with --ignore-column 'my note'.\n",
    );
  });

  it('are not sent with --ignore-column', async () => {
    const { run } = await openFile(different);
    const { code, rows } = await run('--ignore-column', 'my note');
    expect(code).toBe(0);
    expect(rows).toEqual([{ subscriberId: 'u1' }, { subscriberId: 'u2' }]);
  });

  it('are not sent if the mapping file ignores them', async () => {
    const { run, rig } = await openFile(different);
    const mapping = writeInput(rig, 'mapping.yaml', 'my note: null\n');
    expect(await run('--map-file', mapping)).toMatchObject({ code: 0 });
  });

  it('reject a later row in which their values differ', async () => {
    const rows = Array.from({ length: 1200 }, (_one, index) => `n${index},a,a`);
    const { run } = await openFile(`id,note,note\n${rows.join('\n')}\nlast,a,b\n`);
    const { code, stdout } = await run('--data-rest', '--map', 'subscriberId=id', '--json');
    expect(code).toBe(3);
    const { invalid, created, rejects } = parsed(stdout) as Record<string, unknown>;
    expect({ invalid, created }).toEqual({ invalid: 1, created: 1200 });
    expect(readFileSync(String(rejects), 'utf8')).toMatch(
      /\n1202,has two values for `note`,last,a,b\n/,
    );
  });

  it('are imported from the rejects file', async () => {
    const { run, rig, file } = await openFile('Contact ID,Note,Note\nc1,a,b\n,c,d\n');
    const { code, stdout, stderr } = await run('--yes', '--ignore-column', 'Note');
    expect(code).toBe(3);
    const [, line = ''] = /run: svc (.+)$/m.exec(stderr) ?? [];
    const rejects = /rejects\t(.+)/.exec(stdout)?.[1] ?? '';
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('required,,', 'required,c2,'));
    expect(sentRows(await rig.svc(line.split(' ')))).toEqual([{ subscriberId: 'c2' }]);
    expect(file).toContain('users.csv');
  });

  it('matter in a list of ids only if they contain the ids', async () => {
    const { rig } = await openFile('');
    const list = writeInput(rig, 'ids.csv', 'subscriberId,note,note\nu1,a,b\n');
    const subscribe = ['topics', 'subscribe', 'announcements', '--file', list, '--yes'];
    expect(await rig.svc(subscribe)).toMatchObject({ code: 0 });
    writeFileSync(list, 'subscriberId,subscriberId\nu1,u2\n');
    const { code, stderr } = await rig.svc(subscribe);
    expect(code).toBe(2);
    expect(stderr).toContain('with different values on line 2.\nRename or remove one of them.\n');
  });
});

describe('rows of empty cells', () => {
  const text = ',,\nsubscriberId,email,phone\nu1,a@example.com,\n,,\n" ","",\nu2,,\n,\n,,\n';

  it('are skipped and counted', async () => {
    const { run } = await openFile(text);
    const { code, stdout, rows } = await run('--json');
    expect(code).toBe(0);
    expect(rows.length).toBe(2);
    expect(parsed(stdout)).toMatchObject({
      ...{ rows: 6, updated: 2, invalid: 0, skipped: 4, emptyRows: 4, rejects: null },
    });
  });

  it('are reported on a terminal', async () => {
    const { rig, file } = await openFile(text);
    const { stdout } = await rig.svc(['subscribers', 'bulk-import', file], { tty: true });
    expect(stdout).toContain('Imported 2 of 6 rows');
    expect(stdout).toContain('\nSkipped 4 empty rows.\n');
  });

  it('do not change the exit code of a file whose other rows are all invalid', async () => {
    const { run } = await openFile('subscriberId,email\nu1,no address\n,\n');
    expect(await run('--json')).toMatchObject({ code: 2 });
  });

  it('are not rows for --fail-on-empty', async () => {
    const { run } = await openFile('subscriberId,email\n,\n,\n');
    expect(await run()).toMatchObject({ code: 0 });
    const { code, stderr } = await run('--fail-on-empty');
    expect(code).toBe(2);
    expect(stderr).toContain('users.csv has only empty rows.');
  });

  it('are counted once by a run that is resumed', async () => {
    const { run, rig } = await openFile(text);
    rig.answer({ status: 401, body: { message: 'no' } });
    expect(await run('--json')).toMatchObject({ code: 4 });
    const { code, stdout } = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject({ rows: 6, updated: 2, skipped: 4, emptyRows: 4 });
  });

  it('are one line each with -o ndjson', async () => {
    const { run } = await openFile('subscriberId,email\n,\nu1,\n');
    const { stdout } = await run('-o', 'ndjson');
    const results = stdout
      .trim()
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line).result);
    expect(results).toEqual(['skipped', 'updated']);
  });
});

describe('phone numbers without a country code', () => {
  const text =
    'subscriberId,phone\nu1,0170 1234567\nu2,+491701234567\nu3,\nu4,"0171 1234567"\nu5,0049 170 1234567\nu6, 0172 1234567\n';
  const hint =
    'Phone numbers without a country code: 3. To convert them to E.164, add --phone-region with their country, such as --phone-region DE.\n';

  it('are counted in one line', async () => {
    const { run } = await openFile(text);
    const { code, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: hint });
  });

  it('are counted when rows are only checked', async () => {
    const { run } = await openFile(text);
    const { stderr } = await run('--validate-only');
    expect(stderr).toBe(hint);
  });

  it('need no hint with --phone-region', async () => {
    const { run } = await openFile(text);
    const { code, stderr } = await run('--phone-region', 'DE');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('are counted for events that update subscribers', async () => {
    const { rig, file } = await openFile(text);
    const line = ['events', 'trigger', 'welcome', '--recipients', file, '--yes'];
    expect((await rig.svc([...line, '--update-subscribers'])).stderr).toBe(hint);
    expect((await rig.svc([...line, '--ignore-column', 'phone'])).stderr).toBe('');
  });
});
