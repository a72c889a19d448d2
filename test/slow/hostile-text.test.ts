// Escape sequences in text from the service have no effect on a terminal, and text for people has none in a pipe. Each
// command runs twice: with hostile text, and with the harmless text that svc should show instead.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  hostile,
  isHarmless,
  look,
  openWordProxy,
  shown,
  type WordProxy,
} from '../support/hostile.ts';
import { openNetworkRig } from '../support/network-rig.ts';
import { json } from '../support/service.ts';

type Respond = NonNullable<WordProxy['override']>;
const errorResponse =
  (status: number): Respond =>
  (_seen, response, text) =>
    json(
      response,
      status,
      {
        statusCode: status,
        message: text,
        errors: { [text]: { messages: [text, `why ${text}`] } },
      },
      { 'x-request-id': text === hostile ? 'r\x9b2J\x9d0;x\x9c' : 'r\\x9b2J\\x9d0;x\\x9c' },
    );
const plainTextError: Respond = (_seen, response, text) => {
  response.writeHead(500, { 'content-type': 'text/plain' });
  response.end(text);
};
const hostileKeys: Respond = (_seen, response, text) => {
  const topic = { _id: 'a'.repeat(24), key: text, name: 'Name', createdAt: '', updatedAt: '' };
  json(response, 200, { data: [topic], next: text, previous: null, totalCount: 9 });
};
const createdEnvironment: Respond = (_seen, response, text) =>
  json(response, 201, {
    _id: 'b'.repeat(24),
    name: text,
    identifier: text,
    apiKeys: [{ key: 'f'.repeat(32), hash: '', _userId: '' }],
  });

const lines: readonly [line: string, instead?: Respond][] = [
  ['topics list'],
  ['topics list --fields name,key'],
  ['topics get announcements'],
  ['workflows list'],
  ['workflows get welcome'],
  ['workflows step welcome welcome-email'],
  ['contexts list'],
  ['environments list'],
  ['environments create Other --color #112233 --save-profile other --no-input', createdEnvironment],
  ['inbox list u1'],
  ['activity list --limit 3'],
  ['activity get seed-code'],
  ['sandbox messages list'],
  ['topics list --limit 1', hostileKeys],
  ['topics rename announcements X', errorResponse(400)],
  ['workflows get welcome', errorResponse(404)],
  ['environments create Other --color #112233', errorResponse(422)],
  ['subscribers create u1 --email a@example.com', errorResponse(402)],
];

describe('a pipe', () => {
  const formats = ['tsv', 'yaml', 'table', undefined];
  const outputs: readonly [line: string, instead?: Respond][] = [
    ['topics list'],
    ['topics list --fields name,key'],
    ['topics get announcements'],
    ['workflows get welcome'],
    ['activity get seed-code'],
    ['events trigger welcome --to u1 --wait'],
    ['topics list --limit 1', hostileKeys],
  ];

  it.each(outputs)(
    'gets no control characters from svc %s, in any format for people',
    async (line, instead) => {
      const rig = openNetworkRig();
      const proxy = await openWordProxy(rig);
      proxy.override = instead;
      proxy.text = hostile;
      for (const format of formats) {
        const argv = [...line.split(' '), ...(format ? ['-o', format] : [])];
        const { stdout, stderr } = await rig.svc(argv);
        for (const text of [stdout, stderr])
          expect(isHarmless(text), `${argv.join(' ')}: ${JSON.stringify(text)}`).toBe(true);
        expect(stdout).not.toBe('');
      }
    },
  );

  it('gets YAML with the same values as JSON, and the exact text as JSON, CSV and ids', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    proxy.text = `${hostile} windows\r\nline`;
    const [yaml, json, csv] = await Promise.all(
      ['yaml', 'json', 'csv'].map((format) => rig.svc(['topics', 'list', '-o', format])),
    );
    expect(parse(yaml?.stdout ?? '')).toEqual(JSON.parse(json?.stdout ?? ''));
    const name = proxy.text.replaceAll('"', '""');
    expect(csv?.stdout).toContain(name);
    proxy.override = hostileKeys;
    proxy.text = hostile.replace('\n', '').replace('\r', '');
    for (const line of ['topics list -o ids', 'topics list --json', 'api GET /v2/topics']) {
      const { stdout } = await rig.svc(line.split(' '));
      expect(stdout).toContain('left\u202eright\u2066\u2069\u200f\u061cend');
      expect(stdout).toContain('\u009b2J\u009d0;owned\u009c\u0090q\u0085');
    }
  });

  it('gets the exact text that --jq prints', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    proxy.text = hostile;
    const { stdout } = await rig.svc(['topics', 'list', '--jq', '.[0].name']);
    expect(stdout).toBe(`${hostile}\n`);
  });

  it('gets one line for an id with a line feed', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    proxy.override = hostileKeys;
    proxy.text = 'one\ntwo';
    expect((await rig.svc(['topics', 'list', '-o', 'ids'])).stdout).toBe('one\\ntwo\n');
  });
});

describe('a file of svc activity export', () => {
  it.each(['csv', 'ndjson'])('has the exact text: %s', async (format) => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    proxy.text = 'begin left\u202eright \u009b2J';
    const file = path.join(rig.folder, `activity.${format}`);
    expect((await rig.svc(['activity', 'export', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain(proxy.text);
  });
});

describe('a terminal', () => {
  it('shows hostile text from the service as text: listings, records, notes and errors', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    for (const [line, instead] of lines) {
      proxy.override = instead;
      const argv = line.split(' ');
      proxy.text = shown(hostile);
      const { written: _plain, ...harmless } = await look(rig, argv);
      proxy.text = hostile;
      // The profile belongs to the first of the two environments, so the second run needs a new one.
      if (line.includes('--save-profile')) await rig.svc(['profiles', 'delete', 'other', '--yes']);
      const { written, ...seen } = await look(rig, argv);
      expect(isHarmless(written), `svc ${line}: ${JSON.stringify(written)}`).toBe(true);
      expect(seen, `svc ${line}`).toEqual(harmless);
      expect(seen.effects).toEqual([]);
      expect(written, `svc ${line}`).toContain('begin');
    }
  });

  it('shows them as text in every other format', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    const formats: readonly [line: string, instead?: Respond][] = [
      ['topics list -o json'],
      ['topics list -o ndjson'],
      ['topics list -o csv'],
      ['topics list -o tsv'],
      ['topics list -o yaml'],
      ['topics list --jq .[0].name'],
      ['topics list -o ids', hostileKeys],
      ['topics list --debug=body -o ids'],
      ['topics get announcements --json', errorResponse(400)],
      ['topics list --retries 0', plainTextError],
      ['api GET /v2/topics --include'],
      ['topics rename announcements HOSTILE --dry-run=curl'],
    ];
    proxy.text = hostile;
    for (const [line, instead] of formats) {
      proxy.override = instead;
      const argv = line.split(' ').map((word) => (word === 'HOSTILE' ? hostile : word));
      const { written, effects, styled } = await look(rig, argv);
      expect(isHarmless(written), `svc ${line}: ${JSON.stringify(written)}`).toBe(true);
      expect({ line, effects, styled }).toEqual({ line, effects: [], styled: [] });
      expect(written).toContain('begin');
    }
  });

  it('shows JSON that parses to the same value as the JSON in a pipe', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    proxy.text = hostile;
    for (const line of [
      'topics list -o json',
      'api GET /v2/topics',
      'workflows get welcome --json',
    ]) {
      const { written } = await look(rig, line.split(' '));
      const { stdout } = await rig.svc(line.split(' '));
      expect(JSON.parse(written)).toEqual(JSON.parse(stdout));
      expect(JSON.stringify(JSON.parse(stdout))).toContain('\u009b');
    }
  });

  it('shows a command for the next page in which the cursor is quoted as one argument', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    proxy.override = hostileKeys;
    proxy.text = "$(touch pwned) `x` ; ' it";
    const { written } = await look(rig, ['topics', 'list', '--limit', '1']);
    expect(written).toContain(`--after '$(touch pwned) \`x\` ; '\\'' it'`);
    proxy.text = 'eyJpZCI6MX0=';
    expect((await look(rig, ['topics', 'list', '--limit', '1'])).written).toContain(
      '--after eyJpZCI6MX0= --limit 1\r\n',
    );
  });

  it('shows two hundred generated names as two hundred rows', async () => {
    const rig = openNetworkRig();
    const proxy = await openWordProxy(rig);
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '\x1b[',
        '\x1b]',
        '\x9b',
        '\x07',
        '\x1b\\',
        '\r',
        '\n',
        '\u202e',
        '8;;',
        '52;c;',
      ),
    );
    const name = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    const names = fc.sample(name, { numRuns: 200, seed: 20260115 });
    proxy.override = (_seen, response) => {
      const data = names.map((name, index) => ({
        key: `k${index}`,
        name: name,
        _id: `id-${index}-end`,
      }));
      json(response, 200, { data, next: null, previous: null, totalCount: 200 });
    };
    const listing = ['topics', 'list', '--all', '--fields', '_id,key,name', '--no-header'];
    const { written, effects, styled, text } = await look(rig, [...listing, '-o', 'table']);
    expect(isHarmless(written)).toBe(true);
    expect({ effects, styled }).toEqual({ effects: [], styled: [] });
    const rows = text.split('\n');
    expect(rows.map((row) => row.split(' ').slice(0, 2))).toEqual(
      names.map((_name, index) => [`id-${index}-end`, `k${index}`]),
    );
  });
});
