import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { openRig, type Rig, type RunOptions, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const header = 'Contact ID,Mobile Phone,Account Name,Fax Number';
const rows = ['c1,+491701234567,Acme,', 'c2,,Bright,+4930111222', 'c3,,,', 'c4,,Crux,'];
const text = `${[header, ...rows].join('\n')}\n`;

const importLine = (file: string, ...options: string[]) =>
  words`subscribers bulk-import ${file} ${options}`;

async function openExport(): Promise<{ rig: Rig; file: string }> {
  const rig = await openRig();
  return { rig, file: writeInput(rig, 'contacts.csv', text) };
}

const sentRows = async (rig: Rig, line: string[], options?: RunOptions) => {
  const { code, requests, stderr } = await rig.svc(line, options);
  const body = requests[0]?.body as { subscribers?: object[] } | undefined;
  return { code, stderr, rows: body?.subscribers };
};

const firstRow = { subscriberId: 'c1', phone: '+491701234567', data: { 'Account Name': 'Acme' } };

describe('proposed fields for columns', () => {
  it('are custom data for unknown columns beside an id', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'users.csv', 'subscriberId,plan,seats\na,free,3\n');
    const refused = await rig.svc(importLine(file));
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
    expect(refused.stderr).toContain('plan: custom data (free)');
    expect(refused.stderr).toContain('seats: custom data (3)');
    expect(refused.stderr).toContain('with --yes');
    expect((await sentRows(rig, importLine(file, '--yes'))).rows).toEqual([
      { subscriberId: 'a', data: { plan: 'free', seats: '3' } },
    ]);
  });

  it('name a column of national phone numbers, for --phone-region', async () => {
    const rig = await openRig();
    const numbers = (cell: string) => `Contact ID,Mobile Phone\nc1,${cell}\nc2,\n`;
    const national = writeInput(rig, 'national.csv', numbers('0151 1000037'));
    const hint = 'Mobile Phone looks national: add --phone-region with its country';
    expect((await rig.svc(importLine(national))).stderr).toContain(hint);
    const international = writeInput(rig, 'all.csv', numbers('+49 151 1000037'));
    expect((await rig.svc(importLine(international))).stderr).not.toContain('looks national');
  });

  it('are shown with three sample rows on a terminal', async () => {
    const { rig, file } = await openExport();
    const { stderr, code } = await rig.svc(importLine(file, '--yes'), { tty: true, columns: 120 });
    expect(code).toBe(0);
    expect(stderr.replace(file, 'contacts.csv').replaceAll('\r\x1b[K', '')).toMatchInlineSnapshot(`
      "Proposed fields for columns of contacts.csv:

      COLUMN        FIELD                                                                   ROW 1          ROW 2        ROW 3
      Contact ID    subscriberId                                                            c1             c2           c3
      Mobile Phone  phone                                                                   +491701234567
      Account Name  custom data                                                             Acme           Bright
      Fax Number    not sent: looks like a phone number; phone is filled from Mobile Phone                 +4930111222

      "
    `);
  });

  it('are shown between the columns that were matched by name, without empty sample rows', async () => {
    const rig = await openRig();
    const file = writeInput(
      rig,
      'contacts.csv',
      'Subscriber ID,First Name,Mobile Phone,Account Name\nc1,Ada,,Acme\n',
    );
    const line = importLine(file, '--yes', '--color', 'always');
    const { stderr } = await rig.svc(line, { tty: true, columns: 80 });
    const shown = stderr.replace(file, 'contacts.csv').replaceAll('\r\x1b[K', '');
    expect(shown.replace(/\x1b\[\d+m/g, '').replace(/ +$/gm, '')).toMatchInlineSnapshot(`
      "Proposed fields for columns of contacts.csv:

      COLUMN         FIELD         ROW 1
      Subscriber ID  subscriberId  c1
      First Name     firstName     Ada
      Mobile Phone   phone
      Account Name   custom data   Acme

      "
    `);
    expect(shown).toContain('\x1b[2mSubscriber ID');
    expect(shown).toContain('\x1b[1mMobile Phone');
  });

  it.each([40, 80, 120])('fit into a terminal with %i columns', async (columns) => {
    const { rig, file } = await openExport();
    const { stderr } = await rig.svc(importLine(file, '--yes'), { tty: true, columns });
    const table = stderr.slice(stderr.indexOf('\n') + 1);
    expect(table).toContain('subscriberId');
    expect(Math.max(...table.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
  });

  it('are printed in a pipe and name the columns that are not sent', async () => {
    const { rig, file } = await openExport();
    const { stderr, rows: sent } = await sentRows(rig, importLine(file, '--yes'));
    expect(stderr).toContain('Contact ID → subscriberId (c1, c2, c3)\n');
    expect(stderr).toContain(
      'Fax Number → not sent: looks like a phone number; phone is filled from Mobile Phone (+4930111222)\n',
    );
    expect(sent?.[0]).toEqual(firstRow);
  });

  it('are in the JSON error if they are not confirmed', async () => {
    const { rig, file } = await openExport();
    const { code, stdout, stderr } = await rig.svc(importLine(file, '--json'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const error = printedError(stderr);
    expect(error.details[0]).toEqual({ field: 'Contact ID', message: 'subscriberId (c1, c2, c3)' });
  });

  it('never make custom data of a column that looks like an address or a phone number', async () => {
    const rig = await openRig();
    const file = writeInput(
      rig,
      'contacts.csv',
      'Contact ID,Email,Reach me,Second contact\nc1,a@example.com,a@example.org,+49 170 1234567\n',
    );
    const { rows: sent, stderr } = await sentRows(rig, importLine(file, '--yes'));
    expect(sent).toEqual([
      { subscriberId: 'c1', email: 'a@example.com', phone: '+49 170 1234567' },
    ]);
    expect(stderr).toContain('Reach me → not sent: looks like an e-mail address');
  });

  it('do not apply to columns that options assign', async () => {
    const { rig, file } = await openExport();
    const line = importLine(
      file,
      '--yes',
      '--map',
      'phone=Fax Number',
      '--data-column',
      'Contact ID',
    );
    const { rows: sent } = await sentRows(rig, [...line, '--map', 'subscriberId=Contact ID']);
    expect(sent?.[1]).toEqual({
      subscriberId: 'c2',
      phone: '+4930111222',
      data: { 'Contact ID': 'c2', 'Account Name': 'Bright' },
    });
  });

  it('are resumed without another confirmation', async () => {
    const { rig, file } = await openExport();
    rig.answer({ status: 401, body: { message: 'no' } });
    const stopped = await rig.svc(importLine(file, '--yes', '--json'));
    expect(stopped.code).toBe(4);
    const { requests, code } = await rig.svc(['runs', 'resume', 'last']);
    expect(code).toBe(0);
    expect(requests[0]?.body).toMatchObject({ subscribers: [firstRow, {}, {}, {}] });
  });

  it('apply to the rejects file', async () => {
    const { rig, file } = await openExport();
    writeFileSync(file, `${text},,no id,\n`);
    const { stderr, stdout, code } = await rig.svc(importLine(file, '--yes'));
    expect(code).toBe(3);
    const [, line = ''] = /run: svc (.+)$/m.exec(stderr) ?? [];
    const rejects = /rejects\t(.+)/.exec(stdout)?.[1] ?? '';
    writeFileSync(
      rejects,
      readFileSync(rejects, 'utf8').replace('required,,,no id,', 'required,c5,,,'),
    );
    const retried = await rig.svc(line.split(' '));
    expect(retried.requests[0]?.body).toEqual({ subscribers: [{ subscriberId: 'c5' }] });
  });
});

describe('--save-map and --map-file', () => {
  it('save the proposal and import with it', async () => {
    const { rig, file } = await openExport();
    const saved = path.join(rig.folder, 'mapping.yaml');
    expect((await rig.svc(importLine(file, '--save-map', saved))).code).toBe(2);
    expect(readFileSync(saved, 'utf8')).toMatchInlineSnapshot(`
      "# Columns of the input and the fields of the subscriber that they fill.
      # data.<name> is custom data; null is not sent; a list fills several fields.
      Contact ID: subscriberId
      Mobile Phone: phone
      Account Name: data.Account Name
      Fax Number: null
      "
    `);
    const { code, rows: sent } = await sentRows(rig, importLine(file, '--map-file', saved));
    expect({ code, first: sent?.[0] }).toEqual({ code: 0, first: firstRow });
  });

  it('do not replace a file', async () => {
    const { rig, file } = await openExport();
    const saved = writeInput(rig, 'mapping.yaml', 'Contact ID: subscriberId\n');
    const { code, stderr } = await rig.svc(importLine(file, '--yes', '--save-map', saved));
    expect(code).toBe(2);
    expect(stderr).toContain('already exists');
    expect(readFileSync(saved, 'utf8')).toBe('Contact ID: subscriberId\n');
  });

  it.each<[string, string, string]>([
    ['a list', '- a\n', 'is not a YAML map of columns'],
    ['a number', 'Contact ID: 7\n', 'the field of `Contact ID` is not text'],
    ['an unknown field', 'Contact ID: subscriber\n', 'unknown field `subscriber`'],
    ['an unknown column', 'Contact: subscriberId\n', 'has no column `Contact`'],
    ['broken YAML', '"a: [\n', 'is not valid YAML: 2:1:'],
  ])('reject %s', async (_name, yaml, expected) => {
    const { rig, file } = await openExport();
    const saved = writeInput(rig, 'mapping.yaml', yaml);
    const { code, stderr, requests } = await rig.svc(importLine(file, '--map-file', saved));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(expected);
  });

  it('fill several fields from one column and leave out others', async () => {
    const { rig, file } = await openExport();
    const yaml =
      'Contact ID: [subscriberId, data.crm]\nMobile Phone: phone\nAccount Name: null\nFax Number: null\n';
    const saved = writeInput(rig, 'mapping.yaml', yaml);
    const { rows: sent } = await sentRows(rig, importLine(file, '--map-file', saved));
    expect(sent?.[0]).toEqual({ subscriberId: 'c1', phone: '+491701234567', data: { crm: 'c1' } });
  });

  it('warns about addresses and phone numbers that --data-rest sends as custom data', async () => {
    const rig = await openRig();
    const file = writeInput(
      rig,
      'rest.csv',
      'subscriberId,mail2,plan\nx1,ada@example.com,pro\nx2,b@example.com,free\n',
    );
    const warning =
      'Warning: --data-rest sends the column `mail2`, which seems to contain e-mail addresses, as custom data. To change this, use --map or --ignore-column.\n';
    const { stderr } = await rig.svc(importLine(file, '--data-rest'));
    expect(stderr).toContain(warning);
    const named = await rig.svc(importLine(file, '--data-column', 'mail2,plan'));
    expect(named.stderr).not.toContain('mail2');
    const ignored = await rig.svc(importLine(file, '--data-rest', '--ignore-column', 'mail2'));
    expect(ignored.stderr).not.toContain('mail2');
  });
});
