// The size of a CSV record: at most 1 MiB, at any size of the chunks.
import { describe, expect, it } from 'vitest';
import { type ReadOptions, read } from '../input/reading.ts';

const csv = (text: string | Buffer, options: ReadOptions = {}) =>
  read(text, { format: 'csv', ...options });

describe('the size of a CSV record', () => {
  const mebibyte = 1024 * 1024;
  it.each([[[mebibyte * 8]], [[65_536]], [[4097]]])(
    'limits an unclosed quote (chunks of %j)',
    async (sizes) => {
      const text = `a,b\n1,2\n3,"${'x\n'.repeat(mebibyte)}`;
      await expect(csv(text, { sizes })).rejects.toMatchObject({
        exitReason: 'partial',
        message:
          'standard input cannot be read to the end: the quote that opens on line 3 is not closed.',
      });
    },
  );

  const long = 'x'.repeat(2 * mebibyte);
  it.each<[string, string, number]>([
    ['a long cell', `u1,${long}`, 0],
    ['a long quoted cell', `u1,"${long}"`, 0],
    ['a long quoted cell of many lines', `u1,"${'x\r\n'.repeat(mebibyte)}"`, mebibyte],
    ['a long quoted cell of doubled quotes', `u1,"${'""'.repeat(mebibyte)}"`, 0],
    ['many cells', `u1${',"1\n"'.repeat(mebibyte / 2)}`, mebibyte / 2],
    ['cells after the long one', `u1,"${long}",a,"b\rc"`, 1],
    ['a misplaced quote before the long cell', `u1,"a"b,"${long}"`, 0],
  ])('rejects a record with %s and continues after it', async (_name, record, lines) => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const sizes of [[mebibyte * 8], [65_536], [mebibyte + 7, 1, 2]]) {
        const before = `a,b${end}1,2${end}`;
        const { records } = await csv(`${before}${record}${end}3,4${end}`, { sizes });
        expect(records.map(({ row, line, error }) => [row, line, error])).toEqual([
          [1, 2, undefined],
          [2, 3, 'is longer than 1 MiB'],
          [3, 4 + lines, undefined],
        ]);
        const [, overlong, next] = records;
        expect(overlong?.cells?.[0]).toBe('u1');
        expect(overlong).toMatchObject({
          start: before.length,
          end: before.length + record.length,
          raw: record.slice(0, 1000),
        });
        expect(next?.start).toBe(before.length + record.length + end.length);
      }
    }
  });

  it.each([[[mebibyte * 8]], [[65_536]]])(
    'is also checked for the last record (chunks of %j)',
    async (sizes) => {
      for (const record of [`u1,${long}`, `u1,"${long}"`, `u1,"${long}"\r`]) {
        const { records } = await csv(`a,b\n${record}`, { sizes });
        expect(records.map(({ line, error, cells }) => [line, error, cells])).toEqual([
          [2, 'is longer than 1 MiB', ['u1']],
        ]);
      }
    },
  );

  it('does not matter for a skipped record, which counts', async () => {
    const { records } = await csv(`a,b\n1,${long}\n2,${long}\n3,4\n`, { skip: 1 });
    expect(records.map(({ row, line, error }) => [row, line, error])).toEqual([
      [2, 3, 'is longer than 1 MiB'],
      [3, 4, undefined],
    ]);
  });

  it('over 1 MiB in the header is a usage error', async () => {
    await expect(csv(`a,${long}\n1,2\n`)).rejects.toMatchObject({
      exitReason: 'usage',
      message: 'standard input: the header on line 1 is longer than 1 MiB.',
    });
  });

  it.each<[string, string, number]>([
    ['is not closed', `3,"${long}`, 3],
    ['closes at the next opening quote', `3,"${long}\n4,"x"\n`, 3],
    ['opens after a long cell and is not closed', `3,"${'x\n'.repeat(mebibyte)}","y`, 3 + mebibyte],
    ['does not close within 16 MiB', `3,"${'x'.repeat(17 * mebibyte)}"\n`, 3],
  ])('stops the reading at a quote that %s', async (_name, rest, line) => {
    for (const sizes of [[mebibyte * 32], [65_536]]) {
      await expect(csv(`a,b\n1,2\n${rest}`, { sizes })).rejects.toMatchObject({
        exitReason: 'partial',
        message: `standard input cannot be read to the end: the quote that opens on line ${line} is not closed.`,
      });
    }
  });

  it.each([[[mebibyte * 8]], [[65_536]], [[4097]]])(
    'may be exactly 1 MiB (chunks of %j)',
    async (sizes) => {
      const cell = '""\n'.repeat(mebibyte / 4).padEnd(mebibyte - 4, 'x');
      const { records } = await csv(`a,b\r"${cell}",1\r3,4`, { sizes });
      expect(records.map(({ line, error }) => [line, error])).toEqual([
        [2, undefined],
        [2 + cell.split('\n').length, undefined],
      ]);
      expect(records[0]?.cells?.[0]).toBe(cell.replaceAll('""', '"'));
    },
  );
});
