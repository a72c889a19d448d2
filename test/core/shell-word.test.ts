// Words of a shell.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWord, splitShellWords } from '../../src/core/text.ts';

const words = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...`' "\\|<-p=\n$\``) }),
  ),
);

it('are the same after they are quoted, joined and split', () => {
  fc.assert(
    fc.property(words, (given) => {
      const quoted = given.map(shellWord);
      const split = splitShellWords(quoted.join(' '));
      expect(split.map(({ text }) => text)).toEqual(given);
      expect(split.map((word) => word.quoted)).toEqual(quoted);
    }),
  );
});

it.each([
  ["it's", ['its']],
  ["--file='a b'  c", ['--file=a b', 'c']],
  ["''", ['']],
  ['a\\ b', ['a b']],
])('of %s are %j', (line, expected) =>
  expect(splitShellWords(line).map(({ text }) => text)).toEqual(expected),
);
