// Placeholders in recorded data: `{{name}}` for a value of an earlier response, `<objectId>` and the like for values
// that differ each time.

type Values = ReadonlyMap<string, string>;
type Member = Record<string, unknown>;

export const isObject = (value: unknown): value is Member =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts values in place of placeholders. `{{now-60s}}` is a time relative to `now` (milliseconds). */
export function fillText(text: string, values: Values, now: number): string {
  return text.replace(/\{\{([^{}]+)\}\}/g, (placeholder, name: string) => {
    const [, offset] = /^now([+-]\d+)s$/.exec(name) ?? [];
    if (offset !== undefined) return new Date(now + Number(offset) * 1000).toISOString();
    return values.get(name) ?? placeholder;
  });
}

/** `{$times, each, from}` makes a list, `{$repeat: [text, count]}` a long text. */
export function fill(value: unknown, values: Values, now: number): unknown {
  if (typeof value === 'string') return fillText(value, values, now);
  if (Array.isArray(value)) return value.map((item) => fill(item, values, now));
  if (!isObject(value)) return value;
  if ('$times' in value) {
    const {
      $times: times,
      each,
      from = 0,
    } = value as { $times: number; each: unknown; from?: number };
    return Array.from({ length: times }, (_, index) =>
      fill(numbered(each, index + from), values, now),
    );
  }
  if ('$repeat' in value) {
    const [text, count] = value.$repeat as [string, number];
    return text.repeat(count);
  }
  return mapMembers(value, (member) => fill(member, values, now));
}

const mapMembers = (value: Member, map: (member: unknown, name: string) => unknown): Member =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member, name)]));

/** `{{#}}` becomes the number, `{{#hex}}` an object id. */
function numbered(value: unknown, number: number): unknown {
  if (value === '{{#}}') return number;
  if (typeof value === 'string')
    return value
      .replaceAll('{{#}}', String(number))
      .replaceAll('{{#hex}}', number.toString(16).padStart(24, '0'));
  if (Array.isArray(value)) return value.map((item) => numbered(item, number));
  return isObject(value) ? mapMembers(value, (member) => numbered(member, number)) : value;
}

const kinds: readonly [pattern: string, name: string][] = [
  ['\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|\\+00:00)', '<iso>'],
  ['txn_[0-9a-z]{20,24}(?![0-9a-z])', '<txn>'],
  ['(?<![0-9a-zA-Z])[0-9a-f]{64}(?![0-9a-zA-Z])', '<hex64>'],
  ['(?<![0-9a-zA-Z])[0-9a-f]{32}(?![0-9a-zA-Z])', '<hex32>'],
  ['(?<![0-9a-zA-Z])[0-9a-f]{24}(?![0-9a-zA-Z])', '<objectId>'],
  ['nvsk\\.[A-Za-z0-9+/=._:-]+', '<key>'],
  ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '<uuid>'],
];
const variable = new RegExp(kinds.map(([pattern]) => `(${pattern})`).join('|'), 'g');
const slug = /\b((?:[a-z0-9]+-)*[a-z0-9]+_(?:wf|st|env)_)[A-Za-z0-9]{10,20}\b/g;

/** Replaces values that differ each time. Known values of earlier responses get their names. */
export function normalize(value: unknown, values: Values): unknown {
  const names = new Map(
    [...values].filter(([, known]) => known !== '').map(([name, known]) => [known, name]),
  );
  const named = (text: string) => (names.has(text) ? `{{${names.get(text)}}}` : undefined);
  const normalizeText = (text: string) =>
    named(text) ??
    text
      .replace(slug, (whole, prefix: string) => named(whole) ?? `<slug:${prefix}>`)
      .replace(variable, (whole, ...groups) => {
        const index = groups.indexOf(whole);
        return named(whole) ?? kinds[index]?.[1] ?? whole;
      });
  const walk = (item: unknown, name: string): unknown => {
    if (typeof item === 'string') return normalizeNamed(item, name, normalizeText);
    if (Array.isArray(item)) {
      const list = item.map((child) => walk(child, name));
      return name === 'executionDetails' ? sortBy(list, detailKey) : list;
    }
    if (!isObject(item)) return item;
    const isPerson = name === 'updatedBy' || name === 'lastPublishedBy';
    return mapMembers(item, (member, inner) =>
      isPerson && /^(first|last)Name$/.test(inner) ? '<name>' : walk(member, inner),
    );
  };
  return walk(value, '');
}

/** The recorded data has the provider ids of the specification, and of long raw data only the names of its members. */
function normalizeNamed(
  text: string,
  name: string,
  normalizeText: (text: string) => string,
): string {
  if (name === 'providerId' || name === 'provider')
    return normalizeText(text.replace(/^novu(?=$|-)/, 'svc'));
  if (name !== 'raw' || text.length <= 80) return normalizeText(text);
  try {
    const raw: unknown = JSON.parse(text);
    const content = Array.isArray(raw)
      ? `${raw.length} items`
      : Object.keys(raw ?? {})
          .sort()
          .join();
    return `<raw:${content}>`;
  } catch {
    return '<raw:text>';
  }
}

const detailKey = (detail: unknown) => {
  const { detail: text, status, providerId, raw } = detail as Member;
  return [text, status, providerId, raw];
};

/** Sorts a list whose order is not fixed, as the recorded one is sorted. */
export function sortBy<Item>(list: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  const keyed = list.map((item) => [JSON.stringify(keyOf(item)), item] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}
