// Converts the provider ids in requests and responses.
import { fromServiceId, toServiceId } from '../../service/providers.ts';

const memberNames = new Set(['providerId', 'provider']);

// Data of users: not changed, except lists of records at the top level of a body.
const userData = new Set(['payload', 'data', 'events']);

/** Returns a copy of a response with the ids that the service uses. */
export const toServiceProviders = (value: unknown): unknown => mapBody(value, toServiceId);

/** Returns a copy of a request body with the ids of the specification. */
export const fromServiceProviders = (value: unknown): unknown => mapBody(value, fromServiceId);

/** Returns a copy of path parameters with the ids of the specification. */
export const fromServicePath = (path: Record<string, string>): Record<string, string> =>
  path.providerId === undefined ? path : { ...path, providerId: fromServiceId(path.providerId) };

function mapBody(body: unknown, convert: (id: string) => string): unknown {
  const mapped = mapProviders(body, convert);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return mapped;
  const lists = Object.entries(body).filter(
    ([name, member]) => userData.has(name) && Array.isArray(member),
  );
  return {
    ...(mapped as object),
    ...Object.fromEntries(lists.map(([name, list]) => [name, mapProviders(list, convert)])),
  };
}

/** Copies only objects and lists that change, because listings are large. */
function mapProviders(value: unknown, convert: (id: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  let copy: object | undefined;
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name);
    const mapped = mapMember(name, member, convert);
    if (mapped === member) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    Reflect.set(copy, name, mapped);
  }
  return copy ?? value;
}

function mapMember(name: string, member: unknown, convert: (id: string) => string): unknown {
  if (typeof member === 'string') return memberNames.has(name) ? convert(member) : member;
  return userData.has(name) ? member : mapProviders(member, convert);
}
