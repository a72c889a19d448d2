// The control routes of a sandbox, /__sandbox/…, which the service does not have. Each route is a record; authorization,
// the scope and the response are the same for all of them.
import { authorize } from '../http/authorization.ts';
import { readJson } from '../http/request-body.ts';
import { json } from '../http/responses.ts';
import { controlPath } from './client.ts';
import { activityRoutes, messageRoutes, requestRoutes } from './message-routes.ts';
import type { ControlOptions, ControlRoute } from './route.ts';
import {
  clockRoutes,
  environmentRoutes,
  faultRoutes,
  stateRoutes,
  statusRoutes,
} from './sandbox-routes.ts';
import { snapshotRoutes } from './snapshot-routes.ts';

interface HandledRoute {
  method: string;
  path: string;
  handle(request: Request, parameters: Record<string, string>): Promise<Response>;
}

export function createControlRoutes(options: ControlOptions): HandledRoute[] {
  const { store, scheduler } = options;
  const routes: ControlRoute[] = [
    ...statusRoutes(options),
    ...clockRoutes(options),
    ...messageRoutes(options),
    ...activityRoutes(options),
    ...requestRoutes(options),
    ...faultRoutes(options),
    ...environmentRoutes(options),
    ...stateRoutes(options),
    ...snapshotRoutes(options),
    documentRoute(() => routes),
  ];
  return routes.map(({ method, path, handle }) => ({
    method,
    path: `${controlPath}${path}`,
    async handle(request, parameters) {
      const environmentId = authorize(store.sql, request.headers.get('authorization'));
      await scheduler.settled();
      const { searchParams } = new URL(request.url);
      const result = await handle({
        environmentId,
        scope() {
          scheduler.catchUp();
          return store.scope(environmentId);
        },
        parameter: (name) => parameters[name] ?? '',
        query: Object.fromEntries(searchParams),
        body: (limit) => readJson(request, limit),
      });
      if (method !== 'GET') store.committed();
      return json(200, result);
    },
  }));
}

const documentRoute = (routes: () => readonly ControlRoute[]): ControlRoute => ({
  method: 'GET',
  path: '/openapi.json',
  description: {
    id: 'getOpenApi',
    summary: 'Show these routes as an OpenAPI document',
    response: 'OpenApi',
  },
  // Loaded on demand, because few programs need it.
  handle: async () => (await import('./openapi.ts')).openApiDocument(routes()),
});
