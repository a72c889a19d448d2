import type { CellBytes } from './cell-bytes.ts';

/** The position of a record in the input. */
export interface RecordPlace {
  /** Number of the record, starting at 1. Invalid records count; the header and blank lines do not. */
  row: number;
  /** First line of the record, starting at 1. */
  line: number;
  /** Byte offsets of its start and end (exclusive, without the line end), after decompression and conversion to
   * UTF-8. */
  start: number;
  end: number;
}

/** One record: its position, and its cells, its value or its error. */
export interface InputRecord extends RecordPlace {
  /** CSV cells in the order of the header; in a list of ids, the id. */
  cells?(): readonly string[];
  /** The CSV cells as bytes, starting with cell number `firstCell`; undefined once they are released. */
  cellBytes?: CellBytes | undefined;
  firstCell?: number;
  /** Frees the memory of the cells. `cells` reads them again from the text of the record. */
  release?(): void;
  value?: Record<string, unknown>;
  /** The object may contain numbers that a double cannot represent. */
  hasLongNumbers?: boolean;
  /** The original text of an invalid record. */
  raw?: string;
  error?: string;
  /** All CSV cells are blank. */
  isBlank?: true;
}
