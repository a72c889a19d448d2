// The application: its endpoint executes the steps of the workflows.
import { createAdaptorServer } from '@hono/node-server';
import { Client } from '@novu/framework';
import { serve } from '@novu/framework/hono';
import { Hono } from 'hono';
import { comments, trial } from './workflows.js';

/** Listens on a free port. `secretKey` is the API key of the service, which signs its requests. */
export async function startServer(secretKey) {
  const client = new Client({ secretKey, strictAuthentication: true });
  const app = new Hono();
  const handle = serve({ client, workflows: [comments, trial] });
  app.on(['GET', 'POST', 'OPTIONS'], '/api/novu', handle);
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}/api/novu`, close: () => server.close() };
}
