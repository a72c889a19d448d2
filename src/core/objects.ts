// Reads and checks values that were parsed from JSON.

export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: not an array and not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

/** The names of the members, in their order. */
export const keysOf = <Name extends string>(values: Readonly<Record<Name, unknown>>) =>
  Object.keys(values) as Name[];

/** The object; an empty one for any other value. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The value of JSON text, or `otherwise` for any other text. */
export function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Whether two lists have the same items, in any order. No item may occur twice in a list. */
export const hasSameItems = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((item) => others.includes(item));

/** The value at `a.b` or `a[0].b`, of own properties only. Undefined if the path does not exist. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  const dotted = path.includes('[') ? path.replace(/\[(\d+)\]/g, '.$1') : path;
  for (const name of dotted.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) {
      return undefined;
    }
    current = Reflect.get(current, name);
  }
  return current;
}

/** The items by key, in the order of their first item. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The values at `a.b`, also of the items of lists on the way. */
export const valuesAt = (value: unknown, path: string): unknown[] =>
  path
    .split('.')
    .reduce<unknown[]>(
      (values, name) => values.flatMap((one) => asObject(one)[name] ?? []),
      [value],
    );

/**
 * Leaves out the items of `data` whose members differ from the values of these filters, so that nothing counts the outcome
 * of another event as its own, whatever the response contains.
 */
export function keepMatching<T>(response: T, filters: object = {}, names: readonly string[] = []) {
  const used = names.filter((name) => Reflect.get(filters, name) !== undefined);
  const { data } = asObject(response);
  if (used.length === 0 || !Array.isArray(data)) return response;
  const isMatch = (item: unknown) =>
    used.every((name) => [Reflect.get(filters, name)].flat().includes(asObject(item)[name]));
  return { ...response, data: data.filter(isMatch) };
}
