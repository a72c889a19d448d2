// Slugs: a readable name and the internal id in one word, `welcome_wf_2T4…`.

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);

export type SlugKind = 'wf' | 'st' | 'env';

/** `Trial ending` of workflow 66… → `trial-ending_wf_…`. */
export const slugOf = (name: string, kind: SlugKind, id: string): string =>
  `${slugify(name)}_${kind}_${toBase62(id)}`;

/** The internal id in a slug of that kind, or undefined when it is none. */
export function idInSlug(slug: string, kind: SlugKind): string | undefined {
  const mark = `_${kind}_`;
  const at = slug.lastIndexOf(mark);
  return at < 0 ? undefined : fromBase62(slug.slice(at + mark.length));
}

const slugify = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function toBase62(id: string): string {
  let rest = BigInt(`0x${id}`);
  let word = '';
  while (rest > 0n) {
    word = (digits[Number(rest % base)] ?? '') + word;
    rest /= base;
  }
  return word || '0';
}

// 17 digits hold every id of 24 hex digits; longer words are no ids and would cost time.
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
