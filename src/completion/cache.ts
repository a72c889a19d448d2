// The cache of completion values from earlier responses: one file per kind, one value per line.
// Files that cannot be read count as empty.
import { join } from 'node:path';
import type { Configuration } from '../config/store.ts';
import { readRegularFile } from '../platform/files/regular-file.ts';

/** A value with its display name. */
export interface CachedValue {
  value: string;
  /** The resource it belongs to, such as the workflow of a step. */
  under?: string;
  name?: string;
}

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
  // --profile takes precedence over these variables.
  const { SVC_PROFILE, SVC_BASE_URL, SVC_API_KEY } = whose.profile ? {} : whose.env;
  const name = whose.profile || SVC_PROFILE || stored.current || '';
  const profile = Object.hasOwn(stored.profiles, name) ? stored.profiles[name] : undefined;
  const origin = whose.baseUrl || SVC_BASE_URL || profile?.baseUrl || '';
  const own = SVC_API_KEY ? `key-${hashTag(SVC_API_KEY)}` : undefined;
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

/** Values with control characters are not offered for completion. */
export const isSafeValue = (value: string) =>
  value.length <= 256 && (isPrintable(value) || !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(value));

/** Replaces control characters in a display name by spaces. */
export const withoutControls = (name: string) =>
  isPrintable(name) ? name : name.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ');

/** Checked first, because Unicode regular expressions take long to compile and most text is ASCII. */
const isPrintable = (text: string) => /^[ -~]*$/.test(text);
