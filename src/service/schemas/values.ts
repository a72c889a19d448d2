// Schemas for single values in requests. Their error messages describe the expected value.
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import { clockTimePattern, colorPattern, isEmail, isLocale, isTimeZone } from '../rules/formats.ts';
import { isBoolean, isDefined, isString, optional, required, text } from '../rules/rules.ts';

// Enums in responses: the known values are documented, and other values are accepted.

/** Any string; editors suggest the known values. */
type Open<Value extends string> = Value | (string & {});

/** Returns a schema for an enum that the service may extend: `enum` or `string` in JSON Schema. */
export const openEnum = <const Value extends string>(
  values: readonly Value[],
): z.ZodType<Open<Value>, Open<Value>> => z.union([z.enum(values), z.string()]);

/** Text that is not blank, for identifiers and names. */
export const nonEmptyText = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'not text') })
  .regex(/\S/, 'is empty');

/** Texts in a request, which the service checks: of any content, and not blank. */
export const checkedText = checked(z.string().optional(), text());
export const requiredText = checked(z.string(), required(isDefined(), isString()));
export const checkedName = checked(nonEmptyText.optional(), text());
export const requiredName = checked(nonEmptyText, required(isDefined(), isString()));

/** A list of a request that has items, and at most this many. */
export const filledList = <Item extends z.ZodType>(item: Item, noun: string, most: number) =>
  z
    .array(item)
    .min(1, `no ${noun}: at least 1 is needed`)
    .max(most, `too many ${noun}: at most ${most} in a request`);

/** An optional switch in a request, which the service checks. */
export const checkedFlag = checked(z.boolean().optional(), optional(isBoolean));

/** An optional text in a response. */
export const textOrNull = z.string().nullable().optional();

/** A JSON object with any members. */
export const jsonObject = z.record(z.string(), z.unknown(), { error: 'not a JSON object' });

/** An e-mail address, which may be internationalized. */
export const emailAddress = z
  .string()
  .refine(isEmail, 'not an e-mail address')
  .meta({ format: 'idn-email' });

/** A language tag: `en`, `en-US`, `zh-Hans-CN`. */
export const localeTag = z
  .string()
  .refine(isLocale, 'not a locale such as en or en-US')
  .meta({ description: 'Language tag, such as en-US' });

/** An IANA time zone name: `Europe/Berlin`. */
export const timeZone = z
  .string()
  .refine(isTimeZone, 'not an IANA time zone such as Europe/Berlin')
  .meta({ description: 'IANA time zone name, such as Europe/Berlin' });

export const clockTime = z
  .string()
  .regex(clockTimePattern, 'not a time such as 09:00 AM or 5:30 PM');

export const hexColor = z
  .string()
  .regex(colorPattern, 'not a hex color such as #ff8547 (3, 4, 6 or 8 digits)');

/** Response of a deletion. */
export const acknowledgement = z.looseObject({
  acknowledged: z.boolean(),
  status: z.string().optional(),
});

/** A response without a body. */
export const emptyResponse = z.union([z.undefined(), z.null(), z.literal('')]);
