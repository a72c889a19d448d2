// Text that every SQLite stores and returns alike.
import type { SqlValue } from './driver.ts';

/**
 * Replaces NUL and lone surrogates by U+FFFD: some drivers cut text at a NUL, and lone surrogates have no
 * UTF-8 form.
 */
export const toStorable = (value: SqlValue): SqlValue =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value;
