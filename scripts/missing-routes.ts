// Asks a sandbox of each version for every route of the service, and lists the routes that it does not have or closes.
import { groupBy } from '../src/core/objects.ts';
import { inboxClient } from '../src/service/operations/inbox-client.ts';
import { emulatedIds, record } from '../src/service/operations/index.ts';
import { closedRouteText, notEmulatedHeader } from '../src/service/route-errors.ts';
import { closedRoutes, laterRoutes, otherRoutes } from '../src/service/routes.ts';
import { type SandboxVersion, sandboxVersions } from '../src/service/versions.ts';
import { startSandbox } from '../src/testing/index.ts';

interface Route {
  method: string;
  path: string;
  /** In the order of the versions. */
  states: string[];
}

/** The rows of a table: the state of routes in each version, and their names. */
export async function missingRoutes(): Promise<string[][]> {
  const lines = [
    ...[...emulatedIds.map(record), ...Object.values(inboxClient)].flatMap(
      ({ method, path, aliases = [] }) => [path, ...aliases].map((one) => `${method} ${one}`),
    ),
    ...[
      ...Object.entries(otherRoutes).map(([path, methods]) => ({ path, methods })),
      ...laterRoutes,
    ].flatMap(({ path, methods }) => methods.split(' ').map((method) => `${method} ${path}`)),
    ...closedRoutes.map(({ method, path }) => `${method} ${path}`),
  ];
  const routes = [...new Set(lines)].map((line): Route => {
    const [method = '', path = ''] = line.split(' ');
    return { method, path, states: [] };
  });
  for (const version of sandboxVersions) await addStates(version, routes);
  const rows = groupBy(routes, ({ states }) => states.join(' | '));
  return [
    [...sandboxVersions, 'Routes'],
    ...[...rows]
      .filter(([states]) => states !== sandboxVersions.map(() => emulated).join(' | '))
      .map(([states, alike]) => [states, listRoutes(alike, routes)]),
  ];
}

const emulated = 'emulated';

async function addStates(service: SandboxVersion, routes: readonly Route[]): Promise<void> {
  const { fetch, key, stop } = await startSandbox({ listen: false, service });
  for (const { method, path, states } of routes) {
    const response = await fetch(path.replace(/\{\w+\}/g, 'x'), {
      method,
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      ...(['GET', 'OPTIONS'].includes(method) ? {} : { body: '{}' }),
    });
    const { message } = (await response.json().catch(() => ({}))) as { message?: unknown };
    if (response.headers.has(notEmulatedHeader)) states.push('not emulated');
    else if (message === closedRouteText) states.push('closed to keys');
    else states.push(String(message).startsWith(`Cannot ${method} /`) ? 'absent' : emulated);
  }
  await stop();
}

/** `/v1/auth/*` stands for all routes that begin so, if they are alike. */
function listRoutes(alike: readonly Route[], all: readonly Route[]): string {
  const prefixOf = ({ path }: Route) => path.split('/').slice(0, 3).join('/');
  const sizes = groupBy(all, prefixOf);
  return [...groupBy(alike, prefixOf)]
    .flatMap(([prefix, routes]) => {
      const isWhole = routes.length > 1 && sizes.get(prefix)?.length === routes.length;
      if (isWhole)
        return [`\`${prefix}${routes.every(({ path }) => path === prefix) ? '' : '/*'}\``];
      return [...groupBy(routes, ({ path }) => path)].map(
        ([path, methods]) => `\`${methods.map(({ method }) => method).join(' ')} ${path}\``,
      );
    })
    .join(', ');
}
