// Writes a value as one line of JSON without invisible characters, which is also YAML.
import { stringifyExact } from './lossless-json.ts';

/** Control characters, line breaks of Unicode, reversed text and lone surrogates, which a file should not contain. */
export const invisible =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\p{Surrogate}]/u;
const everyInvisible = new RegExp(invisible, 'gu');

export const jsonLine = (value: unknown): string =>
  stringifyExact(value).replace(
    everyInvisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
