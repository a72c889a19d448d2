// The result of a tool call, from what its command printed: data, messages, and what is left out of a long one.
import { describe, expect, it } from 'vitest';
import { type Printed, toolResult } from '../../src/mcp/tool-result.ts';

const room = 100_000 - '{"truncated":true}'.length - 1_000;

/** The data of a result. */
async function resultOf(
  printed: Partial<Printed>,
  { hasLimit = true, keys = [] as string[] } = {},
): Promise<Record<string, unknown>> {
  const { structuredContent, content } = await toolResult(
    { code: 0, stdout: '', stderr: '', next: [], ...printed },
    { tool: { name: 'topics_list', hasLimit }, environment: 'Staging', keys },
  );
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(100_000);
  return structuredContent;
}

const withFields =
  'Call topics_list with `fields`, the names of the members that you need, such as fields: ["_id"].';
const withLimit = (limit: number) =>
  `Call topics_list with limit ${limit}: its \`next\` lists the following items. With \`fields\`, more items fit.`;

describe('the output', () => {
  it.each([
    ['', {}],
    ['{"_id":"1"}\n', { item: { _id: '1' } }],
    ['[\n{"_id":"1"},\n{"_id":"2"}\n]\n', { items: [{ _id: '1' }, { _id: '2' }] }],
    ['version: 1\n', { text: 'version: 1\n' }],
    // A list that was cut off: the item that is not whole is left out.
    ['[\n1,\n2,\n3', { items: [1, 2], truncated: true, next: [withLimit(2)] }],
    ['[\n1,\n2\n', { items: [1], truncated: true, next: [withLimit(1)] }],
    ['[\n12', { text: '[\n12' }],
    ['x,\ny', { text: 'x,\ny' }],
  ])('%j is %j', async (stdout, data) => {
    expect(await resultOf({ stdout })).toEqual(data);
  });

  it('never has a key of the service', async () => {
    const printed = {
      ...{ code: 1, stdout: '["a-key-1","key-2"]', next: ['svc topics get key-1'] },
      stderr: 'Warning: key-2\n{"error":{"code":1,"message":"key-1"}}\n',
    };
    expect(await resultOf(printed, { keys: ['key-1', 'key-2'] })).toEqual({
      ...{ items: ['a-********', '********'], next: ['svc topics get ********'] },
      ...{ warnings: ['Warning: ********'], error: { code: 1, message: '********' } },
    });
  });
});

describe('the messages', () => {
  it.each([
    ['\n  \nWarning: a\n\nWarning: b\n', { warnings: ['Warning: a', 'Warning: b'], exitCode: 9 }],
    [' \n', { exitCode: 9 }],
    ['Error: a\n{"error":"b"}\n', { warnings: ['Error: a', '{"error":"b"}'], exitCode: 9 }],
    [
      'Warning: a\n{"error":{"hint":"Confirm with --yes."}}\n',
      { warnings: ['Warning: a'], error: { hint: 'Confirm with confirm: "Staging".' } },
    ],
    ['{"error":{"hint":null}}\n', { error: { hint: null } }],
  ])('%j are %j', async (stderr, data) => {
    expect(await resultOf({ code: 9, stderr })).toEqual(data);
  });
});

describe('a long result', () => {
  const textOf = (characters: number) => 'x'.repeat(characters - 2);
  const sizeOf = (value: unknown) => JSON.stringify(value).length;

  it('is whole with 100,000 characters, and cut with one more', async () => {
    const text = 'x'.repeat(100_000 - sizeOf({ text: '' }));
    expect(await resultOf({ stdout: text })).toEqual({ text });
    // Shorter by a tenth until it fits.
    expect(await resultOf({ stdout: `${text}x` })).toEqual({
      ...{ text: 'x'.repeat(Math.floor(room * 0.9)), truncated: true, next: [withFields] },
    });
  });

  it('has the start of an object, and of the first item of a list', async () => {
    const item = { name: 'x'.repeat(99_990) };
    const text = `{"name":"${'x'.repeat(Math.floor(Math.floor(room * 0.9) - 9))}`;
    const data = { text: expect.stringMatching(/^\{"name":"x+$/), truncated: true };
    for (const value of [item, [item, 1]]) {
      const result = await resultOf({ stdout: JSON.stringify(value) });
      expect(result).toEqual({ ...data, next: [withFields] });
      expect(sizeOf(result.text)).toBeGreaterThan(sizeOf(text) * 0.99);
    }
  });

  it('has the items that fit, and says how to get the others', async () => {
    // An item takes its characters and a comma.
    const fitting = [textOf(40_000 - 1), textOf(room - 40_000 - 1)];
    const stdout = (items: unknown[]) => JSON.stringify(items);
    expect(await resultOf({ stdout: stdout([...fitting, textOf(2_000)]) })).toEqual({
      ...{ items: fitting, truncated: true, next: [withLimit(2)] },
    });
    const others = [`${fitting[0]}x`, fitting[1], textOf(2_000)];
    expect(await resultOf({ stdout: stdout(others) }, { hasLimit: false })).toEqual({
      ...{ items: others.slice(0, 1), truncated: true },
      next: ['Call topics_list with `fields`, so that more items fit, or with narrower filters.'],
    });
    const { items } = await resultOf({ stdout: stdout(Array(2_000).fill(textOf(99))) });
    expect(items).toHaveLength(Math.floor(room / 100));
    const next = ['x'.repeat(100_000)];
    expect(await resultOf({ stdout: '[]', next })).toEqual({
      ...{ items: [], truncated: true, next: [withLimit(1)] },
    });
    expect(await resultOf({ next })).toEqual({ truncated: true });
  });

  it('has the first warnings, each cut, and the result beside them', async () => {
    const whole = textOf(1_000);
    const long = 'y'.repeat(2_000);
    const stderr = [whole, `${whole}x`, ...Array<string>(100).fill(long)].join('\n');
    const cut = Array<string>(8).fill('y'.repeat(900));
    const warnings = [whole, 'x'.repeat(Math.floor(999 * 0.9)), ...cut];
    const messages = { warnings, truncated: true, exitCode: 9, next: ['svc topics list'] };
    for (const [value, data] of [
      [[1, 2], { items: [1, 2] }],
      [{ _id: '1' }, { item: { _id: '1' } }],
    ] as const) {
      const stdout = JSON.stringify(value);
      const { next } = messages;
      expect(await resultOf({ code: 9, stdout, stderr, next })).toEqual({ ...data, ...messages });
    }
    const { items } = await resultOf({ stdout: JSON.stringify(Array(200).fill(whole)), stderr });
    expect(sizeOf(items)).toBeGreaterThan(85_000);
  });

  it('has an error of 10,000 characters as it is, and of a longer one the message', async () => {
    const text = 'x'.repeat(100_000);
    const head = { code: 6, name: 'refused' };
    const ofSize = (size: number) => {
      const error = { ...head, message: '', hint: 'h' };
      return { ...error, message: 'm'.repeat(size - sizeOf(error)) };
    };
    const resultWith = (error: object) =>
      resultOf({ code: 6, stdout: text, stderr: JSON.stringify({ error }) });
    expect((await resultWith(ofSize(10_000))).error).toEqual(ofSize(10_000));
    const { message } = ofSize(10_001);
    expect((await resultWith(ofSize(10_001))).error).toEqual({ ...head, message });
    const long = await resultWith(ofSize(30_000));
    expect(long.error).toEqual({ ...head, message: 'm'.repeat(9_000) });
  });
});
