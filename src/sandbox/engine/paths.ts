// Values by their path, `post.id`, in JSON. Pure.

/** Only own members are found; what leads nowhere is undefined. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.replace(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = Reflect.get(found, name);
  }
  return found;
}

/** A value that a step's key names: of all variables, or of the payload. Braces may surround it. */
export function keyedValue(variables: Record<string, unknown>, key: string): unknown {
  const path = key.replace(/^\s*\{\{\s*|\s*\}\}\s*$/g, '').trim();
  return valueAt(variables, path) ?? valueAt(variables.payload, path);
}
