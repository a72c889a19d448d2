// CSV columns with dots in their names become nested members, as `-f a.b=x` does.
import { describe, expect, it } from 'vitest';
import { sentEvents } from '../../support/requests.ts';
import { openRig, parsed, type Ran } from '../../support/rig.ts';

const sentRows = ({ requests }: Ran) =>
  requests.flatMap(({ body }) => (body as { subscribers: object[] }).subscribers);
const sentPayloads = ({ requests }: Ran) => sentEvents(requests).map(({ payload }) => payload);

async function importCsv(stdin: string, ...options: string[]) {
  const { svc } = await openRig();
  return svc(['subscribers', 'bulk-import', '-', ...options], { stdin });
}

async function triggerCsv(stdin: string, ...options: string[]) {
  const { svc } = await openRig();
  const line = ['events', 'trigger', 'welcome', '--recipients', '-', '--yes', ...options];
  return svc(line, { stdin });
}

const header = 'subscriberId,data.address.city,data.plan,data.address.geo.lat,data.address.zip';

describe('dotted columns of an import', () => {
  it('are nested, whichever cells are empty', async () => {
    const ran = await importCsv(
      `${header}\nu1,Köln,pro,50.9,50667\nu2,,pro,,\nu3,,,,"1,2"\nu4,,,1,\nu5,,,,\n"u 6",A,,,B\n`,
    );
    expect(ran.code).toBe(0);
    expect(sentRows(ran)).toEqual([
      {
        subscriberId: 'u1',
        data: { address: { city: 'Köln', geo: { lat: '50.9' }, zip: '50667' }, plan: 'pro' },
      },
      { subscriberId: 'u2', data: { plan: 'pro' } },
      { subscriberId: 'u3', data: { address: { zip: '1,2' } } },
      { subscriberId: 'u4', data: { address: { geo: { lat: '1' } } } },
      { subscriberId: 'u5' },
      { subscriberId: 'u 6', data: { address: { city: 'A', zip: 'B' } } },
    ]);
  });

  it('are nested in rows that need a conversion, too', async () => {
    const ran = await importCsv(`${header}\nu1, Köln,,50.9,\n`, '--infer', '--empty', 'null');
    expect(sentRows(ran)).toEqual([
      {
        subscriberId: 'u1',
        data: { address: { city: ' Köln', geo: { lat: 50.9 }, zip: null }, plan: null },
      },
    ]);
  });

  it.each([
    ['--map', 'subscriberId,Ort\nu1,Köln\n', ['--map', 'data.address.city=Ort']],
    ['--data-column', 'subscriberId,address.city\nu1,Köln\n', ['--data-column', 'address.city']],
    ['--data-rest', 'subscriberId,address.city\nu1,Köln\n', ['--data-rest']],
  ])('are nested with %s', async (_name, csv, options) => {
    const ran = await importCsv(csv, ...options);
    expect(sentRows(ran)).toEqual([{ subscriberId: 'u1', data: { address: { city: 'Köln' } } }]);
  });

  it('merge with the object of the column data', async () => {
    const data = '"{""address"":{""zip"":""1""},""plan"":""pro""}"';
    for (const csv of [
      `subscriberId,data,data.address.city\nu1,${data},Köln\n`,
      `subscriberId,data.address.city,data\nu1,Köln,${data}\n`,
    ])
      expect(sentRows(await importCsv(csv))).toEqual([
        { subscriberId: 'u1', data: { address: { city: 'Köln', zip: '1' }, plan: 'pro' } },
      ]);
  });

  it('are names if a part is empty or has spaces around it', async () => {
    const ran = await importCsv('subscriberId,Nr.,St. Name,a..b\nu1,1,2,3\n', '--data-rest');
    expect(sentRows(ran)).toEqual([
      { subscriberId: 'u1', data: { 'Nr.': '1', 'St. Name': '2', 'a..b': '3' } },
    ]);
  });

  it('keep names that JavaScript uses', async () => {
    const ran = await importCsv('subscriberId,data.__proto__.x,data.constructor.y\nu1,1,2\n');
    expect(JSON.stringify(sentRows(ran))).toBe(
      '[{"subscriberId":"u1","data":{"__proto__":{"x":"1"},"constructor":{"y":"2"}}}]',
    );
  });

  it.each([
    [
      'in this order',
      'subscriberId,data.address,data.address.city',
      '`data.address` and `data.address.city`',
    ],
    ['in the other order', 'subscriberId,data.a.b.c,data.a', '`data.a.b.c` and `data.a`'],
  ])('are refused if one is a value and a parent, %s', async (_name, columns, names) => {
    const { code, stderr, requests } = await importCsv(`${columns}\nu1,1,2\n`);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(
      `the columns ${names} cannot both be sent: ${columns.includes('.c') && columns.includes('a.b') ? 'data.a' : 'data.address'} would be a value and an object.`,
    );
    expect(stderr).toContain('--ignore-column');
  });

  it('are refused if they are too deep', async () => {
    const { code, stderr } = await importCsv(`subscriberId,data${'.a'.repeat(2_000)}\nu1,1\n`);
    expect(code).toBe(2);
    expect(stderr).toContain('is nested too deeply');
  });
});

describe('dotted columns of recipients', () => {
  it('are nested in the payload, and merged with the payload of all events', async () => {
    const ran = await triggerCsv(
      'subscriberId,payload.post.id,payload.title\nu1,7,A\nu2,,B\n',
      ...['-f', 'post.author=Ada', '-F', 'post.id:=1', '--infer'],
    );
    expect(ran.code).toBe(0);
    expect(sentPayloads(ran)).toEqual([
      { post: { author: 'Ada', id: 7 }, title: 'A' },
      { post: { author: 'Ada', id: 1 }, title: 'B' },
    ]);
  });

  it('are refused if one is a value and a parent', async () => {
    const { code, stderr, requests } = await triggerCsv(
      'subscriberId,payload.post,payload.post.id\nu1,1,2\n',
    );
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('payload.post would be a value and an object.');
  });

  it('are checked against the schema of the workflow as they are sent', async () => {
    const { svc } = await openRig();
    const { code, stdout } = await svc(
      ['events', 'trigger', 'welcome', '--recipients', '-', '--validate-only', '--json'],
      { stdin: 'subscriberId,payload.post.id\nu1,7\n' },
    );
    expect({ code, summary: parsed(stdout) }).toMatchObject({ code: 0, summary: { invalid: 0 } });
  });
});
