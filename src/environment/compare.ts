// Compares two values member by member: the differences as paths with the value before and after.
import { isJsonObject, stringifyExact } from '../core/lossless-json.ts';
import type { JsonObject } from '../core/objects.ts';

/** `from` is absent for something new, `to` for something removed. */
export interface Change {
  path: string;
  from?: unknown;
  to?: unknown;
}

/** Lists of steps are compared by stepId; other lists are compared as a whole. */
export function compare(before: unknown, after: unknown, path = ''): Change[] {
  if (isSame(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return names.flatMap((name) =>
      compareMember(name, own(before, name), own(after, name), join(path, name)),
    );
  }
  return [change(path, before, after)];
}

function compareMember(name: string, from: unknown, to: unknown, path: string): Change[] {
  if (name === 'steps' && isStepList(from) && isStepList(to)) return compareSteps(from, to, path);
  return compare(from, to, path);
}

interface Step extends JsonObject {
  stepId: string;
}

/** Steps that were moved are a change of the list of ids. */
function compareSteps(before: readonly Step[], after: readonly Step[], path: string): Change[] {
  const ids = (steps: readonly Step[]) => steps.map(({ stepId }) => stepId);
  const find = (steps: readonly Step[], id: string) => steps.find(({ stepId }) => stepId === id);
  const kept = (steps: readonly Step[], others: readonly Step[]) =>
    ids(steps).filter((id) => find(others, id) !== undefined);
  const all = [...new Set([...ids(after), ...ids(before)])];
  const changes = all.flatMap((id) => compare(find(before, id), find(after, id), join(path, id)));
  const isMoved = kept(before, after).join() !== kept(after, before).join();
  return isMoved ? [...changes, change(path, ids(before), ids(after))] : changes;
}

const isStepList = (value: unknown): value is Step[] =>
  Array.isArray(value) &&
  value.every((step) => isJsonObject(step) && typeof step.stepId === 'string') &&
  new Set(value.map(({ stepId }: Step) => stepId)).size === value.length;

const change = (path: string, from: unknown, to: unknown): Change => ({
  path,
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

const own = (value: JsonObject, name: string) =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** Whether both are the same JSON value. The order of members does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (isJsonObject(a) && isJsonObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
    );
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (a === undefined || b === undefined) return a === b;
  return stringifyExact(a) === stringifyExact(b);
}

/** `a.b`, or `a["b.c"]` for a name that is not a plain word. */
const join = (path: string, name: string) =>
  /^[\w-]+$/.test(name)
    ? `${path}${path === '' ? '' : '.'}${name}`
    : `${path}[${JSON.stringify(name)}]`;

// The changes of several resources as rows for a pipe, CSV and TSV.

interface Changed {
  kind: string;
  id: string;
  action: string;
  changes: readonly Change[];
}

const fields = ['kind', 'id', 'action', 'path', 'from', 'to'] as const;

/** One row for each change, or for each resource without changes. */
export const changeRows = (resources: readonly Changed[]) => ({
  columns: fields.map((field) => ({ field, header: field })),
  items: resources.flatMap(({ kind, id, action, changes }) =>
    (changes.length === 0 ? [{ path: '' }] : changes).map(({ path, ...values }) => ({
      kind,
      id,
      action,
      path,
      from: 'from' in values ? stringifyExact(values.from) : '',
      to: 'to' in values ? stringifyExact(values.to) : '',
    })),
  ),
});
