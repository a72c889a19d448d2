// The wrapped form of answers, as the running service sends them.

/** An object with `data` of its own and no id goes as it is, all else becomes `{data: value}`. */
export function enveloped(value: unknown): unknown {
  return hasOwnData(value) ? value : { data: value };
}

const hasOwnData = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'data' in value &&
  Boolean(value.data) &&
  !('_id' in value) &&
  !('id' in value);
