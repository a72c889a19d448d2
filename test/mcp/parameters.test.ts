// The parameters of a tool, by the arguments and options of its command: their schemas, and the words of a command line.
import { describe, expect, it } from 'vitest';
import { type Argument, command, type Group, type Option } from '../../src/cli/command.ts';
import {
  choice,
  flag,
  integer,
  json,
  oneOf,
  optional,
  required,
  rest,
  several,
  severalOf,
  text,
} from '../../src/cli/options.ts';
import { commandLine, describeTool, loadTools, type Tool } from '../../src/mcp/tools.ts';
import { noResult } from '../../src/output/result.ts';
import { words } from '../support/words.ts';

const root = {
  folder: '/root',
  resolve: (file: string, name: string) => {
    if (file.includes('..')) throw new Error(`${name}: ${file}`);
    return `/root/${file}`;
  },
};
const selected = { root, profile: 'dev', environment: 'Staging', globals: ['--profile=dev'] };

/** A tool of a command with these parameters. It only reads, unless `writes`. */
async function toolWith(
  options: Record<string, Option>,
  args: Record<string, Argument> = {},
  writes = false,
): Promise<Tool> {
  const ping = command({
    ...{ summary: 'Ping', arguments: args, options, output: 'The answers.', examples: {} },
    ...{ writes: false, tool: writes ? ('write' as const) : ('read' as const) },
    run: async () => noResult,
  });
  const group: Group = { summary: 'Ping hosts', commands: { send: ping } };
  const lazy = { section: 'Service', summary: 'Ping hosts', load: async () => group };
  const [tool] = await loadTools({ pings: lazy });
  if (!tool) throw new Error('no tool');
  return tool;
}

const propertiesOf = (tool: Tool) => describeTool(tool, 'Staging').inputSchema.properties;

/** The words that a call adds to the command line. */
function wordsOf(tool: Tool, input: Record<string, unknown>): string[] {
  const [, , ...words] = commandLine(tool, input, selected);
  expect(words.slice(0, 3)).toEqual(['--json', '--no-input', '--profile=dev']);
  return words.slice(3);
}

const summary = 'Summary';
const modes = ['', 'body'];
const switchOf = (isSwitch?: true) => ({
  tool: { summary: 'For a tool', ...(isSwitch ? { isSwitch } : {}) },
});
const texts = { type: 'array', items: { type: 'string' } };

describe('an option', () => {
  it.each([
    [text('--x <text>', summary), { type: 'string' }, [['a b', ['--x=a b']]]],
    [
      text('--x <text>', summary, { defaultText: '50' }),
      { type: 'string', description: 'Summary (default: 50)' },
      [['', ['--x=']]],
    ],
    [
      flag('--x', summary),
      { type: 'boolean' },
      [
        [true, ['--x']],
        [false, []],
      ],
    ],
    [
      flag('--[no-]x', summary),
      { type: 'boolean' },
      [
        [true, ['--x']],
        [false, ['--no-x']],
      ],
    ],
    [
      choice('--x[=body]', modes, summary),
      { type: 'string', enum: ['body'] },
      [['body', ['--x=body']]],
    ],
    [
      choice('--x[=body]', modes, summary, switchOf()),
      { type: 'string', enum: ['body'], description: 'For a tool' },
      [['body', ['--x=body']]],
    ],
    [
      choice('--x[=body]', modes, summary, switchOf(true)),
      { type: 'boolean', description: 'For a tool' },
      [[true, ['--x']]],
    ],
    [
      choice('--x <kind>', ['a', 'b'], summary, switchOf(true)),
      { type: 'string', enum: ['a', 'b'], description: 'For a tool' },
      [['a', ['--x=a']]],
    ],
    [integer('--x <n>', summary, { min: 1 }), { type: 'integer', minimum: 1 }, [[7, ['--x=7']]]],
    [
      integer('--x <n>', summary, { min: 0, max: 9 }),
      { type: 'integer', minimum: 0, maximum: 9 },
      [[0, ['--x=0']]],
    ],
    [
      several('--x <text>', summary),
      texts,
      [
        [
          ['a', 'b,c'],
          ['--x=a', '--x=b,c'],
        ],
      ],
    ],
    [
      severalOf('--x <kind>', ['a', 'b'], summary),
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      [[['a'], ['--x=a']]],
    ],
    [json('--x <json>', summary), { type: 'object' }, [[{ a: [1] }, ['--x={"a":[1]}']]]],
    [
      text('--x <json>', summary, { value: 'jsonList' }),
      { type: 'array', items: { type: 'object' } },
      [[[{ a: 1 }, { b: 2 }], ['--x=[{"a":1},{"b":2}]']]],
    ],
    [
      several('--x <file>', summary, { complete: 'files' }),
      texts,
      [
        [
          ['a', 'b/c'],
          ['--x=/root/a', '--x=/root/b/c'],
        ],
      ],
    ],
    [
      text('--x <id|path>', summary, { value: 'idOrPath' }),
      { type: 'string' },
      [
        ['an-id', ['--x=an-id']],
        ['an/id', ['--x=/root/an/id']],
      ],
    ],
  ] satisfies [Option, object, [unknown, string[]][]][])('%j is %j', async (...row) => {
    const [option, schema, calls] = row;
    const tool = await toolWith({ x: option });
    const described = propertiesOf(tool);
    expect(Object.keys(described)).toEqual(['x', 'fields']);
    expect(described).toMatchObject({ x: { description: summary, ...schema } });
    expect(JSON.parse(JSON.stringify(described)).x).toEqual({ description: summary, ...schema });
    for (const [value, words] of calls)
      expect(wordsOf(tool, { x: value })).toEqual([...words, '--']);
    for (const value of [null, undefined]) expect(wordsOf(tool, { x: value })).toEqual(['--']);
  });

  it.each([
    [{ n: '5' }, 'n must be a whole number.'],
    [{ n: 1.5 }, 'n must be a whole number.'],
    [{ on: 'true' }, 'on must be true or false.'],
    [{ data: [1] }, 'data must be a JSON object.'],
    [{ data: 'a' }, 'data must be a JSON object.'],
    [{ all: ['a', 1] }, 'all must be an array, each item a text.'],
    [{ all: 'a' }, 'all must be an array, each item a text.'],
    [{ rules: [{}, 'a'] }, 'rules must be an array, each item a JSON object.'],
    [{ name: 1 }, 'name must be a text.'],
    [{ name: 'a\0b' }, 'name must be a text.'],
    [{ all: ['a\0'] }, 'all must be an array, each item a text.'],
    [{ file: '../a' }, 'file: ../a'],
    [{ dir: 'a' }, 'dir2: ../default'],
  ])('does not take %j', async (input, message) => {
    const tool = await toolWith({
      ...{ n: integer('--n <n>', summary, { min: 1 }), on: flag('--on', summary) },
      ...{ data: json('--data <json>', summary), all: several('--all <text>', summary) },
      rules: text('--rules <json>', summary, { value: 'jsonList' }),
      name: text('--name <text>', summary),
      file: text('--file <file>', summary, { complete: 'files' }),
      ...('dir' in input
        ? {
            dir: text('--dir <dir>', summary, { complete: 'files', defaultText: 'default' }),
            dir2: text('--dir2 <dir>', summary, { complete: 'files', defaultText: '../default' }),
          }
        : {}),
    });
    expect(() => wordsOf(tool, input)).toThrow(expect.objectContaining({ message }));
  });
});

describe('an argument', () => {
  const args = {
    host: required('<host>', 'Host'),
    kind: oneOf('[kind]', ['a', 'b'], 'Kind'),
    given: rest('[probe-id...]', 'Probes'),
    hidden: { ...optional('[hidden]', 'Hidden'), tool: false as const },
  };

  it('is a word after `--`, in the order of the command', async () => {
    const tool = await toolWith({}, args);
    const { properties, required: needed } = describeTool(tool, 'Staging').inputSchema;
    expect(properties).toEqual({
      host: { type: 'string', description: 'Host' },
      kind: { type: 'string', enum: ['a', 'b'], description: 'Kind' },
      probeIds: { ...texts, description: 'Probes' },
      fields: expect.anything(),
    });
    expect(Object.keys(properties)).toEqual(['host', 'kind', 'probeIds', 'fields']);
    expect(needed).toEqual(['host']);
    expect(wordsOf(tool, { probeIds: ['--p', 'q'], kind: 'b', host: '-h' })).toEqual(
      words`-- -h b --p q`,
    );
    expect(wordsOf(tool, { host: 'h' })).toEqual(['--', 'h']);
    expect(() => wordsOf(tool, {})).toThrow('Missing host.');
  });

  it('that names a profile is that of the server, unless it is optional', async () => {
    const ofProfile = {
      from: required('<profile-a>', 'First', 'profiles'),
      to: optional('[profile-b]', 'Second', 'profiles'),
      topic: required('<topic>', 'Topic'),
    };
    const tool = await toolWith({}, ofProfile);
    expect(Object.keys(propertiesOf(tool))).toEqual(['topic', 'fields']);
    expect(wordsOf(tool, { topic: 'a' })).toEqual(['--', 'dev', 'a']);
    const without = commandLine(tool, { topic: 'a' }, { ...selected, profile: undefined });
    expect(without.slice(-2)).toEqual(['--', 'a']);
    expect(() => wordsOf(tool, { profile: 'x' })).toThrow(
      expect.objectContaining({
        message: '`profile` is not a parameter of pings_send.',
        details: expect.objectContaining({ hint: 'Its parameters are: topic, fields.' }),
      }),
    );
  });
});

describe('a tool that writes', () => {
  it('also takes what makes a write safe', async () => {
    const tool = await toolWith({}, {}, true);
    expect(propertiesOf(tool)).toEqual({
      fields: { ...texts, description: 'Print only these fields, in any format' },
      dryRun: { type: 'boolean', description: 'Print write requests without sending them' },
      idempotencyKey: {
        type: 'string',
        description:
          'Idempotency key to send, so that the service applies a repeated request only once',
      },
      confirm: {
        type: 'string',
        description:
          'The name of the environment, Staging: confirms what the command would ask a person',
      },
    });
    const input = { idempotencyKey: 'k', dryRun: true, fields: ['a', 'b'], confirm: 'Staging' };
    expect(wordsOf(tool, input)).toEqual(
      words`--yes --fields=a --fields=b --dry-run --idempotency-key=k --`,
    );
    for (const confirm of [null, undefined])
      expect(wordsOf(tool, { confirm, dryRun: false })).toEqual(['--']);
    expect(() => wordsOf(tool, { confirm: '' })).toThrow(
      'confirm must be the name of the environment, `Staging`. Nothing was done.',
    );
  });
});
