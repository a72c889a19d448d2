// Replaces personal data by values that look real but are invented. The same text always gets the same replacement,
// and different texts get different ones. The replacements depend on a salt, without which they cannot be computed.
import { createHmac } from 'node:crypto';

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

export function createPseudonyms(salt: string) {
  const digest = (kind: string, original: string) =>
    createHmac('sha256', salt).update(`${kind}\0${original}`).digest();
  const nameNumber = uniqueNumbers(digest, 'name', nameCount);
  const phoneNumber = uniqueNumbers(digest, 'phone', phoneCount);
  /** An address at example.com. */
  const email = (original: string) => {
    const bytes = digest('email', original);
    const digits = String(bytes.readUInt16BE(16) % 10_000).padStart(4, '0');
    return `${toWord(bytes.readUIntBE(0, 6))}.${toWord(bytes.readUIntBE(8, 6))}${digits}@example.com`;
  };
  /** A number with country code 999, which is reserved. Without `+` if the original has none. */
  const phone = (original: string) =>
    `${/[+＋﹢]/.test(original) ? '+' : ''}999${phoneCount + phoneNumber(original)}`;
  /** Replaces only e-mail addresses, and phone numbers that begin with `+`. */
  const text = (original: string) => {
    // Replaced addresses contain no `+`.
    const withoutAddresses = replaceRanges(original, findAddresses(original), email);
    return replaceRanges(withoutAddresses, findPhoneNumbers(withoutAddresses), phone);
  };
  return {
    /** A first or last name. */
    name: (original: string) => capitalized(toWord(nameNumber(original))),
    email,
    phone,
    /** The address of a picture at example.com. */
    avatar: (original: string) =>
      `https://example.com/avatars/${digest('avatar', original).toString('hex', 0, 12)}.png`,
    /** An id, key or name: replaces it if it is a phone number, otherwise the addresses and numbers in it. */
    identifier: (original: string) => (isPhoneNumber(original) ? phone(original) : text(original)),
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

// Finds e-mail addresses and phone numbers in ids, keys and names. Every search takes linear time.

/** A range of a text: `[start, end]`. */
type Range = readonly [start: number, end: number];

const signs = /[@＠﹫]|%(?:25)*40/g;
const beforeSign = /[^\s@＠﹫<>()[\]{}:;,"'\\/|=&?]/;
/** Also halves of a character, and characters that combine with others or cannot be seen. */
const afterSign = /[\p{L}\p{N}\p{M}\p{Cf}\p{Cs}.．。｡-]/u;
/** The end of `user:"ada b"`, or of an unbalanced `b"`. An address can be that long if every character is escaped. */
const quotedEnd = /"(?:[^"\\]|\\.){0,128}"$|"$/s;
const longestQuoted = 260;
const addressLiteral = /\[[^\]\s]{1,64}\]/y;

/** The e-mail addresses in a text, also with an encoded `@`. */
export function findAddresses(text: string): Range[] {
  const addresses: Range[] = [];
  for (const { 0: sign, index } of text.matchAll(signs)) {
    const least = addresses.at(-1)?.[1] ?? 0;
    if (index < least) continue;
    const quoted = quotedEnd.exec(text.slice(Math.max(least, index - longestQuoted), index))?.[0];
    let start = index - (quoted?.length ?? 0);
    while (start > least && (quoted?.length ?? 0) < 2 && beforeSign.test(text.charAt(start - 1)))
      start -= 1;
    addressLiteral.lastIndex = index + sign.length;
    let end = addressLiteral.test(text) ? addressLiteral.lastIndex : index + sign.length;
    while (end < text.length && afterSign.test(text.charAt(end))) end += 1;
    const isAddress = start < index && end > index + sign.length;
    if (isAddress) addresses.push([start, end]);
  }
  return addresses;
}

const international = /[+＋﹢]\p{Nd}[\p{Nd}\p{Zs}\p{Pd}\p{Cf}()（）.．−]{5,20}\p{Nd}/gu;

/** The phone numbers in a text that begin with `+`. */
const findPhoneNumbers = (text: string): Range[] =>
  [...text.matchAll(international)].map(({ 0: { length }, index }) => [index, index + length]);

/** Prefixes after which a number is a phone number. */
const prefix = /^(?:tel|phone|mobile|cell|sms|whatsapp|msisdn)[:_.-]?/i;
const numberText = /^[+(]?\d[\d ()./-]*\d$/;
/** Longer than any phone number with separators. */
const longest = 40;

/**
 * Whether a text is a phone number, in digits of any script. A number without a country code needs nine digits, because it
 * can be an id.
 */
export function isPhoneNumber(phone: string): boolean {
  if (phone.length > longest) return false;
  const text = toAscii(phone);
  const rest = text.trim().replace(prefix, '');
  if (!numberText.test(rest)) return false;
  const digits = rest.replace(/\D/g, '').length;
  const isMarked = /^(?:\+|00|\()/.test(rest) || rest !== text.trim();
  if (/^\d{3}[-. ]\d{4}$/.test(rest)) return true;
  return digits <= 17 && digits >= (isMarked ? 7 : 9);
}

const digit = /\p{Nd}/u;

/** Replaces digits, spaces, dashes and signs of any script by those of ASCII, and removes what cannot be seen. */
const toAscii = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    .replace(new RegExp(digit, 'gu'), digitValue);

/** Unicode has the ten digits of a script in order. */
function digitValue(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (digit.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
