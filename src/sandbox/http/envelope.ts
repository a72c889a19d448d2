// Wraps responses in `{data}`, as the live service does.

/** Returns `{data: value}`. An object that already has non-empty `data`, and no id, is returned as it is. */
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
