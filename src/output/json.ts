// JSON text of values, exact numbers included.
import { hasExact } from '../core/lossless-json.ts';

/** JSON of a value; numbers that came longer than a double can hold are written as they came. */
export async function toJson(value: unknown, indent?: number): Promise<string> {
  if (!hasExact(value)) return JSON.stringify(value, null, indent) ?? 'null';
  return (await import('../core/lossless-json-parser.ts')).writeExact(value, indent);
}
