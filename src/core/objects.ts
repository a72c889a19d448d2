// Checks of values that were parsed from JSON.

/** Whether a value is a JSON object: not an array and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object; an empty one for any other value. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
