// Schemas for single values in requests. Their error messages describe the expected value.
// The patterns are copied to JSON Schema, so they must work with and without the Unicode flag.
import { z } from 'zod';

/** Text that is not blank, for identifiers and names. */
export const nonEmptyText = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'not text') })
  .regex(/\S/, 'is empty');

/** A JSON object with any members. */
export const jsonObject = z.record(z.string(), z.unknown(), { error: 'not a JSON object' });

const atom = /[^\s@<>(),:;"[\]\\.]+/.source;
const letter = 'A-Za-z\\u00a1-\\uffff';
const label = `[${letter}0-9](?:[${letter}0-9-]*[${letter}0-9])?`;
const emailPattern = new RegExp(
  `^${atom}(?:\\.${atom})*@(?:${label}\\.)+[${letter}][${letter}0-9-]+$`,
);

/** The check of `emailAddress` without a schema, for speed. */
export const isEmailAddress = (text: string) => emailPattern.test(text);

/** An email address, which may be internationalized. */
export const emailAddress = z.string().regex(emailPattern, 'not an e-mail address');

const script = '(?:[-_][A-Za-z]{4})?';
const region = '(?:[-_](?:[A-Za-z]{2}|[0-9]{3}))?';
const variants = '(?:[-_](?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*';
const localePattern = new RegExp(`^[A-Za-z]{2,3}${script}${region}${variants}$`);

/** The check of `localeTag` without a schema. */
export const isLocale = (text: string) => localePattern.test(text);

/** A language tag: `en`, `en-US`, `zh-Hans-CN`. */
export const localeTag = z.string().regex(localePattern, 'not a locale such as en or en-US');

const zoneCache = new Map<string, boolean>();
const maxCachedZones = 2_000;
const maxZoneLength = 64;

/** Whether the runtime supports an IANA time zone name. Results are cached. */
export function isTimeZone(name: string): boolean {
  const known = zoneCache.get(name);
  if (known !== undefined) return known;
  const valid = /^[A-Za-z]/.test(name) && name.length <= maxZoneLength && isSupportedZone(name);
  if (zoneCache.size < maxCachedZones && name.length <= maxZoneLength) zoneCache.set(name, valid);
  return valid;
}

function isSupportedZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** An IANA time zone name: `Europe/Berlin`. */
export const timeZone = z
  .string()
  .refine(isTimeZone, 'not an IANA time zone such as Europe/Berlin')
  .meta({ description: 'IANA time zone name, such as Europe/Berlin' });

/** A time on a 12-hour clock: `09:00 AM`, `9:00 PM`. */
export const clockTime = z
  .string()
  .regex(/^(?:0?[1-9]|1[0-2]):[0-5][0-9] (?:AM|PM)$/, 'not a time such as 09:00 AM or 5:30 PM');

/** A color: `#` and 3, 4, 6 or 8 hexadecimal digits. */
export const hexColor = z
  .string()
  .regex(
    /^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/,
    'not a hex colour such as #ff8547 (3, 4, 6 or 8 digits)',
  );

/** Response of a deletion. */
export const acknowledgement = z.looseObject({
  acknowledged: z.boolean(),
  status: z.string().optional(),
});

/** A response without a body. */
export const emptyResponse = z.union([z.undefined(), z.null(), z.literal('')]);
