// Checks of values that were parsed from JSON.

/** Whether a value is a JSON object: not an array and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy without the members that are undefined. */
export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

/** The object; an empty one for any other value. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
