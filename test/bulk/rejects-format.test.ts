// Formatting rejected rows in the format of the input.
import { expect, it } from 'vitest';
import { rejectsFormat } from '../../src/bulk/journal/rejects.ts';
import type { InputRecord, RecordFormat } from '../../src/input/records.ts';

const at = { row: 1, line: 7, start: 0, end: 0 };
const header = ['id', '_error', 'note', '_line'];

it.each<[string, RecordFormat, InputRecord, string]>([
  [
    'a CSV row, without _line and _error of an earlier run',
    'csv',
    { ...at, cells: () => ['a', 'old', 'x', '3'] },
    '7,no,a,x\n',
  ],
  [
    'a short CSV row with the cells it has',
    'csv',
    { ...at, cells: () => ['a', 'old'] },
    '7,no,a\n',
  ],
  [
    'a long CSV row with all its cells',
    'csv',
    { ...at, cells: () => ['a', 'old', 'x', '3', 'more'] },
    '7,no,a,x,more\n',
  ],
  ['a CSV row without cells', 'csv', at, '7,no\n'],
  [
    'cells that need quotes in quotes',
    'csv',
    { ...at, cells: () => ['a,b', '', ' "x"\n', '3'] },
    '7,no,"a,b"," ""x""\n"\n',
  ],
  ['an id of a list', 'lines', { ...at, cells: () => ['u1'] }, '7,no,u1\n'],
  [
    'an object',
    'ndjson',
    { ...at, value: { a: 1, _error: 'old' } },
    '{"a":1,"_error":"no","_line":7}\n',
  ],
  [
    'a value that is not an object',
    'ndjson',
    { ...at, raw: '7' },
    '{"_line":7,"_error":"no","_raw":"7"}\n',
  ],
  ['an object of an array', 'json', { ...at, value: { a: 1 } }, '{"a":1,"_line":7,"_error":"no"}'],
])('rejects %s', (_name, format, record, text) => {
  expect(rejectsFormat(format, { header }).formatRow(record, 'no')).toBe(text);
});

it.each<[RecordFormat, string, string, string]>([
  ['csv', '_line,_error,id,note\n', '', ''],
  ['lines', '_line,_error,subscriberId\n', '', ''],
  ['ndjson', '', '', ''],
  ['json', '[\n', ',\n', '\n]\n'],
])('writes the header, separator and footer of %s', (format, head, separator, footer) => {
  expect(rejectsFormat(format, { header })).toMatchObject({ header: head, separator, footer });
});

it.each([
  [';', '7;no;a;x\n'],
  ['\t', '7\tno\ta\tx\n'],
  // Not detected automatically, so the retry would need --delimiter.
  ['|', '7,no,a,x\n'],
])('uses the delimiter of the input: %j', (delimiter, text) => {
  const record = { ...at, cells: () => ['a', 'x'] };
  const format = rejectsFormat('csv', { header: ['id', 'note'], delimiter });
  expect(format.formatRow(record, 'no')).toBe(text);
});

it.each([
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['a\tb', '"a\tb"'],
  ['a\rb', '"a\rb"'],
  ['a\nb', '"a\nb"'],
  ['say "hi"', '"say ""hi"""'],
  [' a', '" a"'],
  ['a ', '"a "'],
  ['a b', 'a b'],
  ["it's", "it's"],
  ['', ''],
])('writes the cell %j as %j', (cell, text) => {
  const format = rejectsFormat('csv', { header: ['id'] });
  expect(format.formatRow({ ...at, cells: () => [cell] }, 'no')).toBe(`7,no,${text}\n`);
});

it('quotes the reason and the names of columns', () => {
  const format = rejectsFormat('csv', { header: ['first,last'], delimiter: ';' });
  expect(format.header).toBe('_line;_error;"first,last"\n');
  expect(format.formatRow(at, 'a;b')).toBe('7;"a;b"\n');
});

it('names the column of a list of ids as asked, separated by commas', () => {
  const format = rejectsFormat('lines', { idField: 'messageId', delimiter: ';' });
  expect(format.header).toBe('_line,_error,messageId\n');
  expect(format.formatRow({ ...at, cells: () => ['a'] }, 'no')).toBe('7,no,a\n');
});

it('without a header writes only the line and the reason of CSV rows', () => {
  expect(rejectsFormat('csv').header).toBe('_line,_error\n');
});
