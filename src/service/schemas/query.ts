// Schemas for query parameters. They accept JavaScript values and the text from a URL.
import { z } from 'zod';
import { orderDirections } from './vocabulary.ts';

/** An integer within bounds, or its decimal text. */
export const queryNumber = ({ min, max }: { min: number; max?: number }) => {
  const error =
    max === undefined
      ? `not a whole number of at least ${min}`
      : `not a whole number from ${min} to ${max}`;
  const number = z
    .int({ error })
    .min(min, { error })
    .max(max ?? Number.MAX_SAFE_INTEGER, { error });
  const text = z
    .string()
    .regex(/^[0-9]+$/, error)
    .transform(Number)
    .pipe(number);
  return z.union([number, text], { error });
};

/** A boolean, or `true` or `false` as text. */
export const queryBoolean = () =>
  z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')], {
    error: 'not true or false',
  });

/** An array, or its only item: a URL repeats the key for each item, so a single item looks like a plain value. */
export const queryList = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), item.transform((one) => [one])], { error: firstMessage });

function firstMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const [ofArray, ofItem] = issue.errors;
  return (Array.isArray(issue.input) ? ofArray : ofItem)?.[0]?.message;
}

/** Query of a POST that creates or updates: with `true`, an existing resource is an error (409). */
export const failIfExistsQuery = z.strictObject({ failIfExists: queryBoolean().optional() });

/** Parameters that every cursor listing takes (Endpoints, Topics and Contexts). */
export const cursorParameters = {
  after: z.string().optional(),
  before: z.string().optional(),
  limit: queryNumber({ min: 1, max: 100 }).optional(),
  orderDirection: z.enum(orderDirections).optional(),
  orderBy: z.string().optional(),
  includeCursor: queryBoolean().optional(),
};
