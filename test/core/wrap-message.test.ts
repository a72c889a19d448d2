import { expect, it } from 'vitest';
import { wrapMessage } from '../../src/core/text.ts';

it('a message that fits stays as it is', () => {
  expect(wrapMessage('  one  two', 10)).toEqual(['  one  two']);
});

it('a longer message is broken at blanks, no wider than the terminal, with a hanging indent', () => {
  expect(wrapMessage('The service rejects the row.', 14)).toEqual([
    'The service',
    '  rejects the',
    '  row.',
  ]);
});

it('the lines of an indented message are indented further', () => {
  expect(wrapMessage('  email: not an e-mail address', 18)).toEqual([
    '  email: not an',
    '    e-mail address',
  ]);
});

it('a command at the end gets its own line and stays whole', () => {
  const command = 'svc runs resume 20260115-120000-000001';
  expect(wrapMessage(`Resume the run: ${command}`, 20)).toEqual([
    'Resume the run:',
    `  ${command}`,
  ]);
});

it('a path stays whole', () => {
  expect(wrapMessage('Rejected rows are in /folder/with/rejects.csv', 20)).toEqual([
    'Rejected rows are in',
    '  /folder/with/rejects.csv',
  ]);
});

it('a command in backticks stays whole', () => {
  expect(wrapMessage('Start it with `svc sandbox start`, or log in.', 26)).toEqual([
    'Start it with',
    '  `svc sandbox start`, or',
    '  log in.',
  ]);
});

it('a single backtick does not keep words together', () => {
  expect(wrapMessage('Expected ` or a quote here', 14)).toEqual([
    'Expected ` or',
    '  a quote here',
  ]);
});

it('blanks between words are kept', () => {
  expect(wrapMessage('  email  3 delivered, 2 failed', 22)).toEqual([
    '  email  3 delivered,',
    '    2 failed',
  ]);
});

it('a value in shell quotes stays whole, but words after an apostrophe do not', () => {
  const text = "The row's column needs --map email='E-mail address of the user', it's said.";
  expect(wrapMessage(text, 30)).toEqual([
    "The row's column needs --map",
    "  email='E-mail address of the user',",
    "  it's said.",
  ]);
});
