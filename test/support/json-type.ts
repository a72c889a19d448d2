/** `typeof`, with `null` and `array` besides `object`. */
export const jsonType = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
