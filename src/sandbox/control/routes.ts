// The control routes of a sandbox, /__sandbox/…, which the service does not have. Each route is a record; authorization,
// the scope and the response are the same for all of them.
import type { Hono } from 'hono';
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

export function addControlRoutes(app: Hono, options: ControlOptions): void {
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
    documentRoute(() => routes),
  ];
  for (const { method, path, handle } of routes) {
    app.on(method, `${controlPath}${path}`, async ({ req }) => {
      const environmentId = authorize(store.sql, req.raw.headers.get('authorization'));
      await scheduler.settled();
      const result = await handle({
        environmentId,
        scope() {
          scheduler.catchUp();
          return store.scope(environmentId);
        },
        parameter: (name) => req.param(name) ?? '',
        query: (name) => req.query(name),
        body: (limit) => readJson(req.raw, limit),
      });
      if (method !== 'GET') scheduler.afterWrite();
      return json(200, result);
    });
  }
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
