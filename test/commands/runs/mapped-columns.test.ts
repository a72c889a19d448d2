// --map, --map-file and --encoding, for every command that reads rows from a file.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

type Ran = Awaited<ReturnType<Rig['svc']>>;
const writesOf = ({ requests }: Ran) => requests.filter(({ line }) => !line.startsWith('GET '));
const messageId = 'a'.repeat(24);
const copied = ['--from-workflow', 'welcome', '--to-workflow', 'comment-digest'];

/** A command, its field of the id, an id, and more columns and cells. */
const commands: [
  name: string,
  line: (file: string) => string[],
  field: string,
  id: string,
  more: [columns: string, cells: string],
][] = [
  [
    'topics sync',
    (file) => ['topics', 'sync', 'announcements', file, '--max-delete', '100%'],
    'subscriberId',
    'u6',
    ['', ''],
  ],
  [
    'topics subscribe',
    (file) => ['topics', 'subscribe', 'announcements', '--file', file],
    'subscriberId',
    'u6',
    ['', ''],
  ],
  [
    'topics unsubscribe',
    (file) => ['topics', 'unsubscribe', 'announcements', '--file', file],
    'subscriberId',
    'u1',
    ['', ''],
  ],
  [
    'subscribers erase',
    (file) => ['subscribers', 'erase', '--file', file],
    'subscriberId',
    'u1',
    ['', ''],
  ],
  [
    'subscribers delete',
    (file) => ['subscribers', 'delete', '--file', file],
    'subscriberId',
    'u1',
    ['', ''],
  ],
  [
    'subscribers bulk-import',
    (file) => ['subscribers', 'bulk-import', file],
    'subscriberId',
    'u1',
    ['', ''],
  ],
  [
    'preferences import',
    (file) => ['subscribers', 'preferences', 'import', file],
    'subscriberId',
    'u1',
    [';workflow;email', ';;off'],
  ],
  [
    'preferences copy',
    (file) => ['subscribers', 'preferences', 'copy', '--file', file, ...copied],
    'subscriberId',
    'u1',
    ['', ''],
  ],
  [
    'credentials import',
    (file) => ['subscribers', 'credentials', 'import', file],
    'subscriberId',
    'u1',
    [';provider;deviceTokens', ';fcm;token'],
  ],
  [
    'events trigger --recipients',
    (file) => ['events', 'trigger', 'welcome', '--recipients', file],
    'subscriberId',
    'u1',
    ['', ''],
  ],
];

describe.each(commands)('svc %s', (_name, line, field, id, [columns, cells]) => {
  const column = 'Kundennr. f\xfcr';
  const csv = (end = '') =>
    Buffer.from(`${column}${columns}${end}\n${id}${cells}${end}\n`, 'latin1');
  const encoding = ['--encoding', 'windows-1252', '--format', 'csv', '--delimiter', ';'];
  const run = (rig: Rig, file: string, ...options: string[]) =>
    rig.svc([...line(file), '--yes', '--json', ...encoding, ...options]);
  const usual = async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'rows.csv', `${field}${columns}\n${id}${cells}\n`);
    return (await rig.svc([...line(file), '--yes', '--json'])).requests;
  };
  const withoutIds = (requests: Ran['requests']) =>
    requests.map(({ line: sent, body }) => ({
      line: sent,
      body: JSON.stringify(body)?.replace(/txn_\w+/g, 'txn'),
    }));

  it('reads the id from the column of --map or --map-file, in the encoding of the file', async () => {
    const expected = withoutIds(await usual());
    expect(expected).not.toEqual([]);
    for (const option of ['map', 'mapFile']) {
      const rig = await openRig();
      const file = writeInput(rig, 'rows.csv', csv());
      const mapFile = writeInput(rig, 'mapping.yaml', `Kundennr. für: ${field}\n`);
      const given =
        option === 'map' ? ['--map', `${field}=Kundennr. für`] : ['--map-file', mapFile];
      const ran = await run(rig, file, ...given);
      expect([option, ran.code, withoutIds(ran.requests)]).toEqual([option, 0, expected]);
    }
  });

  it('ignores a column without a name if it is empty', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'rows.csv', csv(';'));
    const ran = await run(rig, file, '--map', `${field}=Kundennr. für`);
    expect(ran.code).toBe(0);
    expect(withoutIds(ran.requests)).toEqual(withoutIds(await usual()));
  });

  it('refuses a column that the file does not have, and an unknown field', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'rows.csv', csv());
    for (const [entry, text] of [
      [`${field}=Nummer`, 'has no column `Nummer`'],
      ['nothing=Kundennr. für', 'unknown field `nothing`'],
    ]) {
      const ran = await run(rig, file, '--map', entry ?? '');
      expect({ code: ran.code, writes: writesOf(ran) }).toEqual({ code: 2, writes: [] });
      expect(ran.stderr).toContain(text);
    }
  });

  it('refuses --map and --map-file for a file without columns', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'rows.ndjson', `${JSON.stringify({ [field]: id })}\n`);
    const mapFile = writeInput(rig, 'mapping.yaml', `Id: ${field}\n`);
    for (const given of [
      ['--map', `${field}=Id`],
      ['--map-file', mapFile],
    ]) {
      const ran = await rig.svc([...line(file), '--yes', ...given]);
      expect({ code: ran.code, writes: writesOf(ran) }).toEqual({ code: 2, writes: [] });
      expect(ran.stderr).toContain('is JSON and has no columns');
    }
  });
});

describe('a mapping', () => {
  it.each([
    ['inbox mark', ['inbox', 'mark', 'u1', 'read', '-'], 'messageId', messageId],
    ['events cancel', ['events', 'cancel', '-'], 'transactionId', 'txn_1'],
  ])('is read by svc %s from standard input', async (_name, line, field, id) => {
    const rig = await openRig();
    const ran = await rig.svc([...line, '--format', 'csv', '--yes', '--map', `${field}=Id, here`], {
      stdin: `"Id, here",other\n${id},x\n`,
    });
    // The service does not have the id.
    expect(ran.code).toBe(6);
    expect(writesOf(ran).map(({ line: sent, body }) => `${sent} ${JSON.stringify(body)}`)).toEqual(
      expect.arrayContaining([expect.stringContaining(id)]),
    );
  });

  it('is refused for a plain list of ids', async () => {
    const rig = await openRig();
    const { code, stderr } = await rig.svc(
      ['subscribers', 'erase', '-', '--yes', '--map', 'subscriberId=Id'],
      { stdin: 'Id\nu1\n' },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('standard input is a plain list of ids and has no columns.');
    expect(stderr).toContain('add --format csv');
  });

  it('is refused for a file of events', async () => {
    const rig = await openRig();
    const stdin = `${JSON.stringify({ name: 'welcome', to: 'u1' })}\n`;
    const line = ['events', 'trigger', '--file', '-', '--yes', '--map', 'to=Id'];
    const { code, stderr, requests } = await rig.svc(line, { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('standard input is JSON and has no columns');
  });

  it('names both columns of subscriptions to several topics', async () => {
    const rig = await openRig();
    const file = writeInput(rig, 'rows.csv', 'Kunde,Thema\nu6,announcements\n');
    const { code, requests } = await rig.svc(
      words`topics subscribe --file ${file} --yes --map subscriberId=Kunde --map topicKey=Thema`,
    );
    expect(code).toBe(0);
    expect(requests.at(-1)).toMatchObject({
      line: 'POST /v2/topics/announcements/subscriptions',
      body: { subscriberIds: ['u6'] },
    });
  });

  it('can be shared with an import: a file with other fields and ignored columns', async () => {
    const rig = await openRig();
    const file = writeInput(
      rig,
      'rows.csv',
      'Kunde,Mail,Ort,Notiz,provider,Token\nu1,a@example.com,Köln,x,fcm,t1\n',
    );
    const mapFile = writeInput(
      rig,
      'mapping.yaml',
      'Kunde: subscriberId\nMail: email\nOrt: data.city\nNotiz: null\nToken: deviceTokens\n',
    );
    const { code, requests } = await rig.svc([
      ...['subscribers', 'credentials', 'import', file, '--map-file', mapFile],
    ]);
    expect(code).toBe(0);
    expect(requests.at(-1)?.body).toEqual({
      providerId: 'fcm',
      credentials: { deviceTokens: ['t1'] },
    });
  });

  it('is kept for a resumed run and for the rejected rows', async () => {
    const rig = await openRig();
    const ids = Array.from({ length: 150 }, (_unused, index) => `p${index}`);
    await rig.svc(['subscribers', 'bulk-import', '-', '--format', 'lines'], {
      stdin: ids.join('\n'),
    });
    const file = writeInput(
      rig,
      'rows.csv',
      `Kunde,subscriberId\n${ids.map((id) => `${id},x\n`).join('')}bad\u200b,x\n`,
    );
    const mapFile = writeInput(rig, 'mapping.yaml', 'Kunde: subscriberId\n');
    const line = ['topics', 'subscribe', 'announcements', '--file', file, '--map-file', mapFile];
    rig.pass(2);
    rig.answer({ status: 403, body: { message: 'Forbidden' } });
    expect((await rig.svc([...line, '--concurrency', '1', '--yes'])).code).toBe(4);
    const { stdout, stderr } = await rig.svc(['runs', 'resume', 'last', '--json']);
    const summary = parsed(stdout) as { rejects: string };
    expect(summary).toMatchObject({ rows: 151, subscribed: 150, invalid: 1 });
    expect(existsSync(summary.rejects)).toBe(true);
    expect(readFileSync(summary.rejects, 'utf8')).toMatch(/^_line,_error,Kunde,subscriberId\n/);
    expect(stderr).toContain('--map subscriberId=Kunde');
  });
});

describe('a column without a name', () => {
  const importCsv = async (stdin: string, ...options: string[]) => {
    const { svc } = await openRig();
    const line = ['subscribers', 'bulk-import', '-', ...options];
    return svc(line, { stdin });
  };

  it.each([
    ['at the end', 'subscriberId;firstName;\nu1;Ada;\n'],
    ['at the start', ';subscriberId;firstName\n;u1;Ada\n'],
    ['several times', 'subscriberId;;firstName;;\nu1;;Ada;;\n'],
    ['with blank cells', 'subscriberId;firstName; \nu1;Ada; \t\n'],
    ['quoted', 'subscriberId;firstName;""\nu1;Ada;""\n'],
  ])('is ignored %s if it is empty in every row', async (_name, csv) => {
    const { code, requests } = await importCsv(csv);
    expect(code).toBe(0);
    expect(requests[0]?.body).toEqual({ subscribers: [{ subscriberId: 'u1', firstName: 'Ada' }] });
  });

  it('is not custom data with --data-rest', async () => {
    const { requests } = await importCsv('subscriberId,plan,\nu1,pro,\n', '--data-rest');
    expect(requests[0]?.body).toEqual({
      subscribers: [{ subscriberId: 'u1', data: { plan: 'pro' } }],
    });
  });

  it('is an error if one of the first rows has a value in it', async () => {
    const { code, stderr, requests } = await importCsv('subscriberId,\nu1,\nu2,x\n');
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(
      'Error: standard input: column 2 has no name in the header, but a value on line 3.\nName the column or remove it.\n',
    );
  });

  it('makes a later row with a value in it invalid', async () => {
    const rows = Array.from({ length: 20_000 }, (_unused, index) => `u${index},\n`);
    const { code, stdout } = await importCsv(
      `subscriberId,\n${rows.join('')}late,x\n`,
      ...['--validate-only', '-o', 'ndjson'],
    );
    expect(code).toBe(3);
    expect(stdout).toContain(
      '{"row":20001,"line":20002,"result":"invalid","error":"has a value in column 2, which has no name"}',
    );
  });

  it('is an error if no column has a name, and in --columns', async () => {
    for (const [csv, options] of [
      [',\nu1,x\n', []],
      ['u1,\n', ['--columns', 'subscriberId,']],
    ] as const) {
      const { code, requests } = await importCsv(csv, ...options);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
    }
  });
});
