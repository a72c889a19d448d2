// Readers for words of an answer: known values are documented, others pass.
import { z } from 'zod';

/** One of the known words for the editor and the documentation, any string for the reader. */
export type Open<Word extends string> = Word | (string & {});

/** Reads a word of a set that the service may extend: `enum` or `string` in JSON Schema. */
export const openEnum = <const Word extends string>(
  words: readonly Word[],
): z.ZodType<Open<Word>, Open<Word>> => z.union([z.enum(words), z.string()]);
