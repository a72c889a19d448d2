// The cache of completion values from earlier responses: one file per kind, one value per line.
// Files that cannot be read count as empty. Failed writes are ignored.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Configuration } from '../config/store.ts';
import { readRegularFile, replaceFile } from '../core/files.ts';

/** A value with its display name. */
export interface CachedValue {
  value: string;
  /** The resource it belongs to, such as the workflow of a step. */
  under?: string;
  name?: string;
}

/** The maximum number of values per kind. The newest are kept. */
export const maxValues = 500;

export interface CacheScope {
  profile?: string | undefined;
  baseUrl?: string | undefined;
  env: Record<string, string | undefined>;
}

/**
 * The cache folder for the service and environment of a command line. Profiles with the same address and
 * environment share a folder. A key from a variable has its own folder.
 */
export function valueFolder(cache: string, whose: CacheScope, stored: Configuration): string {
  const name = whose.profile || whose.env.SVC_PROFILE || stored.current || '';
  const profile = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
  const origin = whose.baseUrl || whose.env.SVC_BASE_URL || profile?.baseUrl || '';
  const own = whose.env.SVC_API_KEY ? `key-${hashTag(whose.env.SVC_API_KEY)}` : undefined;
  const environment = own ?? profile?.environment ?? name;
  const label = `${origin.replace(/\/(v1\/?)?$/, '')} ${environment}`;
  return join(cache, 'values', encodeURIComponent(label).slice(0, 200));
}

/** Distinguishes keys without revealing them: a 32-bit FNV-1a hash. */
function hashTag(key: string): string {
  let hash = 0x811c9dc5;
  for (const character of key) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}

/** The values of a kind, newest first. */
export function readValues(folder: string, kind: string): CachedValue[] {
  let text: string;
  try {
    text = readRegularFile(join(folder, kind));
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [value = '', under = '', name = ''] = line.split('\t');
    if (value === '') return [];
    return [{ value, ...(under ? { under } : {}), ...(name ? { name } : {}) }];
  });
}

/** Adds values before the existing ones, without duplicates. Replaces the file atomically, with mode 0600. */
export function addValues(folder: string, kind: string, news: readonly CachedValue[]): void {
  const fresh = news.filter(({ value, under = '' }) => isSafeValue(value) && isSafeValue(under));
  if (fresh.length === 0) return;
  const before = readValues(folder, kind);
  const kept = new Map<string, CachedValue>();
  for (const one of [...fresh, ...before]) {
    const id = `${one.under ?? ''}\t${one.value}`;
    if (!kept.has(id)) kept.set(id, one);
    if (kept.size === maxValues) break;
  }
  const text = serialize([...kept.values()]);
  if (text === serialize(before)) return;
  const file = join(folder, kind);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, text, hashTag(text));
  } catch {
    // A full disk or a read-only folder.
  }
}

const serialize = (values: readonly CachedValue[]) =>
  values
    .map(({ value, under = '', name = '' }) => `${value}\t${under}\t${withoutControls(name)}\n`)
    .join('');

/** Values with control characters are not offered for completion. */
export const isSafeValue = (value: string) =>
  value.length <= 256 && (isPrintable(value) || !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(value));

/** Replaces control characters in a display name by spaces. */
export const withoutControls = (name: string) =>
  isPrintable(name) ? name : name.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ');

/** Checked first, because Unicode regular expressions take long to compile and most text is ASCII. */
const isPrintable = (text: string) => /^[ -~]*$/.test(text);
