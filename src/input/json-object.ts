// A text that should be one JSON object → a record.
import { isTooDeep, tooDeepReason } from '../core/json-depth.ts';
import { hasLongNumber } from '../core/lossless-json.ts';
import { parseValues } from '../core/lossless-json-parser.ts';
import type { InputRecord, RecordPlace } from './records.ts';

export function objectRecord(text: string, { row, line, start, end }: RecordPlace): InputRecord {
  if (isTooDeep(text))
    return { row, line, start, end, raw: text.trim(), error: `is ${tooDeepReason}` };
  const exact = hasLongNumber(text);
  let value: unknown;
  try {
    value = exact ? parseValues(text) : JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return { row, line, start, end, raw: text.trim(), error: `is not JSON: ${why}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { row, line, start, end, raw: text.trim(), error: 'is not a JSON object' };
  const record = { row, line, start, end, value: value as Record<string, unknown> };
  return exact ? { ...record, exact } : record;
}

/** A line of a list of ids. */
export const idRecord = (text: string, { row, line, start, end }: RecordPlace): InputRecord => ({
  row,
  line,
  start,
  end,
  cells: [text.trim()],
});
