import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printedError } from '../../support/printed-error.ts';
import { openRig, parsed, writeInput } from '../../support/rig.ts';

async function importText(text: string | Buffer, ...options: string[]) {
  const rig = await openRig();
  const file = writeInput(rig, 'users.csv', text);
  const line = ['subscribers', 'bulk-import', file, '--json', ...options];
  const { code, stdout, stderr, requests } = await rig.svc(line);
  const body = requests[0]?.body as { subscribers?: object[] } | undefined;
  const summary = stdout === '' ? {} : parsed(stdout);
  const rejects =
    typeof summary.rejects === 'string' ? readFileSync(summary.rejects, 'utf8') : undefined;
  return { code, stderr, summary, rows: body?.subscribers, rejects };
}

describe('--encoding', () => {
  const euro = Buffer.from('subscriberId,lastName\nu1,M\xfcller \x80\n', 'latin1');

  it('reads windows-1252', async () => {
    const { rows } = await importText(euro, '--encoding', 'windows-1252');
    expect(rows).toEqual([{ subscriberId: 'u1', lastName: 'Müller €' }]);
  });

  it('reads latin1', async () => {
    const { rows } = await importText(euro, '--encoding', 'latin1');
    expect(rows).toEqual([{ subscriberId: 'u1', lastName: 'Müller \u0080' }]);
  });

  it.each(['utf16le', 'utf16be'])('reads UTF-16 without a byte order mark as %s', async (order) => {
    const bytes = Buffer.from('subscriberId,lastName\nu1,Müller\n', 'utf16le');
    if (order === 'utf16be') bytes.swap16();
    const withoutOption = await importText(bytes);
    expect(withoutOption.code).toBe(2);
    expect(withoutOption.stderr).toContain('--encoding utf-16');
    const { rows } = await importText(bytes, '--encoding', 'utf-16');
    expect(rows).toEqual([{ subscriberId: 'u1', lastName: 'Müller' }]);
  });

  it('is named with the row of a text that is not UTF-8', async () => {
    const { code, rejects, stderr } = await importText(euro, '--encoding', 'utf-8');
    expect(code).toBe(2);
    expect(rejects).toBe(
      '_line,_error,subscriberId,lastName\n2,"is not valid UTF-8, probably windows-1252: use --encoding windows-1252",u1,Müller \u0080\n',
    );
    expect(stderr).toContain('use --encoding windows-1252');
  });

  const names = 'subscriberId,firstName\nm1,Ada\nm2,J\xf6rg\nm3,Bob\n';

  it('is needed if the first rows are not UTF-8: no row is sent', async () => {
    const { code, stderr, rows, rejects } = await importText(Buffer.from(names, 'latin1'), '--yes');
    expect({ code, rows, rejects }).toEqual({ code: 2, rows: undefined, rejects: undefined });
    expect(printedError(stderr)).toMatchObject({
      message: expect.stringMatching(/users\.csv is not valid UTF-8, probably windows-1252\.$/),
      hint: 'Add --encoding windows-1252. With --encoding utf-8, rows that are not valid UTF-8 are rejected.',
    });
  });

  it('is not needed if a much later row is not UTF-8: the row is rejected', async () => {
    const rows = Array.from({ length: 20_000 }, (_unused, index) => `n${index},Ada\n`).join('');
    const text = `subscriberId,firstName\n${rows}m2,J\xf6rg\n`;
    const { code, rejects } = await importText(Buffer.from(text, 'latin1'));
    expect(code).toBe(3);
    expect(rejects).toContain('20002,');
  });

  it('is not repeated for the rejected rows, which are UTF-8', async () => {
    const rig = await openRig();
    const text = Buffer.from('subscriberId,firstName\nm1,Ada\n,J\xf6rg\n', 'latin1');
    const line = ['subscribers', 'bulk-import', writeInput(rig, 'users.csv', text)];
    const rejects = writeInput(rig, 'rejects.csv', '');
    const options = ['--encoding', 'windows-1252', '--rejects', rejects, '--force'];
    const { code, stdout } = await rig.svc([...line, ...options], { tty: true, columns: 500 });
    expect(code).toBe(3);
    expect(stdout).toMatch(/bulk-import \S+rejects\.csv/);
    expect(stdout).not.toContain('--encoding');
    const again = ['subscribers', 'bulk-import', rejects, '--encoding', 'windows-1252'];
    const refused = await rig.svc(again);
    expect(refused.stderr).toContain(
      'has rejected rows of svc in UTF-8, not in windows-1252.\nRemove --encoding.\n',
    );
    expect({ code: refused.code, requests: refused.requests }).toEqual({ code: 2, requests: [] });
  });

  it('is named with the header that is not UTF-8', async () => {
    const { code, stderr } = await importText(
      Buffer.from('subscriberId,Stra\xdfe\nu1,a\n', 'latin1'),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('the header on line 1 is not valid UTF-8, probably windows-1252');
  });

  it('does not guess an encoding for text with UTF-8 characters', async () => {
    const { rejects } = await importText(Buffer.from('subscriberId\n\xc3\xbc\xfc\n', 'latin1'));
    expect(rejects).toContain('2,is not valid UTF-8,');
  });
});

describe('the separator line of Excel', () => {
  it.each(['sep=;', '"sep=;"', 'SEP=;'])('%s sets the delimiter', async (line) => {
    const { rows, rejects } = await importText(
      `\ufeff${line}\r\nsubscriberId;lastName\r\nu1;a,b\r\n;c\r\n`,
    );
    expect(rows).toEqual([{ subscriberId: 'u1', lastName: 'a,b' }]);
    expect(rejects).toContain('\n4;subscriberId: is required;');
  });

  it('is not needed with --delimiter', async () => {
    const { rows } = await importText('sep=;\nsubscriberId|lastName\nu1|a\n', '--delimiter', '|');
    expect(rows).toEqual([{ subscriberId: 'u1', lastName: 'a' }]);
  });
});

describe('--columns', () => {
  it('names the columns of a file without a header line', async () => {
    const { rows, rejects } = await importText(
      'u1,a@example.com,pro\nu2,broken,\n',
      ...['--columns', 'id,email,data.plan'],
    );
    expect(rows).toEqual([{ subscriberId: 'u1', email: 'a@example.com', data: { plan: 'pro' } }]);
    expect(rejects).toBe(
      '_line,_error,subscriberId,email,data.plan\n2,email: not an e-mail address,u2,broken,\n',
    );
  });

  it.each<[string, string]>([
    ['u1,a@example.com\n', '--columns subscriberId,email.'],
    ['a@example.com,+491701234567,1001\n', '--columns email,phone,subscriberId.'],
    ['1001,,a@example.com\n', '--columns subscriberId,data.column2,email.'],
    ['1001,Ada,Ada\n', '--columns subscriberId,data.column2,data.column3.'],
  ])('is suggested for %j', async (text, expected) => {
    const { code, stderr } = await importText(text);
    expect(code).toBe(2);
    expect(stderr).toContain(`No header line? Use ${expected}`);
  });

  it('rejects rows with another number of cells', async () => {
    const { summary } = await importText('new1,a@example.com\nnew2\n', '--columns', 'id,email');
    expect(summary).toMatchObject({ rows: 2, created: 1, invalid: 1 });
  });

  it('does not apply to JSON', async () => {
    const { code, stderr } = await importText('{}', '--columns', 'id', '--format', 'ndjson');
    expect(code).toBe(2);
    expect(stderr).toContain('is not CSV and has no columns');
  });
});

describe('--phone-region', () => {
  const phones = (cells: string[]) =>
    `subscriberId,phone\n${cells.map((cell, index) => `u${index + 1},${cell}\n`).join('')}`;

  it('converts numbers to E.164 and rejects those that cannot be read', async () => {
    const { code, rows, rejects } = await importText(
      phones([
        '0170 1234567',
        '+43 664 5550101',
        '0049 30 123456',
        ' +491701234567 ',
        '',
        'none',
        '12',
      ]),
      ...['--phone-region', 'de'],
    );
    expect(code).toBe(3);
    expect(rows).toEqual([
      { subscriberId: 'u1', phone: '+491701234567' },
      { subscriberId: 'u2', phone: '+436645550101' },
      { subscriberId: 'u3', phone: '+4930123456' },
      { subscriberId: 'u4', phone: '+491701234567' },
      { subscriberId: 'u5' },
    ]);
    expect(rejects?.split('\n').slice(1)).toEqual([
      '7,phone: `none` is not a phone number,u6,none',
      '8,phone: `12` is not a valid phone number in DE,u7,12',
      '',
    ]);
  });

  it('converts numbers in JSON', async () => {
    const { rows } = await importText(
      '{"subscriberId":"u1","phone":"0170 1234567"}\n',
      ...['--phone-region', 'DE', '--format', 'ndjson'],
    );
    expect(rows).toEqual([{ subscriberId: 'u1', phone: '+491701234567' }]);
  });

  it('rejects an unknown country', async () => {
    const { code, stderr } = await importText(phones(['1']), '--phone-region', 'XX');
    expect(code).toBe(2);
    expect(stderr).toContain('not a country code such as DE or US');
  });
});

describe('columns of a listed subscriber', () => {
  it('are ignored, and data can be one JSON object', async () => {
    const { code, rows } = await importText(
      [
        '_id,subscriberId,data,createdAt,isOnline,channels,topics,deleted',
        '68a,u1,"{""plan"":""pro"",""id"":12345678901234567890}",2026-01-01T00:00:00Z,true,[],[],false',
        '68b,u2,,2026-01-01T00:00:00Z,,,,',
        '68c,u3,[],2026-01-01T00:00:00Z,,,,',
      ].join('\n'),
    );
    expect(code).toBe(3);
    expect(JSON.stringify(rows)).toBe(
      '[{"subscriberId":"u1","data":{"plan":"pro","id":12345678901234567000}},{"subscriberId":"u2"}]',
    );
  });

  it('have spaces around ids, addresses and phone numbers removed', async () => {
    const { rows } = await importText('subscriberId,email,phone\n u1 , a@example.com ,\t+4917 \n');
    expect(rows).toEqual([{ subscriberId: 'u1', email: 'a@example.com', phone: '+4917' }]);
  });
});
