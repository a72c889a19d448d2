// Schemas for query parameters. They accept JavaScript values and the text from a URL.
import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  checked,
  emptyToNone,
  isTrue,
  parameter,
  toDirection,
  toKnownOrder,
  toLimit,
  toLimitOrDefault,
  toNumberOrNone,
  toSingleNumber,
} from '../rules/checked.ts';
import {
  type Field,
  inVersions,
  isInteger,
  isNumber,
  max,
  min,
  optional,
  text,
} from '../rules/rules.ts';
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
  z.union([z.array(item), item.transform((value) => [value])], { error: firstMessage });

function firstMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const [ofArray, ofItem] = issue.errors;
  return (Array.isArray(issue.input) ? ofArray : ofItem)?.[0]?.message;
}

/** Query of a POST that creates or updates: with `true`, an existing resource is an error (409). */
export const failIfExistsQuery = z.strictObject({
  failIfExists: parameter(queryBoolean().optional(), isTrue),
});

/** A filter that is one text. */
export const textFilter = checked(z.string().optional(), text());

export const cursors = { after: textFilter, before: textFilter };

const cursorOrNone = parameter(z.string().optional(), emptyToNone, text());
/** The cursors of listings that ignore empty ones. */
export const cursorsIfGiven = { after: cursorOrNone, before: cursorOrNone };

/** Parameters of listings with a cursor (Endpoints, Topics and Contexts). */
export const sorting = (...orders: string[]) => ({
  orderDirection: parameter(z.enum(orderDirections).optional(), toDirection),
  orderBy:
    orders.length === 0
      ? textFilter
      : parameter(z.string().optional(), toKnownOrder(...orders), text()),
  includeCursor: parameter(queryBoolean().optional(), isTrue),
});

const pageSizeSchema = queryNumber({ min: 1, max: limits.page.default }).optional();

/** The number of items of a page. The service checks it after the other parameters. */
export const cursorLimit = parameter(pageSizeSchema, toLimitOrDefault);
export const pageSize = { limit: optional(max(limits.page.default), min(1), isNumber) };
/** The number of items of a page in the listings that check it with the other parameters. */
export const checkedLimit = parameter(pageSizeSchema, toLimit, optional(max(limits.page.default)));

/** The limit and offset of workflows and layouts. */
export const offsetPaging = {
  limit: parameter(
    queryNumber({ min: 1 }).optional(),
    toNumberOrNone,
    optional(inVersions({ since: '3.19' }, max(limits.page.default)), min(1), isInteger, isNumber),
  ),
  offset: parameter(
    queryNumber({ min: 0 }).optional(),
    toNumberOrNone,
    optional(min(0), isNumber, isInteger),
  ),
};

/** The number and the size of a page. */
export const numberedPaging = (greatest: number, page: Field) => ({
  page: parameter(queryNumber({ min: 0 }).optional(), toSingleNumber, page),
  limit: parameter(
    queryNumber({ min: 1, max: greatest }).optional(),
    toSingleNumber,
    optional(max(greatest), min(1), isInteger),
  ),
});

/** The number and the size of a page in version 1 of some routes, where the handler checks the size. */
export const pageAndSize = {
  page: parameter(queryNumber({ min: 0 }).optional(), toNumberOrNone, optional(isInteger)),
  pageSize: parameter(
    queryNumber({ min: 1 }).optional(),
    toNumberOrNone,
    optional(min(1), isInteger),
  ),
};

// The two page formats that several listings share.

/** A page with cursors (Endpoints, Topics and Contexts). `totalCount` is at most 50,000. */
export const cursorPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    data: z.array(item),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    totalCount: z.number(),
    totalCountCapped: z.boolean(),
  });

/** A page in version 1 of some routes. */
export const countedPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    data: z.array(item),
    page: z.number(),
    pageSize: z.number(),
    totalCount: z.number(),
  });

/** A page with a number, starting at 0 (Endpoints, Subscribers and Events). */
export const numberedPage = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    hasMore: z.boolean(),
    data: z.array(item),
    pageSize: z.number(),
    page: z.number(),
  });
