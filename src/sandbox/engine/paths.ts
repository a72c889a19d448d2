// Reads JSON values by path, such as `post.id`. Pure.

/** Reads own properties only. Returns undefined if the path does not exist. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.replace(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) {
      return undefined;
    }
    current = Reflect.get(current, name);
  }
  return current;
}

/**
 * Resolves the key of a step control, with or without `{{ }}`: first among all variables, then in
 * the payload.
 */
export function resolveKey(variables: Record<string, unknown>, key: string): unknown {
  const path = key.replace(/^\s*\{\{\s*|\s*\}\}\s*$/g, '').trim();
  return valueAt(variables, path) ?? valueAt(variables.payload, path);
}
