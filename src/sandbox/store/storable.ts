// Replaces characters that SQLite drivers store differently.
import type { SqlValue } from './driver.ts';

/** Replaces NUL (some drivers cut text there) and lone surrogates (they have no UTF-8 form) by U+FFFD. */
export const toStorable = (value: SqlValue): SqlValue =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value;
