// Conversions of the parameters of a query, which arrive as text or as lists of texts.

/** Returns undefined for a parameter that is ignored, and NaN for a number that the checks refuse. */
export type Convert = (value: unknown) => unknown;

export const toList = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
/** Empty text is ignored. */
export const toListIfGiven: Convert = (value) => (value === '' ? undefined : toList(value));
export const toListOfGiven: Convert = (value) => toList(value).filter((item) => item !== '');
/** Some listings reject every list, and others take a list with one value. */
export const toSingleNumber: Convert = (value) =>
  Array.isArray(value) ? Number.NaN : Number(value);
export const toNumber: Convert = (value) => Number(value);
export const toWholeNumber: Convert = (value) => Math.floor(Number(value));
/** Text that is not a number is ignored. */
export const toNumberOrNone: Convert = (value) => {
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
};
/** Zero, and text that is not a number, stand for the default. Digits after the decimal point are ignored. */
export const toLimitOrDefault: Convert = (value) => {
  if (Array.isArray(value)) return Number.NaN;
  const number = Number(value) || undefined;
  return number !== undefined && number > 1 ? Math.floor(number) : number;
};
/** Text that is not a number is rejected by the rules. */
export const toLimit: Convert = (value) =>
  Number.isNaN(Number(value)) ? Number.NaN : toLimitOrDefault(Number(value));
export const toCountLimit: Convert = (value) => toLimitOrDefault(Number(value));
export const isTrue: Convert = (value) => value === 'true';
export const isTrueIfGiven: Convert = (value) => (value === '' ? undefined : value === 'true');
/** Another text stays as it is. */
export const toFlag: Convert = (value) =>
  value === 'true' ? true : value === 'false' ? false : value;
/** Everything but `DESC` sorts upwards. */
export const toDirection: Convert = (value) => (value === 'DESC' ? 'DESC' : 'ASC');
/** Everything but `ASC` sorts downwards. */
export const toDescending: Convert = (value) => (value === 'ASC' ? 'ASC' : 'DESC');
/** An unknown order is ignored. */
export const toKnownOrder =
  (...orders: string[]): Convert =>
  (value) =>
    typeof value !== 'string' || orders.includes(value) ? value : undefined;
export const emptyToNone: Convert = (value) => (value === '' ? undefined : value);
