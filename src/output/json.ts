// Writes JSON, including numbers that a double cannot represent.
import { containsExactNumber } from '../core/lossless-json.ts';

/** JSON text of a value. Exact numbers keep their original digits. */
export async function toJson(value: unknown, indent?: number): Promise<string> {
  if (!containsExactNumber(value)) return JSON.stringify(value, null, indent) ?? 'null';
  return (await import('../core/lossless-json-parser.ts')).writeExact(value, indent);
}
