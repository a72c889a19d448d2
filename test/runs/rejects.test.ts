// Rows that did not go through, as text in the form of the input.
import { expect, it } from 'vitest';
import type { InputRecord, RecordFormat } from '../../src/input/records.ts';
import { rejectsFormat } from '../../src/runs/rejects.ts';

const at = { row: 1, line: 7, start: 0, end: 0 };
const header = ['id', '_error', 'note', '_line'];

it.each<[string, RecordFormat, InputRecord, string]>([
  [
    'a CSV row, without what an earlier run said of it',
    'csv',
    { ...at, cells: ['a', 'old', 'x', '3'] },
    'a,x,7,no\n',
  ],
  ['a ragged CSV row with all its cells', 'csv', { ...at, cells: ['a', 'b'] }, 'a,b,7,no\n'],
  ['a CSV row without cells', 'csv', at, '7,no\n'],
  [
    'cells that need quotes in quotes',
    'csv',
    { ...at, cells: ['a,b', '', ' "x"\n', '3'] },
    '"a,b"," ""x""\n",7,no\n',
  ],
  ['an id of a list', 'lines', { ...at, cells: ['u1'] }, 'u1,7,no\n'],
  [
    'an object',
    'ndjson',
    { ...at, value: { a: 1, _error: 'old' } },
    '{"a":1,"_error":"no","_line":7}\n',
  ],
  ['what is no object', 'ndjson', { ...at, raw: '7' }, '{"_line":7,"_error":"no","_raw":"7"}\n'],
  ['an object of an array', 'json', { ...at, value: { a: 1 } }, '{"a":1,"_line":7,"_error":"no"}'],
])('rejects %s', (_name, format, record, text) => {
  expect(rejectsFormat(format, header).row(record, 'no')).toBe(text);
});

it.each<[RecordFormat, string, string, string]>([
  ['csv', 'id,note,_line,_error\n', '', ''],
  ['lines', 'subscriberId,_line,_error\n', '', ''],
  ['ndjson', '', '', ''],
  ['json', '[\n', ',\n', '\n]\n'],
])('frames a file of %s', (format, head, between, tail) => {
  expect(rejectsFormat(format, header)).toMatchObject({ head, between, tail });
});
