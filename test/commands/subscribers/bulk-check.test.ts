// svc subscribers bulk-import --check and --only-changed
import { describe, expect, it } from 'vitest';
import { openRig, parsed, type Rig, writeInput } from '../../support/rig.ts';

const line = (file: string, ...more: string[]) => ['subscribers', 'bulk-import', file, ...more];

/** The lines of `-o ndjson`; the last one is the summary. */
const linesOf = (stdout: string) => stdout.trimEnd().split('\n').map(parsed);

const writesIn = (requests: { line: string; body: unknown }[]) =>
  requests.filter(({ line: request }) => request.startsWith('POST'));

async function check(rig: Rig, file: string, ...more: string[]) {
  const ran = await rig.svc(line(file, '--check', '-o', 'ndjson', ...more));
  const lines = linesOf(ran.stdout);
  return {
    ...ran,
    rows: lines
      .slice(0, -1)
      .map(({ id, result, fields }) =>
        fields === undefined ? [id, result] : [id, result, fields],
      ),
    summary: lines.at(-1),
  };
}

const first = ['u1,ada@example.com,Ada', 'u3,chiyo@example.com,Chiyo'];
const header = 'subscriberId,email,firstName';
const write = (rig: Rig, rows: readonly string[], name = 'users.csv') =>
  writeInput(rig, name, `${[header, ...rows].join('\n')}\n`);

/** A page of the list of subscribers. */
const page = (people: readonly object[], more: object = {}) => ({
  status: 200,
  body: { data: people, next: null, previous: null, ...more },
});

const person = (subscriberId: string, more: object = {}) => ({
  _id: `id-${subscriberId}`,
  subscriberId,
  ...more,
});

describe('svc subscribers bulk-import --check', () => {
  it('exits with 0 if the service has the values of the file, and keeps no run', async () => {
    const rig = await openRig();
    const { code, rows, requests, summary } = await check(rig, write(rig, first));
    expect({ code, rows }).toEqual({
      code: 0,
      rows: [
        ['u1', 'same'],
        ['u3', 'same'],
      ],
    });
    expect(requests.map(({ line: request }) => request.split('?')[0])).toEqual([
      'GET /v2/subscribers',
    ]);
    expect(summary).toMatchObject({ rows: 2, same: 2, different: 0, missing: 0, requests: 1 });
    expect(summary).not.toHaveProperty('runId');
    expect(parsed((await rig.svc(['runs', 'list', '--json'])).stdout)).toEqual([]);
  });

  it('names the fields that differ, people who are missing, and those who are not in the file', async () => {
    const rig = await openRig();
    const file = write(rig, [
      'u1,ada@other.example,Ada',
      'u3,CHIYO@example.com,Chiyo X',
      'new,,山田',
    ]);
    const { code, rows, summary } = await check(rig, file, '--extra');
    expect(code).toBe(10);
    expect(rows.filter(([, result]) => result !== 'extra')).toEqual([
      ['u1', 'different', ['email']],
      ['u3', 'different', ['firstName']],
      ['new', 'missing'],
    ]);
    expect(rows.filter(([, result]) => result === 'extra')).toHaveLength(7);
    expect(summary).toMatchObject({ same: 0, different: 2, missing: 1, extra: 7 });
  });

  it('prints sentences on a terminal', async () => {
    const rig = await openRig();
    const file = write(rig, ['u1,ada@other.example,Ada', 'new,,New', 'u3,,Chiyo']);
    const { stdout, stderr } = await rig.svc(line(file, '--check', '--extra'), {
      tty: true,
      columns: 200,
    });
    expect(stderr).toContain('Comparing with the list of subscribers: about 1 request.');
    expect(stderr).toContain('Different: u1 (email).');
    expect(stderr).toContain('Missing: new.');
    expect(stderr).toMatch(/Not in the file: u\d, /);
    expect(stdout).toMatch(/^Compared 3 of 3 rows .*: 1 the same, 1 different, 1 missing\.$/m);
    expect(stdout).toContain('Not in the file: 7.');
  });

  it('accepts an empty file; with --extra, everyone is extra', async () => {
    const rig = await openRig();
    const file = write(rig, []);
    const { code: empty, requests } = await check(rig, file);
    expect({ empty, requests }).toEqual({ empty: 0, requests: [] });
    const { code, rows } = await check(rig, file, '--extra');
    expect({ code, extra: rows.length }).toEqual({ code: 10, extra: 9 });
  });

  it('agrees with what an import has sent, in any form of the input', async () => {
    const rig = await openRig();
    const csv = writeInput(
      rig,
      'crm.csv',
      Buffer.from(
        'id;Mail;Tel;data.n;data.x\nm1;Jörg@Example.com ;030 1234567;1;\nm2;;;2;ä\n',
        'latin1',
      ),
    );
    const options = [
      ...['--encoding', 'latin1', '--phone-region', 'DE', '--infer', '--empty', 'null'],
      ...['--map', 'email=Mail', '--map', 'phone=Tel', '--map', 'subscriberId=id'],
    ];
    const imported = await rig.svc(line(csv, ...options, '--json'));
    expect(parsed(imported.stdout)).toMatchObject({ created: 2 });
    expect((await check(rig, csv, ...options)).summary).toMatchObject({ same: 2 });
    const json = writeInput(
      rig,
      'people.ndjson',
      '{"subscriberId":"j1","data":{"n":12345678901234567890,"o":{"b":null}},"locale":"en-US"}\n{"subscriberId":"j2","firstName":null,"channels":[{"providerId":"slack","credentials":{"webhookUrl":"https://hooks.slack.com/x"}}]}\n',
    );
    expect(parsed((await rig.svc(line(json, '--json'))).stdout)).toMatchObject({ created: 2 });
    expect((await check(rig, json)).summary).toMatchObject({ same: 2 });
  });

  it('compares a person with several rows once, with the value that each field has in the end', async () => {
    const rig = await openRig();
    const rows = ['u1,old@example.com,Ada', 'u3,,Chiyo', 'u1,ada@example.com,'];
    const { code, rows: results } = await check(rig, write(rig, rows));
    expect({ code, results }).toEqual({
      code: 0,
      results: [
        ['u1', 'skipped'],
        ['u3', 'same'],
        ['u1', 'same'],
      ],
    });
  });

  it('counts invalid rows, which are not extra, and exits with 3', async () => {
    const rig = await openRig();
    const { code, rows, summary } = await check(
      rig,
      write(rig, ['u1,no-address,Ada', 'u3,,Chiyo']),
      '--extra',
    );
    expect(code).toBe(3);
    expect(rows).not.toContainEqual(['u1', 'extra']);
    expect(summary).toMatchObject({ invalid: 1, same: 1, extra: 7 });
  });

  it('requests each person if the service has more than ten times as many subscribers', async () => {
    const rig = await openRig();
    rig.answer(page([person('u9')], { totalCount: 50_000, totalCountCapped: true, next: 'x' }));
    const { code, rows, requests, summary } = await check(
      rig,
      write(rig, ['u1,ada@example.com,Ada', 'a/b,,A', 'u3,,X']),
    );
    expect({ code, rows }).toEqual({
      code: 10,
      rows: [
        ['u1', 'same'],
        ['a/b', 'missing'],
        ['u3', 'different', ['firstName']],
      ],
    });
    expect(requests.slice(1).map(({ line: request }) => request)).toEqual([
      'GET /v2/subscribers/u1',
      'GET /v2/subscribers/a%2Fb',
      'GET /v2/subscribers/u3',
    ]);
    expect(summary).toMatchObject({ requests: 4 });
  });

  it('prints the number of requests before it sends them', async () => {
    const rig = await openRig();
    const file = write(rig, first);
    const quietly = { tty: 'stderr', columns: 200 } as const;
    rig.answer(page([person('u9')], { totalCount: 21 }));
    const { stderr } = await rig.svc(line(file, '--check'), quietly);
    expect(stderr).toContain('Comparing one by one: about 2 requests.');
    rig.answer(page([]));
    const unknown = await rig.svc(line(file, '--check'), quietly);
    expect(unknown.stderr).toContain('with the list of subscribers: at least 1 request.');
  });

  it('stops a listing that has more people than it counted', async () => {
    const rig = await openRig();
    let pages = 0;
    rig.answerBy(({ url }) => {
      if (url.pathname !== '/v2/subscribers') return undefined;
      pages += 1;
      const people = Array.from({ length: 10 }, (_unused, index) => person(`p${pages}-${index}`));
      return page(people, { next: `cursor-${pages}` });
    });
    const { code, summary } = await check(rig, write(rig, first));
    expect({ code, pages }).toEqual({ code: 0, pages: 3 });
    expect(summary).toMatchObject({ same: 2 });
    // With --extra, the whole list is needed.
    rig.answerBy(({ url }) => {
      if (url.pathname !== '/v2/subscribers') return undefined;
      pages += 1;
      return page([person('p')], { next: `cursor-${pages}`, totalCount: 1 });
    });
    const { code: endless, stderr } = await rig.svc(line(write(rig, first), '--check', '--extra'));
    expect(endless).toBe(7);
    expect(stderr).toContain('does not end');
  });

  it('compares each row alone if standard input is the file, and refuses --extra there', async () => {
    const rig = await openRig();
    const stdin = `${[header, ...first].join('\n')}\n`;
    const piped = line('-', '--format', 'csv', '--check', '--json');
    const { code, stdout, requests } = await rig.svc(piped, { stdin });
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 2 });
    expect(parsed(stdout)).toMatchObject({ same: 2 });
    const refused = await rig.svc([...piped, '--extra'], { stdin });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--extra needs a file that can be read twice');
  });

  it('does not trust a response about another person, or without fields', async () => {
    const rig = await openRig();
    const many = { totalCount: 1000 };
    rig.answer(page([person('u9')], many), { status: 200, body: { data: person('u2') } });
    rig.answer({ status: 200, body: { data: { subscriberId: 'u3' } } });
    const { code, rows, summary } = await check(rig, write(rig, first), '--concurrency', '1');
    expect(code).toBe(3);
    expect(rows).toEqual([
      ['u1', 'failed'],
      ['u3', 'different', ['email', 'firstName']],
    ]);
    expect(summary).toMatchObject({ failed: 1, different: 1 });
    rig.answer(page([{ _id: 'x' }]));
    const nameless = await rig.svc(line(write(rig, first), '--check'));
    expect(nameless.code).toBe(7);
    expect(nameless.stderr).toContain('The list of subscribers has one without an id.');
  });

  it('stops at an error of the service without sending the other requests', async () => {
    const rig = await openRig();
    const rows = Array.from({ length: 400 }, (_unused, index) => `p${index},,P`);
    rig.answer(page([person('u9')], { totalCount: 9000 }));
    rig.answer({ status: 401, body: { statusCode: 401, message: 'API Key not found' } });
    const { code, requests } = await rig.svc(line(write(rig, rows), '--check'));
    expect(code).toBe(4);
    expect(requests.length).toBeLessThan(40);
  });

  it('reports an id that a request cannot have, and compares the others', async () => {
    const rig = await openRig();
    rig.answer(page([person('u9')], { totalCount: 9000 }));
    const { code, stdout } = await rig.svc(line(write(rig, ['.,,A', first[0] ?? '']), '--check'), {
      tty: true,
      columns: 200,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('Rejected: 1 not comparable.');
    expect(stdout).toContain('a URL path cannot contain it');
  });

  it('is allowed with --read-only, and --extra needs it', async () => {
    const rig = await openRig();
    const file = write(rig, first);
    expect((await rig.svc(line(file, '--check', '--read-only'))).code).toBe(0);
    expect((await rig.svc(line(file, '--only-changed', '--read-only'))).code).toBe(2);
    const { code, stderr } = await rig.svc(line(file, '--extra'));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--check') });
  });
});

describe('svc subscribers bulk-import --only-changed', () => {
  it('sends only the rows that differ, and counts the others as unchanged', async () => {
    const rig = await openRig();
    const file = write(rig, [...first, 'u2,,Other', 'new,,New']);
    const { code, stdout, requests } = await rig.svc(line(file, '--only-changed', '--json'));
    expect({ code, bodies: writesIn(requests).map(({ body }) => body) }).toEqual({
      code: 0,
      bodies: [
        {
          subscribers: [
            { subscriberId: 'u2', firstName: 'Other' },
            { subscriberId: 'new', firstName: 'New' },
          ],
        },
      ],
    });
    expect(parsed(stdout)).toMatchObject({ rows: 4, created: 1, updated: 1, unchanged: 2 });
    const again = await rig.svc(line(file, '--only-changed', '-o', 'ndjson'));
    expect(writesIn(again.requests)).toEqual([]);
    expect(linesOf(again.stdout).map(({ result }) => result)).toEqual([
      ...Array<string>(4).fill('unchanged'),
      undefined,
    ]);
  });

  it('shows the requests for these rows with --dry-run', async () => {
    const rig = await openRig();
    const { requests, stderr } = await rig.svc(
      line(write(rig, [...first, 'u2,,Other']), '--only-changed', '--dry-run'),
    );
    expect(writesIn(requests)).toEqual([]);
    expect(stderr).toContain('1 item would be sent in 1 request');
  });

  it('keeps no run if the service cannot be read', async () => {
    const rig = await openRig();
    rig.answer({ status: 403, body: { statusCode: 403, message: 'Forbidden' } });
    expect((await rig.svc(line(write(rig, first), '--only-changed'))).code).toBe(4);
    expect(parsed((await rig.svc(['runs', 'list', '--json'])).stdout)).toEqual([]);
  });

  it('leaves the last value of a person with several rows', async () => {
    const rig = await openRig();
    const rows = ['u1,ada@example.com,Ada', 'u1,other@example.com,X', 'u1,ada@example.com,'];
    const { code, requests } = await rig.svc(line(write(rig, rows), '--only-changed'));
    expect({ code, writes: writesIn(requests).length }).toEqual({ code: 0, writes: 1 });
    const { stdout } = await rig.svc(['subscribers', 'get', 'u1', '--json']);
    expect(parsed(stdout)).toMatchObject({ email: 'ada@example.com', firstName: 'X' });
  });

  it('resumes a run that stopped, and leaves no difference', async () => {
    const rig = await openRig();
    const rows = Array.from(
      { length: 1200 },
      (_unused, index) => `p${index},p${index}@example.com,P`,
    );
    const file = write(rig, rows);
    expect((await rig.svc(line(file))).code).toBe(0);
    const changed = rows.map((row, index) => (index % 3 === 0 ? `${row}!` : row));
    const other = write(rig, changed, 'changed.csv');
    rig.answerWrites('sandbox', { status: 403, body: { statusCode: 403, message: 'Forbidden' } });
    const stopped = await rig.svc(line(other, '--only-changed', '--concurrency', '1', '--json'));
    expect(stopped.code).toBe(4);
    const resumed = await rig.svc(['runs', 'resume', 'last', '--json']);
    expect(parsed(resumed.stdout)).toMatchObject({ rows: 1200, updated: 400, unchanged: 800 });
    expect((await check(rig, other)).summary).toMatchObject({ same: 1200 });
  });
});
