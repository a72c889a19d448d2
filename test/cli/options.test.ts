import { describe, expect, it } from 'vitest';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { globalOptions } from '../../src/cli/globals.ts';
import { takesId } from '../../src/cli/id-whitespace.ts';
import { parserOption } from '../../src/cli/parser.ts';
import { spell } from '../../src/cli/spelling.ts';
import { commandTree } from '../../src/commands/index.ts';
import { durationText, readDuration } from '../../src/core/durations.ts';

async function everyCommand(): Promise<[string, Command][]> {
  const flatten = (path: string[], node: Group | Command): [string, Command][] =>
    isGroup(node)
      ? Object.entries(node.commands).flatMap(([name, child]) => flatten([...path, name], child))
      : [[path.join(' '), node]];
  const loaded = await Promise.all(
    Object.entries(commandTree).map(async ([name, lazy]) => flatten([name], await lazy.load())),
  );
  return loaded.flat();
}

describe('every command', async () => {
  it.each(await everyCommand())(
    '%s has options with distinct attributes, a summary and examples',
    (path, command) => {
      const specs = Object.entries({ ...command.options, ...globalOptions });
      const attributes = specs.map(([attribute, option]) =>
        parserOption(attribute, {
          ...option,
          flags: option.flags.replace('[no-]', ''),
        } as never).attributeName(),
      );
      expect(new Set(attributes).size).toBe(attributes.length);
      // The color of an environment is the only option that hides a global one.
      const hidden = Object.keys(command.options ?? {}).filter((name) => name in globalOptions);
      expect(hidden).toEqual(/^environments (create|update)$/.test(path) ? ['color'] : []);
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
      const lines = Object.keys(command.examples);
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(line).toContain(`svc ${path}`);
    },
  );
});

/** The placeholders of a value: `id` and `last` for `<id|last>`. */
const placeholders = (syntax: string) => syntax.replace(/^[<[]|(\.\.\.)?[\]>]$/g, '').split('|');
const endsWith = (name: string, words: string) =>
  new RegExp(`^([\\w-]+-)?(${words})(?![\\w:=,-])`).test(name);

it('every value that is an id, a file or JSON is declared as one', async () => {
  const declared = (await everyCommand()).flatMap(([path, command]) => [
    ...Object.values(command.arguments ?? {}).map((spec) => ({ path, ...spec })),
    ...Object.values(command.options ?? {}).map((option) => ({
      ...option,
      path,
      syntax: spell(option).value ?? '',
    })),
  ]);
  const wrong = declared.filter((declaration) => {
    const { syntax, complete, value } = declaration;
    const names = placeholders(syntax);
    const isFile = names.some((name) => endsWith(name, 'file|folder|path|dir'));
    return (
      names.some((name) => endsWith(name, 'id|key')) !== takesId(declaration) ||
      (isFile && complete !== 'files' && value !== 'idOrPath') ||
      (names[0] === 'json') !== (value === 'json' || value === 'jsonList')
    );
  });
  // The path of a request does not name a file.
  expect(wrong.map(({ path, syntax }) => `${path} ${syntax}`)).toEqual(['api <path>']);
});

describe('a duration', () => {
  it.each([
    ['30s', 30_000],
    ['500ms', 500],
    ['1h30m', 5_400_000],
    ['0', 0],
    ['0.5s', 500],
  ])('of %s is %i ms', (text, ms) => {
    expect(readDuration(text)).toBe(ms);
  });

  it.each(['', 'soon', '5x', '-3s', '1h30'])('cannot be %j', (text) => {
    expect(() => readDuration(text)).toThrow('is not a duration');
  });

  it.each(['5', '100', '0.5'])('must have a unit, unlike %j', (text) => {
    expect(() => readDuration(text)).toThrow(
      `\`${text}\` has no unit: write ${text}ms or ${text}s`,
    );
  });

  it.each(['30s', '500ms', '1h30m', '2d', '1m5s', '0s'])(
    'of %s is formatted as it was parsed',
    (text) => {
      expect(durationText(readDuration(text))).toBe(text);
    },
  );
});
