// How columns, keys and lists are converted, with the whole program: the request body or the error.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filterWrites, sentEvents } from '../../support/requests.ts';
import { openRig } from '../../support/rig.ts';
import { cancelLine } from '../../support/runs.ts';

const importLine = ['subscribers', 'bulk-import', '-'];
const triggerLine = ['events', 'trigger', 'welcome', '--recipients', '-', '--yes'];
const json = ['--format', 'ndjson'];

describe('svc subscribers bulk-import', () => {
  it.each<[string, string, string[], object]>([
    [
      'an empty cell of custom data with --empty null',
      'subscriberId,data.a\nx,\n',
      ['--empty', 'null'],
      { subscriberId: 'x', data: { a: null } },
    ],
    [
      'a column of custom data by --map',
      'subscriberId,Plan\nx,pro\n',
      ['--map', 'data.plan=Plan'],
      { subscriberId: 'x', data: { plan: 'pro' } },
    ],
    ['a plain list of ids', 'x\n', ['--format', 'lines'], { subscriberId: 'x' }],
    [
      'an object without _line and _error of a rejects file',
      '{"subscriberId":"x","_line":3,"_error":"old"}',
      json,
      { subscriberId: 'x' },
    ],
    [
      'unknown keys with --data-rest',
      '{"subscriberId":"x","plan":"pro","data":{"a":1}}',
      [...json, '--data-rest'],
      { subscriberId: 'x', data: { a: 1, plan: 'pro' } },
    ],
    [
      'unknown keys with --data-rest and data null',
      '{"subscriberId":"x","plan":"pro","data":null}',
      [...json, '--data-rest'],
      { subscriberId: 'x', data: { plan: 'pro' } },
    ],
  ])('sends %s', async (_name, stdin, options, subscriber) => {
    const rig = await openRig();
    const { requests, code } = await rig.svc([...importLine, ...options], { stdin });
    expect(requests.map(({ body }) => body)).toEqual([{ subscribers: [subscriber] }]);
    expect(code).toBe(0);
  });

  it.each<[string, string, string[], string]>([
    [
      'data that is not an object, with unknown keys and --data-rest',
      '{"subscriberId":"x","plan":"pro","data":"text"}',
      ['--data-rest'],
      'data: ',
    ],
    ['a key __proto__', '{"subscriberId":"x","__proto__":{"a":1}}', [], '__proto__'],
  ])('rejects a row with %s', async (_name, stdin, options, expected) => {
    const rig = await openRig();
    const line = [...importLine, ...json, ...options, '-o', 'ndjson'];
    const { requests, code, stdout } = await rig.svc(line, { stdin });
    expect({ requests, code }).toEqual({ requests: [], code: 2 });
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual({
      row: 1,
      line: 1,
      result: 'invalid',
      error: expect.stringContaining(expected),
    });
  });

  it.each<[string, string, string[], string]>([
    ['a --map column that does not exist', 'id\nx\n', ['--map', 'email=Mail'], '`Mail`'],
    [
      'an unknown column with a blank',
      'subscriberId,Pet name\na,b\n',
      [],
      '  Pet name: custom data (b)\n',
    ],
    ['payload in an import', 'subscriberId,P\na,b\n', ['--map', 'payload.p=P'], '`payload.p`'],
    [
      'two columns for one data member',
      'subscriberId,data.a,A\na,b,c\n',
      ['--map', 'data.a=A'],
      'the columns `data.a` and `A` both go to data.a',
    ],
  ])('refuses %s', async (_name, stdin, options, expected) => {
    const rig = await openRig();
    const { code, stderr, requests } = await rig.svc([...importLine, ...options], { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(expected);
  });

  it('rejects a row that is shorter than the header', async () => {
    const rig = await openRig();
    const { stdout } = await rig.svc([...importLine, '--json', '--rejects', 'bad.csv'], {
      stdin: 'subscriberId,email\nx\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 1, invalid: 1, created: 0 });
  });

  it('reports rows per second including wait times', async () => {
    const rig = await openRig();
    rig.answer({ status: 429, headers: { 'retry-after': '5' }, body: { statusCode: 429 } });
    const { stdout } = await rig.svc([...importLine, '--json'], {
      stdin: `subscriberId\n${Array.from({ length: 50 }, (_unused, n) => `p${n}`).join('\n')}\n`,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      created: 50,
      requests: 2,
      retries: 1,
      seconds: 5,
      rowsPerSecond: 10,
    });
  });
});

describe('svc events trigger --recipients', () => {
  it.each<[string, string, string[], object]>([
    ['a plain list of ids', 'u1\n', ['--format', 'lines'], { to: [{ subscriberId: 'u1' }] }],
    [
      'objects, with only their id and payload',
      '{"subscriberId":"u1","firstName":"Bo","payload":{"n":1}}',
      json,
      { to: [{ subscriberId: 'u1' }], payload: { product: 'X', n: 1 } },
    ],
    [
      'objects with all their fields, with --update-subscribers',
      '{"subscriberId":"u1","firstName":"Bo","team":"red"}',
      [...json, '--update-subscribers', '--data-rest'],
      { to: [{ subscriberId: 'u1', firstName: 'Bo', data: { team: 'red' } }] },
    ],
    [
      'payload by --map',
      'subscriberId,N\nu1,1\n',
      ['--map', 'payload.n=N'],
      { payload: { product: 'X', n: '1' } },
    ],
  ])('accepts %s', async (_name, stdin, options, event) => {
    const rig = await openRig();
    const line = [...triggerLine, '-f', 'product=X', ...options];
    const { requests } = await rig.svc(line, { stdin });
    const events = sentEvents(requests);
    expect(events).toEqual([
      {
        name: 'welcome',
        to: [{ subscriberId: 'u1' }],
        payload: { product: 'X' },
        transactionId: expect.stringMatching(/^txn_/),
        ...event,
      },
    ]);
  });

  it.each<[string, string]>([
    ['text', '{"subscriberId":"u1","payload":"text"}'],
    ['a list', '{"subscriberId":"u1","payload":[1]}'],
  ])('rejects a row with %s as payload', async (_name, stdin) => {
    const rig = await openRig();
    const { requests, code } = await rig.svc([...triggerLine, ...json], { stdin });
    expect({ writes: filterWrites(requests), code }).toEqual({ writes: [], code: 2 });
  });

  it('explains how to send an unknown column in the payload', async () => {
    const rig = await openRig();
    const { code, stderr } = await rig.svc(triggerLine, { stdin: 'subscriberId,Plan\nu1,pro\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('--map payload.<name>=Plan');
    expect(stderr).toContain('To use a saved mapping, add --map-file <file>.');
    expect(stderr).not.toContain('--map subscriberId');
    const other = await rig.svc(triggerLine, { stdin: 'Nummer,Plan\nu1,pro\n' });
    expect(other.stderr).toContain('--map subscriberId=<column>');
  });

  it('stores explicit transaction ids, so that cancel finds them', async () => {
    const rig = await openRig();
    const stdin = '{"subscriberId":"u1","transactionId":"mine"}\n{"subscriberId":"u2"}\n';
    const line = ['events', 'trigger', 'trial-ending', '--recipients', '-', '--yes', ...json];
    const { requests } = await rig.svc(line, { stdin });
    const events = sentEvents(requests);
    expect(events[0]?.transactionId).toBe('mine');
    const cancel = cancelLine('last', '--json');
    expect(JSON.parse((await rig.svc(cancel)).stdout)).toMatchObject({ rows: 2, cancelled: 2 });
  });
});

describe('svc events trigger --file', () => {
  it.each<[string, string[]]>([
    ['a plain list', ['--format', 'lines']],
    ['CSV', ['--format', 'csv']],
  ])('refuses %s', async (what, options) => {
    const rig = await openRig();
    const line = ['events', 'trigger', '--file', '-', '--yes', ...options];
    const { code, stderr } = await rig.svc(line, { stdin: 'u1\nu2\n' });
    expect(code).toBe(2);
    expect(stderr).toContain(`is ${what}`);
  });

  it('rejects an id that is not a string, and does not generate another one', async () => {
    const rig = await openRig();
    const line = ['events', 'trigger', '--file', '-', '--yes', '--json'];
    const stdin = '{"name":"welcome","to":"u1","transactionId":5}';
    const { code, requests } = await rig.svc(line, { stdin });
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

describe('a list of ids', () => {
  const subscribe = ['topics', 'subscribe', 'announcements', '--file'];

  it.each<[string, string, string]>([
    ['CSV', 'ids.csv', 'name,Subscriber-ID\nA, u1 \nB,\n'],
    ['NDJSON', 'ids.ndjson', '{"subscriberId":" u1 "}\n{"subscriberId":7}\n'],
    ['a JSON array', 'ids.json', '[{"subscriberId":"u1"},{}]'],
  ])('can be a column or a member of %s', async (_name, file, text) => {
    const rig = await openRig();
    writeFileSync(path.join(rig.folder, file), text);
    const { stdout, requests } = await rig.svc([...subscribe, file, '--json']);
    expect(requests.at(-1)?.body).toEqual({ subscriberIds: ['u1'] });
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, subscribed: 1, invalid: 1 });
  });

  it('is refused in a CSV file without the id column', async () => {
    const rig = await openRig();
    writeFileSync(path.join(rig.folder, 'ids.csv'), 'subscriber\nu1\n');
    const { code, stderr } = await rig.svc([...subscribe, 'ids.csv']);
    expect(code).toBe(2);
    expect(stderr).toContain('has no column `subscriberId`');
    expect(stderr).toContain('Did you mean `subscriber`?');
  });
});
