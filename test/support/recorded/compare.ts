// Compares a response with a recorded one. `<any>` and `<maybe>` match everything; `{$more: n}` at the end of a list
// stands for n more items.

import { jsonType } from '../json-type.ts';
import { isObject } from './placeholders.ts';

export interface Difference {
  /** Without the indexes of lists: `data[].name`. */
  path: string;
  /** `shape`: a member is missing, added, or of another type. */
  kind: 'shape' | 'value';
  /** `data[0].name: recorded "a", received "b"` */
  text: string;
}

const isFree = (value: unknown) => value === '<any>' || value === '<maybe>';
const show = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 100);

export function compare(recorded: unknown, received: unknown, at = ''): Difference[] {
  if (isFree(recorded)) return [];
  if (Array.isArray(recorded) && Array.isArray(received))
    return compareLists(recorded, received, at);
  if (isObject(recorded) && isObject(received)) return compareMembers(recorded, received, at);
  if (recorded === received) return [];
  const kind = jsonType(recorded) === jsonType(received) ? 'value' : 'shape';
  return [difference(at || 'body', kind, `recorded ${show(recorded)}, received ${show(received)}`)];
}

const difference = (at: string, kind: Difference['kind'], text: string): Difference => ({
  path: at.replace(/\[\d+\]/g, '[]'),
  kind,
  text: `${at}: ${text}`,
});

function compareLists(recorded: unknown[], received: unknown[], at: string): Difference[] {
  const last = recorded.at(-1);
  const more = isObject(last) && typeof last.$more === 'number' ? last.$more : 0;
  const items = more > 0 ? recorded.slice(0, -1) : recorded;
  const count = items.length + more;
  const both = items.slice(0, received.length);
  return [
    ...(count === received.length
      ? []
      : [
          difference(
            `${at}.length`,
            'value',
            `recorded ${count} items, received ${received.length}`,
          ),
        ]),
    ...both.flatMap((item, index) => compare(item, received[index], `${at}[${index}]`)),
  ];
}

type Members = Record<string, unknown>;

function compareMembers(recorded: Members, received: Members, at: string): Difference[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(received)]);
  return [...names].flatMap((name) => {
    const path = at === '' ? name : `${at}.${name}`;
    if (!(name in recorded))
      return [difference(path, 'shape', `not recorded, received ${show(received[name])}`)];
    if (name in received) return compare(recorded[name], received[name], path);
    return isFree(recorded[name])
      ? []
      : [difference(path, 'shape', `recorded ${show(recorded[name])}, received nothing`)];
  });
}
