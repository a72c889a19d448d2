// Finds e-mail addresses and phone numbers in ids, keys and names. Every search takes linear time.

/** A range of a text: `[start, end]`. */
export type Range = readonly [start: number, end: number];

const signs = /@|＠|%40/gi;
const beforeSign = /[^\s@＠<>()[\]{}:;,"'\\/|=&?]/;
const afterSign = /[\p{L}\p{N}.-]/u;

/** The e-mail addresses in a text, also with an encoded `@`. */
export function findAddresses(text: string): Range[] {
  const addresses: Range[] = [];
  for (const { 0: sign, index } of text.matchAll(signs)) {
    const least = addresses.at(-1)?.[1] ?? 0;
    let start = index;
    while (start > least && beforeSign.test(text.charAt(start - 1))) start -= 1;
    let end = index + sign.length;
    while (end < text.length && afterSign.test(text.charAt(end))) end += 1;
    const isAddress = start < index && end > index + sign.length;
    if (isAddress) addresses.push([start, end]);
  }
  return addresses;
}

const international = /\+\d[\d ().-]{5,20}\d/g;

/** The phone numbers in a text that begin with `+`. */
export const findPhoneNumbers = (text: string): Range[] =>
  [...text.matchAll(international)].map(({ 0: { length }, index }) => [index, index + length]);

/** Prefixes after which a number is a phone number. */
const prefix = /^(?:tel|phone|mobile|cell|sms|whatsapp|msisdn)[:_.-]?/i;
const numberText = /^[+(]?\d[\d ()./-]*\d$/;
/** Longer than any phone number with separators. */
const longest = 40;

/** Whether a text is a phone number. A number without a country code needs nine digits, because it can be an id. */
export function isPhoneNumber(text: string): boolean {
  if (text.length > longest) return false;
  const rest = text.trim().replace(prefix, '');
  if (!numberText.test(rest)) return false;
  const digits = rest.replace(/\D/g, '').length;
  const isMarked = /^(?:\+|00|\()/.test(rest) || rest !== text.trim();
  if (/^\d{3}[-. ]\d{4}$/.test(rest)) return true;
  return digits <= 17 && digits >= (isMarked ? 7 : 9);
}
