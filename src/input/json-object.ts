// The text of one JSON object, or of one id → a record.
import { isTooDeep, mayContainExactNumber, tooDeepReason } from '../core/lossless-json.ts';
import { parseValues } from '../core/lossless-json-parser.ts';
import { isObject } from '../core/objects.ts';
import { trimSpaces } from '../core/whitespace.ts';
import type { InputRecord, RecordPlace } from './record.ts';

export function objectRecord(text: string, { row, line, start, end }: RecordPlace): InputRecord {
  if (isTooDeep(text))
    return { row, line, start, end, raw: text.trim(), error: `is ${tooDeepReason}` };
  const hasLongNumbers = mayContainExactNumber(text);
  let value: unknown;
  try {
    value = hasLongNumbers ? parseValues(text) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { row, line, start, end, raw: text.trim(), error: `is not JSON: ${reason}` };
  }
  if (!isObject(value))
    return { row, line, start, end, raw: text.trim(), error: 'is not a JSON object' };
  const record = { row, line, start, end, value };
  return hasLongNumbers ? { ...record, hasLongNumbers } : record;
}

/** Returns the record for a line of a list of ids. */
export const idRecord = (text: string, { row, line, start, end }: RecordPlace): InputRecord => ({
  row,
  line,
  start,
  end,
  cells: () => [trimSpaces(text)],
});
