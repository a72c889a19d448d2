// A text that should be one JSON object → a record.
import type { InputRecord, RecordPlace } from './records.ts';

export function objectRecord(text: string, { row, line, start, end }: RecordPlace): InputRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return { row, line, start, end, raw: text.trim(), error: `is not JSON: ${why}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { row, line, start, end, raw: text.trim(), error: 'is not a JSON object' };
  return { row, line, start, end, value: value as Record<string, unknown> };
}

/** A line of a list of ids. */
export const idRecord = (text: string, { row, line, start, end }: RecordPlace): InputRecord => ({
  row,
  line,
  start,
  end,
  cells: [text.trim()],
});
