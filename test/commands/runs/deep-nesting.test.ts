// JSON nested deeper than 100 levels is refused before anything is sent, in every input.
import { describe, expect, it } from 'vitest';
import { openRig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const arrays = (levels: number, inner = '1') => '['.repeat(levels) + inner + ']'.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const message = 'nested too deeply: more than 100 levels';

describe('a row that nests too deeply', () => {
  const good = '{"subscriberId":"good"}';
  const row = (data: string) => `{"subscriberId":"deep","data":{"a":${data}}}`;
  it.each<[string, string, string]>([
    ['101 levels of NDJSON', 'ndjson', `${row(arrays(99))}\n${good}\n`],
    ['100,000 levels of NDJSON', 'ndjson', `${row(arrays(100_000))}\n${good}\n`],
    [
      '100,000 levels around a long number',
      'ndjson',
      `${row(arrays(100_000, '1e999'))}\n${good}\n`,
    ],
    ['100,000 unclosed brackets', 'ndjson', `${'['.repeat(100_000)}\n${good}\n`],
    ['100,000 levels in a JSON array', 'json', `[${row(arrays(100_000))},${good}]`],
  ])('is rejected and the next one is sent: %s', async (_name, format, text) => {
    const rig = await openRig();
    const file = writeInput(rig, `rows.${format}`, text);
    const line = ['subscribers', 'bulk-import', file, '-o', 'ndjson'];
    const { code, stdout, requests } = await rig.svc(line);
    expect(code).toBe(3);
    expect(requests.map(({ body }) => body)).toEqual([{ subscribers: [{ subscriberId: 'good' }] }]);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual({
      row: 1,
      line: 1,
      result: 'invalid',
      error: `is ${message}`,
    });
  });

  it('is sent with 100 levels', async () => {
    const rig = await openRig();
    const stdin = `${row(arrays(98))}\n`;
    const line = ['subscribers', 'bulk-import', '-', '--format', 'ndjson'];
    const answer = { created: [{ subscriberId: 'deep' }], updated: [], failed: [] };
    rig.answer({ status: 201, body: answer });
    const { code, requests } = await rig.svc(line, { stdin });
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 1 });
  });

  it('is also rejected in a file of events', async () => {
    const rig = await openRig();
    const stdin = `{"name":"welcome","to":"u1","payload":${objects(100_000)}}\n`;
    const line = words`events trigger --file - --format ndjson --yes -o ndjson`;
    const { stdout, requests } = await rig.svc(line, { stdin });
    expect(requests).toEqual([]);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ error: `is ${message}` });
  });
});

describe('an option that nests too deeply', () => {
  const trigger = ['events', 'trigger', 'welcome', '--to', 'u1'];
  const dotted = Array(101).fill('a').join('.');
  it.each<[string, string[], string]>([
    ['--payload', [...trigger, '--payload', objects(101)], '--payload is'],
    ['--payload of 100,000 levels', [...trigger, '--payload', objects(100_000)], '--payload is'],
    ['-F', [...trigger, '-F', `x:=${arrays(100_000)}`], '--json-field x is'],
    ['-f with a path', [...trigger, '-f', `${dotted}=1`], '--field: `a.a.'],
    ['-F with a path', [...trigger, '-F', `${dotted}:=1`], '--json-field: `a.a.'],
    ['--overrides', [...trigger, '--overrides', objects(100_000)], '--overrides is'],
    ['--body', ['api', 'POST', '/v2/topics', '--body', arrays(100_000)], '--body is'],
    ['--data', ['subscribers', 'create', 'u1', '--data', objects(100_000)], '--data is'],
  ])('is a usage error: %s', async (_name, line, source) => {
    const { svc } = await openRig();
    const { code, stderr, requests } = await svc(line);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(source);
    expect(stderr).toContain(message);
  });
});

describe('a response that nests too deeply', () => {
  it.each([
    ['--json', 5_000],
    ['--json', 100_000],
    ['-o', 100_000],
  ])('is reported as an error of the service with %s and %i levels', async (option, levels) => {
    const { svc, answer } = await openRig();
    answer({ status: 200, text: `{"_id":"1","key":"k","data":${arrays(levels)}}` });
    const line = ['topics', 'get', 'k', option, ...(option === '-o' ? ['yaml'] : [])];
    const { code, stdout, stderr } = await svc(line);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(stderr).toContain('nested too deeply: more than 120 levels');
  });

  it('keeps its status if it is an error response', async () => {
    const { svc, answer } = await openRig();
    answer({ status: 422, text: `{"message":"no","errors":${arrays(100_000)}}` });
    expect((await svc(['topics', 'get', 'k'])).code).toBe(6);
  });

  it('is printed in every format with a hundred levels', async () => {
    for (const format of ['json', 'yaml', 'csv', 'table', 'ndjson']) {
      const { svc, answer } = await openRig();
      answer({ status: 200, body: { _id: '1', key: 'k', data: JSON.parse(arrays(110)) } });
      expect((await svc(['topics', 'get', 'k', '-o', format])).code).toBe(0);
    }
  });
});
