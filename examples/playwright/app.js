// The application: a web server with POST /sign-up and GET /confirm.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Novu } from '@novu/api';

/** Starts the server on a free port; resolves with the server. */
export function startApp({ novuUrl, novuKey }) {
  const novu = new Novu({ serverURL: novuUrl, secretKey: novuKey });
  const pending = new Map();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    if (request.method === 'POST' && pathname === '/sign-up') {
      const email = searchParams.get('email');
      const token = randomUUID();
      pending.set(token, email);
      await novu.trigger({
        workflowId: 'sign-up',
        to: { subscriberId: email, email },
        payload: { token },
      });
      response.writeHead(202).end();
    } else if (pathname === '/confirm' && pending.has(searchParams.get('token'))) {
      response.end(`${pending.get(searchParams.get('token'))} is confirmed`);
    } else {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
