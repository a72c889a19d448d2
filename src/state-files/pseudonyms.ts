// Replaces personal data by values that look real but are invented. The same text always gets the same replacement,
// and different texts get different ones. The replacements depend on a salt, without which they cannot be computed.
import { createHmac } from 'node:crypto';
import {
  findAddresses,
  findPhoneNumbers,
  isPhoneNumber,
  type Range,
} from './find-personal-data.ts';

export interface Pseudonyms {
  /** A first or last name. */
  name(original: string): string;
  /** An address at example.com. */
  email(original: string): string;
  /** A number with country code 999, which is reserved. Without `+` if the original has none. */
  phone(original: string): string;
  /** The address of a picture at example.com. */
  avatar(original: string): string;
  /** An id, key or name: replaces it if it is a phone number, otherwise the addresses and numbers in it. */
  identifier(original: string): string;
  /** Replaces only e-mail addresses, and phone numbers that begin with `+`. */
  text(original: string): string;
}

export function createPseudonyms(salt: string): Pseudonyms {
  const digest = (kind: string, original: string) =>
    createHmac('sha256', salt).update(`${kind}\0${original}`).digest();
  const nameNumber = uniqueNumbers(digest, 'name', nameCount);
  const phoneNumber = uniqueNumbers(digest, 'phone', phoneCount);
  const email = (original: string) => {
    const bytes = digest('email', original);
    const digits = String(bytes.readUInt16BE(16) % 10_000).padStart(4, '0');
    return `${toWord(bytes.readUIntBE(0, 6))}.${toWord(bytes.readUIntBE(8, 6))}${digits}@example.com`;
  };
  const phone = (original: string) =>
    `${/[+＋﹢]/.test(original) ? '+' : ''}999${phoneCount + phoneNumber(original)}`;
  const text = (original: string) => {
    // Replaced addresses contain no `+`.
    const withoutAddresses = replaceRanges(original, findAddresses(original), email);
    return replaceRanges(withoutAddresses, findPhoneNumbers(withoutAddresses), phone);
  };
  return {
    name: (original) => capitalized(toWord(nameNumber(original))),
    email,
    phone,
    avatar: (original) =>
      `https://example.com/avatars/${digest('avatar', original).toString('hex', 0, 12)}.png`,
    identifier: (original) => (isPhoneNumber(original) ? phone(original) : text(original)),
    text,
  };
}

type Digest = (kind: string, original: string) => Buffer;

/** Returns a function that assigns each text a number below `count`, and never the same number to two texts. */
function uniqueNumbers(digest: Digest, kind: string, count: number) {
  // The texts themselves would need much more memory.
  const owners = new Map<number, number>();
  return (original: string): number => {
    const owner = digest(`${kind} owner`, original).readUIntBE(0, 6);
    for (let attempt = 0; ; attempt += 1) {
      const number = digest(`${kind} ${attempt}`, original).readUIntBE(0, 6) % count;
      const holder = owners.get(number);
      if (holder !== undefined && holder !== owner) continue;
      owners.set(number, owner);
      return number;
    }
  };
}

const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';
const syllables = consonants.length * vowels.length;
const syllablesOfWord = 4;
const nameCount = syllables ** syllablesOfWord;
/** The numbers after the country code have twelve digits and do not begin with 0. */
const phoneCount = 10 ** 11;

/** A word of four syllables, such as `belovari`. */
function toWord(number: number): string {
  let word = '';
  for (let left = number, at = 0; at < syllablesOfWord; at += 1) {
    const syllable = left % syllables;
    left = Math.floor(left / syllables);
    word += consonants.charAt(syllable % consonants.length);
    word += vowels.charAt(Math.floor(syllable / consonants.length));
  }
  return word;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function replaceRanges(
  text: string,
  ranges: readonly Range[],
  replace: (part: string) => string,
): string {
  let replaced = '';
  let from = 0;
  for (const [start, end] of ranges) {
    replaced += text.slice(from, start) + replace(text.slice(start, end));
    from = end;
  }
  return replaced + text.slice(from);
}
