// Slugs combine the name of a resource, its kind and its internal id: `welcome_wf_2T4…`.

import { shortId } from './ids.ts';
import type { Scope } from './scope.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);

type SlugKind = 'wf' | 'st' | 'env' | 'lt';

/** `One-time code` of workflow 66… → `one-time-code_wf_…`. */
export const createSlug = (name: string, kind: SlugKind, id: string): string =>
  `${slugify(name)}_${kind}_${toBase62(id)}`;

/** Returns the internal id in a slug of that kind; undefined if the text is not such a slug. */
export function idInSlug(slug: string, kind: SlugKind): string | undefined {
  const separator = `_${kind}_`;
  const at = slug.lastIndexOf(separator);
  return at < 0 ? undefined : fromBase62(slug.slice(at + separator.length));
}

const spelledOut: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', '&': ' and ' };

/** Between the words of `orderUpdate`, `HTMLPage` and `QL1`. */
const wordLimits = /(?<=[A-Z]{2})(?=\d)|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-rt-z])/g;

/** `One-time code` → `one-time-code`, `QL1` → `ql-1`. A single s or t belongs to the word before it, as in `Ann's`. */
export const slugify = (name: string) =>
  name
    .normalize()
    .replaceAll(wordLimits, ' ')
    .toLowerCase()
    .replaceAll(/[äöüß&]/g, (character) => spelledOut[character] ?? '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/(?<=[a-z\d])-([st])(-|$)/g, '$1$2')
    .replace(/^-/, '')
    .replace(/-$/, '');

/** The identifier of a resource without one. */
export const nameAsIdentifier = (scope: Scope, name: string): string =>
  slugify(name) || (scope.dialect.hasLongSuffixes ? shortId(scope) : '');

function toBase62(id: string): string {
  let rest = BigInt(`0x${id}`);
  let word = '';
  while (rest > 0n) {
    word = (digits[Number(rest % base)] ?? '') + word;
    rest /= base;
  }
  return word || '0';
}

// 17 base-62 digits fit every id of 24 hex digits. Longer texts are rejected unparsed to save time.
const maxDigits = 17;

function fromBase62(word: string): string | undefined {
  if (word.length === 0 || word.length > maxDigits) return undefined;
  let value = 0n;
  for (const character of word) {
    const digit = digits.indexOf(character);
    if (digit < 0) return undefined;
    value = value * base + BigInt(digit);
  }
  return value.toString(16).padStart(24, '0');
}
