// A record of a CSV file. It keeps its text, so that the cells can be released to save memory and read again later.
import { openBlock } from './blocks.ts';
import { readPlain, readQuoted } from './csv-cells.ts';
import type { InputRecord, RecordPlace } from './record.ts';

interface CsvRecord extends InputRecord {
  /** The bytes of the record as Latin-1. */
  text: string;
  parsed: readonly string[] | undefined;
}

/** Returns a function that creates a valid record from its text and its cells. */
export function createCsvRecords(delimiter: string) {
  const parse = (text: string): readonly string[] => {
    const block = openBlock(Buffer.from(text, 'latin1'), 0);
    return text.includes('"')
      ? readQuoted(block, 0, delimiter).cells
      : readPlain(block, 0, text.length, delimiter).cells;
  };
  // Shared by all records and called with `this`, because two functions per record would cost memory.
  function cells(this: CsvRecord): readonly string[] {
    return this.parsed ?? parse(this.text);
  }
  function release(this: CsvRecord): void {
    this.parsed = undefined;
  }
  return (
    { row, line, start, end }: RecordPlace,
    text: string,
    parsed: readonly string[],
  ): CsvRecord => {
    const isPlain = plainText.test(text);
    return { row, line, start, end, text, parsed, isPlain, cells, release };
  };
}

/** Printable ASCII characters that JSON does not escape. */
const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
