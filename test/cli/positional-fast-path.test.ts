// The fast path for positional arguments returns the same result as the parser.
import { describe, expect, it } from 'vitest';
import { command } from '../../src/cli/command.ts';
import { parsePositionals } from '../../src/cli/locate.ts';
import { oneOf, optional, required, rest } from '../../src/cli/options.ts';
import { parse } from '../../src/cli/parser.ts';
import { noResult } from '../../src/output/result.ts';

const taking = (args: Parameters<typeof command>[0]['arguments']) =>
  command({
    summary: 'Test',
    ...(args ? { arguments: args } : {}),
    writes: false,
    output: '',
    examples: { 'svc test': 'x', 'svc test --help': 'x' },
    run: async () => noResult,
  });

const none = taking(undefined);
const two = taking({ first: required('<first>', 'x'), second: optional('[second]', 'x') });
const many = taking({ first: required('<first>', 'x'), others: rest('[other...]', 'x') });

describe('a line of positional arguments', () => {
  it.each([
    [none, []],
    [two, ['a']],
    [two, ['a', 'b c']],
    [two, ['', 'b']],
    [many, ['a']],
    [many, ['a', 'b', 'c']],
  ])('is parsed as the parser would (%#)', (definition, words) => {
    const { args } = parse(['test'], definition, words);
    expect(parsePositionals(definition, words)?.args).toEqual({
      ...args,
      ...('others' in args ? { others: args.others ?? [] } : {}),
    });
  });

  it.each([
    [none, ['a']],
    [two, []],
    [two, ['a', 'b', 'c']],
    [two, ['-a']],
    [two, ['a', '--', 'b']],
    [taking({ state: oneOf('<state>', ['on'], 'x') }), ['on']],
  ])('is left to the parser if it has options, choices or errors (%#)', (definition, words) => {
    expect(parsePositionals(definition, words)).toBeUndefined();
  });
});
