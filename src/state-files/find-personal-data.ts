// Finds e-mail addresses and phone numbers in ids, keys and names. Every search takes linear time.

/** A range of a text: `[start, end]`. */
export type Range = readonly [start: number, end: number];

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
export const findPhoneNumbers = (text: string): Range[] =>
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
export function isPhoneNumber(given: string): boolean {
  if (given.length > longest) return false;
  const text = toAscii(given);
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
