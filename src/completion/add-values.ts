// Adds values to the cache for completion. Failed writes are ignored.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../platform/files/atomic-write.ts';
import { type CachedValue, isSafeValue, readValues, withoutControls } from './cache.ts';

/** The maximum number of values per kind. The newest are kept. */
export const maxValues = 500;

/** Adds values before the existing ones, without duplicates. Replaces the file atomically, with mode 0600. */
export function addValues(folder: string, kind: string, values: readonly CachedValue[]): void {
  const fresh = values.filter(({ value, under = '' }) => isSafeValue(value) && isSafeValue(under));
  if (fresh.length === 0) return;
  const before = readValues(folder, kind);
  const kept = new Map<string, CachedValue>();
  for (const entry of [...fresh, ...before]) {
    const id = `${entry.under ?? ''}\t${entry.value}`;
    if (!kept.has(id)) kept.set(id, entry);
    if (kept.size === maxValues) break;
  }
  const text = serialize([...kept.values()]);
  if (text === serialize(before)) return;
  const file = join(folder, kind);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, text, { durable: false });
  } catch {
    // A full disk or a read-only folder.
  }
}

const serialize = (values: readonly CachedValue[]) =>
  values
    .map(({ value, under = '', name = '' }) => `${value}\t${under}\t${withoutControls(name)}\n`)
    .join('');
