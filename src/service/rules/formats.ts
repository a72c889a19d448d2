// Formats that the service accepts: e-mail addresses (RFC 5322 without comments), locales (BCP 47), time zones, colors,
// times of day and identifiers.

const beyondAscii = '\\u00a1-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef';
const atom = new RegExp(`^[a-z\\d!#$%&'*+\\-/=?^_\`{|}~${beyondAscii}]+$`, 'i');
const quoted = new RegExp(
  `^(?:[\\s\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x21\\x23-\\x5b\\x5d-\\x7f${beyondAscii}]|\\\\[\\x01-\\x7f${beyondAscii}])*$`,
  'i',
);
const label = /^(?!-)[a-z\d\u00a1-\uff00\uff5f-\uffff-]{1,63}(?<!-)$/i;
const topDomain = new RegExp(`^(?:[a-z${beyondAscii}]{2,}|xn[a-z\\d-]{2,})$`, 'i');

const maxLocalBytes = 64;
const maxDomainBytes = 254;

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (Buffer.byteLength(local) > maxLocalBytes || Buffer.byteLength(domain) > maxDomainBytes)
    return false;
  const labels = domain.split('.');
  if (labels.length < 2 || !topDomain.test(labels.at(-1) ?? '')) return false;
  if (!labels.every((text) => label.test(text))) return false;
  return /^".*"$/s.test(local) && local.length > 1
    ? quoted.test(local.slice(1, -1))
    : local.split('.').every((text) => atom.test(text));
}

const language = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})';
const script = '(?:[-_][a-z]{4})?';
const region = '(?:[-_](?:[a-z]{2}|\\d{3}))?';
const variants = '(?:[-_](?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*';
const extensions = '(?:[-_][a-wy-z\\d](?:[-_][a-z\\d]{2,8})+)*';
const privateUse = 'x(?:[-_][a-z\\d]{1,8})+';
const locale = new RegExp(
  `^(?:${language}${script}${region}${variants}${extensions}(?:[-_]${privateUse})?|${privateUse}|i-[a-z]{3,8})$`,
  'i',
);

export const isLocale = (text: string): boolean => locale.test(text);

const zoneCache = new Map<string, boolean>();
const maxCachedZones = 2_000;
const maxZoneLength = 64;

/** Minutes of an offset from UTC such as `+02:00`; undefined for a name. */
export function utcOffset(zone: string): number | undefined {
  const parts = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/.exec(zone);
  if (!parts) return undefined;
  const [, sign, hours, minutes = 0] = parts;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Servers take an offset for a time zone since 3.15, because their runtime does. */
export const isTimeZone = (zone: string): boolean =>
  utcOffset(zone) !== undefined || isZoneName(zone);

/** Whether the runtime supports an IANA time zone name. Results are cached. */
export function isZoneName(name: string): boolean {
  const cached = zoneCache.get(name);
  if (cached !== undefined) return cached;
  const valid = name.length <= maxZoneLength && /^\w/.test(name) && isSupportedZone(name);
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

// These patterns are copied to JSON Schema, so they have no flags.

/** A color: 3, 4, 6 or 8 hexadecimal digits. */
export const colorPattern = /^#?(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;
/** A time on a 12-hour clock: `09:00 AM`, `9:00 PM`. */
export const clockTimePattern = /^(?:0?[1-9]|1[0-2]):[0-5][0-9]\s?[AaPp][Mm]$/;
/** Lowercase words of letters and digits, joined by hyphens: the identifiers of workflows and steps until 3.11. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Letters and digits, joined by single hyphens and underscores, since 3.14 also by dots: these identifiers since 3.12. */
export const identifierPattern = /^[a-zA-Z0-9]+(?:[-_.][a-zA-Z0-9]+)*$/;
export const identifierForm =
  'must consist of letters, digits and single hyphens, underscores and dots';
/** The key of a variable of an environment. */
export const variableKeyPattern = /^[a-zA-Z][a-zA-Z0-9_]*$/;
/** The type or id of a context. */
export const contextNamePattern = /^[a-zA-Z0-9_-]+$/;
export const objectIdPattern = /^[0-9a-fA-F]{24}$/;
/** Whether the text is an internal id. */
export const isObjectId = (text: string): boolean => objectIdPattern.test(text);

/** Whether an identifier can be one segment of the path of a request. */
export const isPathSegment = (id: string): boolean => !/^\.{0,2}$/.test(id) && id.isWellFormed();
export const noSegment = 'a request cannot contain its identifier';
