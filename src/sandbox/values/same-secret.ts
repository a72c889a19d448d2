// Compares secrets in a time that does not depend on their content.
import { timingSafeEqual } from 'node:crypto';

export function isSameSecret(given: string, expected: string): boolean {
  const [bytes, expectedBytes] = [Buffer.from(given), Buffer.from(expected)];
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes);
}
