// Wraps responses in `{data}`, as the live service does.

/** Returns an object with a `data` property and no id unchanged, and `{data: value}` otherwise. */
export function wrapInEnvelope(value: unknown): unknown {
  return isEnvelope(value) ? value : { data: value };
}

const isEnvelope = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'data' in value &&
  Boolean(value.data) &&
  !('_id' in value) &&
  !('id' in value);
