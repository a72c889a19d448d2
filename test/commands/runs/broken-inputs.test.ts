// Invalid inputs, with the whole program.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { filterWrites } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';

const importLine = ['subscribers', 'bulk-import', '-'];
const triggerLine = ['events', 'trigger', 'welcome', '--recipients', '-', '--yes'];
const json = ['--format', 'ndjson'];

describe('numbers that a double cannot represent', () => {
  it.each<[string, string[], string]>([
    ['an import', importLine, '{"subscriberId":"x","data":{"n":9007199254740993}}'],
    ['events', triggerLine, '{"subscriberId":"x","payload":{"n":9007199254740993}}'],
  ])('are sent unchanged by %s', async (_name, line, stdin) => {
    const rig = await openRig();
    const { code, requests } = await rig.svc([...line, ...json], { stdin });
    expect({ code, writes: filterWrites(requests).length }).toEqual({ code: 0, writes: 1 });
  });
});

describe('ids that cannot be part of a URL', () => {
  it('are rejected, and the others are cancelled', async () => {
    const rig = await openRig();
    const line = ['events', 'cancel', '-', '--yes', '--json'];
    await rig.svc(['events', 'trigger', 'trial-ending', '--to', 'u1', '--transaction-id', 'x']);
    const { stdout } = await rig.svc(line, { stdin: '..\nx\n' });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, cancelled: 1, invalid: 1 });
  });
});

describe('wrong columns', () => {
  it.each<[string, string, string[], string[]]>([
    [
      'columns of an export, with proposed fields',
      'User ID,Mail,frist_name,Pet\na,b,c,d\n',
      [],
      [
        'has no column for subscriberId. Proposed fields:',
        '  User ID: subscriberId (a)\n  Mail: email (b)\n  frist_name: custom data (c)\n',
        'Accept them with --yes, or change them with --map <field>=<column>',
      ],
    ],
    ['only an id column', 'id\na\n', [], ['  id: subscriberId (a)\n']],
    [
      'the id among custom data',
      'email,member_id\na,b\n',
      ['--data-rest'],
      ['  member_id: subscriberId (b)\n'],
    ],
    [
      'only an e-mail address, which can be the id',
      'email\na@example.com\n',
      [],
      ['  email: subscriberId, email (a@example.com)\n'],
    ],
    ['no id column', 'lastName\nLovelace\n', [], ['--map subscriberId=<column>']],
    ['another delimiter', 'subscriberId|email\na|b\n', [], ["--delimiter '|'."]],
    ['a wrong delimiter', 'subscriberId,email\na,b\n', ['--delimiter', ';'], ["--delimiter ','."]],
    [
      'a wrong delimiter for tabs',
      'subscriberId\temail\na\tb\n',
      ['--delimiter', ';'],
      ['--delimiter tab.'],
    ],
    [
      'a wrong delimiter with --data-rest',
      'id|email\na|b\n',
      ['--data-rest'],
      ["--delimiter '|'."],
    ],
    [
      'a file without a header',
      '17,ada@example.com\n',
      [],
      [
        'The first line looks like a row of data. No header line? Use --columns subscriberId,email.',
      ],
    ],
    [
      'a list of ids without a header',
      'u3\nu2\n',
      [],
      ['If the first line is an id, add --columns subscriberId.'],
    ],
    [
      'a name that is long',
      `subscriberId,${'x'.repeat(60)}\na,b\n`,
      [],
      [`  ${'x'.repeat(40)}…: custom data (b)\n`],
    ],
    [
      'a --data-column that does not exist',
      'subscriberId,Plan\na,b\n',
      ['--data-column', 'Plna'],
      ['--data-column: standard input has no column `Plna`. Did you mean `Plan`?'],
    ],
    [
      'the second of two --data-column',
      'subscriberId,age,Plan\na,1,b\n',
      ['--data-column', 'age', '--data-column', 'Pet'],
      ['--data-column: standard input has no column `Pet`.'],
    ],
    [
      'a --map with field and column swapped',
      'subscriberId,Telefon\na,1\n',
      ['--map', 'Telefon=phone'],
      ['The field comes first: --map phone=Telefon.'],
    ],
    [
      'many of them',
      `subscriberId,${Array.from({ length: 62 }, (_unused, n) => `odd${n}`).join(',')}\n`,
      [],
      ['  odd49: custom data\n  …: 12 more columns\n'],
    ],
  ])('are reported: %s', async (_name, stdin, options, expected) => {
    const rig = await openRig();
    const { code, stderr, requests } = await rig.svc([...importLine, ...options], { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    for (const text of expected) expect(stderr).toContain(text);
  });
});

it.each([
  ['u1,ada@example.com\nu2,b@example.com\n', 'Use --columns subscriberId,email.'],
  ['subscriberId|email\nu1|ada@example.com\n', "Set the delimiter: --delimiter '|'."],
])('a proposal for columns is not made of data: %j', async (text, hint) => {
  const rig = await openRig();
  writeFileSync(path.join(rig.folder, 'users.csv'), text);
  for (const input of ['subscribers bulk-import', 'events trigger welcome --recipients']) {
    const { code, stderr, requests } = await rig.svc(`${input} users.csv --yes`.split(' '));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(hint);
  }
});

describe('input that is not text', () => {
  it.each<[string, Buffer, string]>([
    [
      'a workbook',
      Buffer.from('PK\x03\x04\x14\x00[Content_Types].xml\n'),
      'an Excel workbook or an archive; export it as CSV.',
    ],
    [
      'a tar',
      Buffer.from(`${'users.csv'.padEnd(257, '\0')}ustar\0`),
      'an archive; extract the file first.',
    ],
    ['a database', Buffer.from('SQLite format 3\0\x10\n'), 'a binary file; export it as CSV.'],
    [
      'a zipped tar',
      gzipSync(`${'users.csv'.padEnd(257, '\0')}ustar\0`),
      'an archive; extract the file first.',
    ],
  ])('is refused with one line: %s', async (_name, bytes, expected) => {
    const rig = await openRig();
    writeFileSync(path.join(rig.folder, 'users.xlsx'), bytes);
    const { code, stderr } = await rig.svc(['subscribers', 'bulk-import', 'users.xlsx']);
    expect(code).toBe(2);
    expect(stderr).toBe(`Error: ${path.join(rig.folder, 'users.xlsx')} looks like ${expected}\n`);
  });
});
