// State files whose lists have one item in a line are read without the YAML parser, with the same result.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SvcError } from '../../src/core/errors.ts';
import { jsonLine } from '../../src/core/lossless-json.ts';
import { parseYaml } from '../../src/core/yaml.ts';
import { takeItemLines } from '../../src/sandbox/state/file.ts';
import { readState } from '../support/sandbox-311.ts';
import { thrown } from '../support/thrown.ts';

const stateText = (lists: Record<string, readonly unknown[]>, name = 'Development') =>
  `version: 1\nenvironments:\n  - name: ${name}\n${Object.entries(lists)
    .map(
      ([list, items]) =>
        `    ${list}:\n${items.map((item) => `      - ${jsonLine(item)}\n`).join('')}`,
    )
    .join('')}`;

const readByLines = (text: string) => {
  const lines = takeItemLines(text);
  const { value } = parseYaml(lines.rest);
  lines.addTo(value);
  return { value, isTaken: lines.rest !== text };
};

/** The errors of a file that is not valid. */
function errorMessages(text: string): string[] {
  const error = thrown(() => readState(text, 'f.yaml'));
  if (!(error instanceof SvcError)) throw new Error('the file is valid');
  return (error.details.fieldErrors ?? []).map(({ message }) => message);
}

const lists = {
  subscribers: [
    { subscriberId: 'u1', firstName: 'Ada' },
    { subscriberId: 'u2', data: { a: [1, null] } },
  ],
  topics: [{ key: 't', subscribers: ['u1'] }],
  contexts: [{ type: 'tenant', id: 'a' }],
};

it('any items are the same as those that the YAML parser reads', () => {
  const text = fc.string({ unit: 'binary', maxLength: 8 });
  const item = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 3 })), {
    maxKeys: 4,
  });
  const some = fc.array(item, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(some, some, (subscribers, contexts) => {
      const file = stateText({ subscribers, contexts });
      const { value } = readByLines(file);
      expect(value).toEqual(parseYaml(file).value);
    }),
    { numRuns: 25 },
  );
});

it('every list of such a file is read by lines', () => {
  const { rest } = takeItemLines(stateText(lists));
  expect(rest.replace(/\n+/g, '\n')).toBe(
    'version: 1\nenvironments:\n  - name: Development\n    subscribers:\n    topics:\n    contexts:\n',
  );
});

describe('the YAML parser reads a list', () => {
  const text = stateText(lists);
  it.each([
    [
      'with a space that JSON does not need',
      text.replace('{"subscriberId":"u1"', '{ "subscriberId":"u1"'),
    ],
    [
      'with an item in several lines',
      text.replace('    topics:', '      - subscriberId: u3\n    topics:'),
    ],
    ['with a comment', text.replace('    topics:', '      # more\n    topics:')],
    ['with an empty line', text.replace('    topics:', '\n    topics:')],
    ['with a number that a double cannot represent', text.replace('[1,', '[12345678901234567890,')],
  ])('%s', (_what, edited) => {
    const { isTaken, value } = readByLines(edited);
    expect(value).toEqual(parseYaml(edited).value);
    // The other lists are still read by lines.
    expect(isTaken).toBe(true);
    expect(takeItemLines(edited).rest).toContain('subscriberId');
  });

  it('with a name that occurs twice, and reports it', () => {
    const edited = text.replace('"firstName":"Ada"', '"firstName":"Ada","firstName":"Bob"');
    expect(errorMessages(edited)[0]).toMatch(/^f\.yaml:5:\d+: Map keys must be unique/);
  });

  it('in a file with another form', () => {
    const text = `environments:\n  - name: Development\n    description: |\n        x\n${stateText(lists).split('Development\n')[1]}version: 1\n`;
    expect(readByLines(text).isTaken).toBe(false);
  });
});

it('errors have the line of the item, and the column of the field', () => {
  const text = stateText({
    subscribers: [{ subscriberId: 'u1' }, { subscriberId: 'u2', email: 'x', color: 1 }],
    topics: [{ key: 't', subscribers: ['u1', 'u9'] }],
    contexts: [{ type: 'tenant', id: '' }],
  });
  const messages = errorMessages(text);
  expect(messages).toEqual([
    'f.yaml:6:30: environments[0].subscribers[1].email not an e-mail address',
    'f.yaml:6:42: environments[0].subscribers[1].color is an unknown field',
    'f.yaml:10:26: environments[0].contexts[0].id is empty',
  ]);
  // The same as by the YAML parser.
  expect(errorMessages(text.replace('version: 1\n', 'version:  1\n'))).toEqual(messages);
});
