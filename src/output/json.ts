// JSON text of values, exact numbers included.
import { hasExact } from '../exact-numbers.ts';

/** JSON of a value; numbers that came longer than a double can hold are written as they came. */
export async function toJson(value: unknown, indent?: number): Promise<string> {
  if (!hasExact(value)) return JSON.stringify(value, null, indent) ?? 'null';
  return (await import('../exact-json.ts')).writeExact(value, indent);
}
