import { expect, it } from 'vitest';
import { wrapMessage } from '../../src/core/text.ts';

it('a message that fits stays as it is', () => {
  expect(wrapMessage('  one  two', 10)).toEqual(['  one  two']);
});

it('a longer message is broken at blanks, no wider than the terminal', () => {
  expect(wrapMessage('The service rejects the row.', 14)).toEqual([
    'The service',
    'rejects the',
    'row.',
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
    'Rejected rows are',
    'in',
    '/folder/with/rejects.csv',
  ]);
});
