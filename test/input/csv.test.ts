// The CSV reader: edge cases, each read at once and in short chunks.
import { describe, expect, it } from 'vitest';
import { SvcError } from '../../src/core/errors.ts';
import { type ReadOptions, read } from './reading.ts';

const csv = (text: string | Buffer, options: ReadOptions = {}) =>
  read(text, { format: 'csv', ...options });
const latin = (text: string) => Buffer.from(text, 'latin1');
const misplaced = 'has a quote in the wrong place';

describe.each([
  ['at once', [1e9]],
  ['byte by byte', [1]],
  ['in chunks of 3 bytes', [3]],
])('CSV read %s', (_name, sizes) => {
  it.each<[string, string, string[][]]>([
    [
      'LF',
      'a,b\n1,2\n3,4\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n3,4\r\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'CR',
      'a,b\r1,2\r3,4\r',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'a last line without a line end',
      'a,b\n1,2\n3,4',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'blank lines',
      '\n\na,b\n\n1,2\r\n\r\n\r\n3,4\n\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['only a header', 'a,b', []],
    [
      'empty cells',
      'a,b\n,\n"",""\n1,\n',
      [
        ['', ''],
        ['', ''],
        ['1', ''],
      ],
    ],
    ['one column', 'a\n1\n""\n\n" "\n \n', [['1'], [''], [' '], [' ']]],
    ['a delimiter in quotes', 'a,b\n"1,1","2\t;"\n', [['1,1', '2\t;']]],
    [
      'doubled quotes',
      'a,b\n"""","x"" y"\n"""a""",""""""\n',
      [
        ['"', 'x" y'],
        ['"a"', '""'],
      ],
    ],
    [
      'line ends in quotes',
      'a,b\n"1\n2","3\r\n4\r"\n5,6\n',
      [
        ['1\n2', '3\r\n4\r'],
        ['5', '6'],
      ],
    ],
    ['a quoted cell at the end of the file', 'a,b\r\n1,"2"', [['1', '2']]],
    ['spaces, which are kept', 'a,b\n 1 , 2\n', [[' 1 ', ' 2']]],
    ['a quoted header', '"a","b,c"\n1,2\n', [['1', '2']]],
    [
      'non-ASCII text',
      'a,b\nZoë,京都\n"🎉, 🎉",ß\n',
      [
        ['Zoë', '京都'],
        ['🎉, 🎉', 'ß'],
      ],
    ],
    ['a genuine U+FFFD', 'a,b\n\ufffd,1\n', [['\ufffd', '1']]],
    ['names of object members', '__proto__,constructor\n1,2\n', [['1', '2']]],
  ])('may have %s', async (_name, text, cells) => {
    const { records } = await csv(text, { sizes });
    expect(records.map((record) => record.cells)).toEqual(cells);
    expect(records.filter(({ error }) => error)).toEqual([]);
  });

  it.each<[string, string | Buffer, [number, string, string][]]>([
    [
      'a ragged row',
      'a,b\n1\n2,3\n4,5,6\n',
      [
        [2, '1', 'has 1 cell, the header has 2'],
        [4, '4,5,6', 'has 3 cells, the header has 2'],
      ],
    ],
    ['a quote inside a cell', 'a,b\nx"y,1\n2,3\n', [[2, 'x"y,1', misplaced]]],
    ['text after a quoted cell', 'a,b\n"x"y,1\n2,3\n', [[2, '"x"y,1', misplaced]]],
    ['a space before a quote', 'a,b\n1, "2"\n2,3\n', [[2, '1, "2"', misplaced]]],
    [
      'a misplaced quote before a cell of two lines',
      'a,b\nx"y,"1\n2"\n2,3\n',
      [[2, 'x"y,"1\n2"', misplaced]],
    ],
    [
      'bytes that are not UTF-8',
      latin('a,b\nZo\xeb,1\n2,3\n'),
      [[2, 'Zoë,1', 'is not valid UTF-8, probably windows-1252: use --encoding windows-1252']],
    ],
    [
      'such bytes in a quoted cell',
      latin('a,b\n"Zo\xeb",1\n2,3\n'),
      [[2, '"Zoë",1', 'is not valid UTF-8, probably windows-1252: use --encoding windows-1252']],
    ],
    [
      'an incomplete character before a delimiter',
      latin('a,b\n\xf0\x9f\x8e,1\n2,3\n'),
      [[2, '\xf0\x9f\x8e,1', 'is not valid UTF-8']],
    ],
    [
      'an incomplete character at the end',
      latin('a,b\n2,3\n1,\xc3'),
      [[3, '1,\xc3', 'is not valid UTF-8, probably windows-1252: use --encoding windows-1252']],
    ],
  ])('with %s rejects only that record', async (_name, text, errors) => {
    const { records } = await csv(text, { sizes });
    const bad = records.filter(({ error }) => error !== undefined);
    expect(bad.map(({ line, raw, error }) => [line, raw, error])).toEqual(errors);
    expect(records.find(({ error }) => error === undefined)?.cells).toEqual(['2', '3']);
  });

  it.each<[string, string | Buffer, string, string]>([
    ['a column without a name, like a row', '1,,c\n', 'usage', 'column 2 has no name'],
    [
      'two columns with the same name, like a row',
      '1,b, 1\n',
      'usage',
      'has two columns named `1`',
    ],
    [
      'a misplaced quote in the header',
      'a,b"\n',
      'usage',
      'the header on line 1 has a quote in the',
    ],
    ['a header that is not UTF-8', latin('\na,\xeb\n'), 'usage', 'line 2 is not valid UTF-8'],
    ['an unclosed quote in the header', 'a,"b\n', 'usage', 'the quote that opens on line 1 is not'],
    ['an unclosed quote', 'a,b\n"1\n",2\n3,"4\n5,6\n', 'partial', 'that opens on line 4 is'],
    [
      'an unclosed quote after a cell of two lines',
      'a,b\n"1\n",\n1,2\n"3\n4","5',
      'partial',
      'opens on line 6 is',
    ],
  ])('with %s cannot be read', async (_name, text, exitReason, message) => {
    const error = await csv(text, { sizes }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SvcError);
    expect(error).toMatchObject({ exitReason, message: expect.stringContaining(message) });
  });

  it.each(['', '\n\r\n\n', '\ufeff'])('has no header and no rows for %j', async (text) => {
    const { format, header, records } = await csv(text, { sizes });
    expect({ format, header, records }).toEqual({ format: 'csv', header: undefined, records: [] });
  });

  it('has the row number, line and byte range of each record', async () => {
    const text = '\ufeffid,n\r\n\r\n1,"a\r\nb"\r\n2,ë\r\n\r\n3,x';
    const { records } = await csv(text, { sizes });
    expect(records.map(({ row, line, start, end }) => [row, line, start, end])).toEqual([
      [1, 3, 11, 19],
      [2, 5, 21, 25],
      [3, 7, 29, 32],
    ]);
    const bytes = Buffer.from(text);
    expect(records.map(({ start, end }) => bytes.toString('utf8', start, end))).toEqual([
      '1,"a\r\nb"',
      '2,ë',
      '3,x',
    ]);
  });

  it('keeps row numbers and lines with skip and take', async () => {
    const text = 'a,b\n1,\n\n"2\n",\n3\n4,\n5,\n6,\n';
    const { header, records } = await csv(text, { sizes, skip: 2, take: 2 });
    expect(header).toEqual(['a', 'b']);
    expect(records.map(({ row, line, raw, cells }) => [row, line, raw ?? cells])).toEqual([
      [3, 6, '3'],
      [4, 7, ['4', '']],
    ]);
  });
});

describe('the CSV delimiter', () => {
  it.each([
    ['a;b\n1;2\n', undefined],
    ['a\tb\n1\t2\n', undefined],
    ['"x;y;z",b\n1,2\n', undefined],
    ['\r\n\na;b\n1;2\n', undefined],
    ['a|b\n1|2\n', '|'],
    ['a\tb\n1\t2\n', '\\t'],
    ['a\tb\n1\t2\n', 'tab'],
    ['a b\n1 2\n', ' '],
  ])('of %j is detected or given (%j)', async (text, delimiter) => {
    expect((await csv(text, { sizes: [1], delimiter })).records[0]?.cells).toEqual(['1', '2']);
  });

  it.each(['', '||', '"', '\n', 'é', '\\x'])('cannot be %j', async (delimiter) => {
    await expect(csv('a\n', { delimiter })).rejects.toMatchObject({
      exitReason: 'usage',
      message: expect.stringContaining('--delimiter: '),
    });
  });
});
