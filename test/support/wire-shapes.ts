// Makes values of the types in the specification of the service, and compares values with them.
import { jsonType } from './json-type.ts';
import { shapes, values } from './specification.ts';

/** `all` has every member; `required` only those that are not optional; `null` is `all` with null where it is allowed. */
export type Extent = 'all' | 'required' | 'null';

/** Texts in the formats that requests are checked for. Any other member contains its own name, and odd characters. */
const formatted: Record<string, string> = {
  email: 'ada@example.com',
  locale: 'en_GB',
  timezone: 'Europe/London',
  color: '#ff8800',
  start: '09:00 AM',
  end: '05:00 PM',
  contextKeys: 'tenant:org-acme & sons',
};

const plain: Record<string, (name: string) => unknown> = {
  string: (name) => formatted[name] ?? `${name} +&=/é`,
  boolean: (name) => name !== 'deleted',
  number: (name) => name.length,
  object: (name) => ({ [name]: { deep: [1, 'two', null] } }),
  any: (name) => ({ [name]: ['any'] }),
  null: () => null,
};

const listed = (type: string) => values[type]?.split(' ');

/** `children:FilterPart[]` → name, type and whether the member is optional. */
export function membersOf(shape: string): { name: string; type: string; isOptional: boolean }[] {
  const text = shapes[shape];
  if (text === undefined) throw new Error(`${shape} is not a type`);
  return text.split(' ').map((member) => {
    const [, name = '', mark, type = 'string'] = /^(\w+)(\?)?(?::(.+))?$/.exec(member) ?? [];
    return { name, type, isOptional: mark !== undefined };
  });
}

const itemOf = (type: string) => /^(.+)(\[\]|\{\})$/.exec(type);
const isShape = (type: string) => type in shapes;

/** A value of the type, for a member with this name. */
export function sample(
  type: string,
  extent: Extent = 'all',
  name = type,
  parents: string[] = [],
): unknown {
  const choices = type.split('|');
  if (choices.length > 1) {
    const others = choices.filter((choice) => choice !== 'null');
    const choice = extent === 'required' ? others[0] : others.at(-1);
    const isNull = extent === 'null' && others.length < choices.length;
    return isNull ? null : sample(choice ?? type, extent, name, parents);
  }
  const [, item, kind] = itemOf(type) ?? [];
  if (item !== undefined && kind === '{}') return { [name]: sample(item, extent, name, parents) };
  if (item !== undefined) {
    if (extent === 'required') return [sample(item, extent, name, parents)];
    const extents: Extent[] = isShape(item) ? ['all', 'required', 'null'] : ['all', 'all'];
    return listed(item) ?? extents.map((each) => sample(item, each, name, parents));
  }
  const make = plain[type];
  if (make) return make(name);
  const value = listed(type)?.[0];
  if (value !== undefined) return value;
  const isDeep = parents.includes(type);
  const included = membersOf(type).filter(({ isOptional }) => {
    return !isOptional || (extent !== 'required' && !isDeep);
  });
  return Object.fromEntries(
    included.map((member) => {
      return [member.name, sample(member.type, extent, member.name, [...parents, type])];
    }),
  );
}

interface Variant {
  path: string;
  value: unknown;
  /** Whether the specification allows the value. */
  isAllowed: boolean;
}

/** Values that differ from the sample in one place: another listed text there, or a value of another type. */
export function* variants(type: string, name = type, parents: string[] = []): Generator<Variant> {
  const choices = type.split('|');
  const isFlag = choices.includes('boolean') || choices.includes('number');
  if (!choices.includes('any')) {
    yield { path: name, value: isFlag ? 'neither' : 17, isAllowed: false };
  }
  for (const choice of choices) {
    for (const value of listed(choice) ?? []) yield { path: name, value, isAllowed: true };
    const [, item, kind] = itemOf(choice) ?? [];
    if (item !== undefined) {
      for (const inner of variants(item, name, parents)) {
        yield { ...inner, value: kind === '[]' ? [inner.value] : { [name]: inner.value } };
      }
    } else if (isShape(choice) && !parents.includes(choice)) {
      const whole = sample(choice) as object;
      for (const member of membersOf(choice)) {
        for (const inner of variants(member.type, member.name, [...parents, choice])) {
          const value = { ...whole, [member.name]: inner.value };
          yield { ...inner, path: `${name}.${inner.path}`, value };
        }
      }
    }
  }
}

/** The types that a type uses, and itself. */
export function typesIn(type: string, seen = new Set<string>()): Set<string> {
  for (const name of type.match(/\w+/g) ?? []) {
    if (seen.has(name)) continue;
    seen.add(name);
    if (isShape(name)) for (const member of membersOf(name)) typesIn(member.type, seen);
  }
  return seen;
}

/**
 * The places where a value differs from the type. Other members may be there, too: the service sends more than the
 * specification names. Adds the path of every member that is there to `seen`: `data.jobs.step`.
 */
export function differences(
  value: unknown,
  type: string,
  path = '',
  seen = new Set<string>(),
): string[] {
  const choices = type.split('|');
  if (choices.length > 1) {
    const all = choices.map((choice) => differences(value, choice, path, seen));
    return all.find((found) => found.length === 0) ?? all.flat();
  }
  const isAllowed = listed(type)?.some((allowed) => allowed === value);
  const [, item, kind] = itemOf(type) ?? [];
  const expected = kind === '[]' ? 'array' : kind === '{}' || isShape(type) ? 'object' : type;
  const fits = isAllowed ?? (type === 'any' || jsonType(value) === expected);
  if (!fits) return [`${path} is ${JSON.stringify(value)}, not ${type}`];
  if (item !== undefined) {
    return Object.values(value as object).flatMap((each) => differences(each, item, path, seen));
  }
  if (!isShape(type)) return [];
  return membersOf(type).flatMap((member) => {
    const inner = (value as Record<string, unknown>)[member.name];
    const innerPath = path === '' ? member.name : `${path}.${member.name}`;
    if (inner === undefined) return member.isOptional ? [] : [`${innerPath} is missing`];
    seen.add(innerPath);
    return differences(inner, member.type, innerPath, seen);
  });
}
