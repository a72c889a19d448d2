// Recognizes requests for routes that the service has and the sandbox does not, and counts them by route.
import { serviceRoutes } from '../../service/routes.ts';
import type { NotEmulatedRoute } from '../control-client/schemas.ts';
import { HttpError } from '../values/http-error.ts';

export const notEmulatedHeader = 'x-sandbox-not-emulated';

export interface NotEmulatedRoutes {
  /** The error for a request of such a route, which is counted; undefined if the service has no such route either. */
  match(method: string, pathname: string): HttpError | undefined;
  /** In the order of their first request. */
  list(): NotEmulatedRoute[];
  clear(): void;
}

export function createNotEmulatedRoutes(onRequest: () => void): NotEmulatedRoutes {
  const routes = new Map<string, NotEmulatedRoute>();
  return {
    match(method, pathname) {
      const path = findRoute(method, pathname);
      if (path === undefined) return undefined;
      const name = `${method} ${path}`;
      const route = routes.get(name) ?? { method, path, requests: 0 };
      route.requests += 1;
      routes.set(name, route);
      onRequest();
      return new HttpError(404, `${name} exists in the service, not in the sandbox`, {
        headers: { [notEmulatedHeader]: '1' },
      });
    },
    list: () => [...routes.values()],
    clear: () => routes.clear(),
  };
}

let patterns: { pattern: RegExp; path: string; methods: readonly string[] }[] | undefined;

/** Fixed words stand before parameters in the list, so the first match is the one of the service. */
function findRoute(method: string, pathname: string): string | undefined {
  patterns ??= Object.entries(serviceRoutes).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    path,
    methods: methods.split(' '),
  }));
  return patterns.find(({ pattern, methods }) => methods.includes(method) && pattern.test(pathname))
    ?.path;
}
