// Finds the route of a request. As in the service, letter case and a slash at the end of a path do not count, and of
// several routes that match, the first one counts.
import { groupBy } from '../../core/objects.ts';
import { badRequest } from './http-error.ts';

interface Route {
  method: string;
  /** `{name}` stands for a parameter. */
  path: string;
}

type Find<R extends Route> = (
  method: string,
  pathname: string,
) => { route: R; parameters: Record<string, string> } | undefined;

/**
 * Ignores routes of which `exists` is false at the time of the request. The function that it returns throws the error of
 * the service for an escape such as `%zz` in a parameter.
 */
export function createRouter<R extends Route>(
  routes: readonly R[],
  exists: (route: R) => boolean = () => true,
): Find<R> {
  let byLength: ReturnType<typeof groupByLength<R>> | undefined;
  return (method, pathname) => {
    const sent = split(pathname);
    byLength ??= groupByLength(routes);
    for (const { route, parts } of byLength.get(sent.length) ?? []) {
      if (!parts.every((part, index) => fits(part, sent[index] ?? '')) || !exists(route)) continue;
      const values = parts.flatMap(({ name }, index) =>
        name === undefined ? [] : [[name, decode(sent[index] ?? '')]],
      );
      if (route.method === method) return { route, parameters: Object.fromEntries(values) };
    }
    return undefined;
  };
}

const groupByLength = <R extends Route>(routes: readonly R[]) =>
  groupBy(
    routes.map((route) => ({ route, parts: split(route.path).map(toPart) })),
    ({ parts }) => parts.length,
  );

const split = (path: string): string[] => path.replace(/\/$/, '').split('/');

interface Part {
  text: string;
  /** Of the parameter. */
  name: string | undefined;
}

const toPart = (text: string): Part => ({
  text: text.toLowerCase(),
  name: /^\{(\w+)\}$/.exec(text)?.[1],
});

const fits = ({ text, name }: Part, sent: string): boolean =>
  name === undefined ? text === sent.toLowerCase() : sent !== '';

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest(`Failed to decode param '${text}'`);
  }
}
