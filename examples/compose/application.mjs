// An application that notifies a person who signs up: POST /sign-up with {"id", "email"}.
import { createServer } from 'node:http';

const { NOVU_API_URL, NOVU_SECRET_KEY, PORT } = process.env;

const server = createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url !== '/sign-up') {
    response.writeHead(request.url === '/health' ? 200 : 404).end();
    return;
  }
  const { id, email } = JSON.parse((await request.toArray()).join(''));
  const triggered = await fetch(`${NOVU_API_URL}/v1/events/trigger`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${NOVU_SECRET_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'welcome',
      to: { subscriberId: id, email },
      payload: { product: 'Example' },
    }),
  });
  response.writeHead(triggered.ok ? 201 : 502).end();
});

server.listen(Number(PORT));
process.on('SIGTERM', () => process.exit());
