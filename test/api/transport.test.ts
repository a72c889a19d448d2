// One suite of what every engine promises.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeTransport, type TransportOptions, undiciTransport } from '../../src/api/transport.ts';

const options: TransportOptions = { answerLimit: 1000, connections: 4 };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = () => new AbortController().signal;

describe.each([
  ['node', async () => nodeTransport(options)],
  ['undici', () => undiciTransport(options)],
])('the %s engine', (_name, open) => {
  const opened = async () => {
    const transport = await open();
    onTestFinished(() => transport.close());
    return transport;
  };

  it('sends method, target, headers and body, and reads status, headers and body', async () => {
    const base = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(201, {
          'X-Seen': `${request.method} ${request.url}`,
          'content-type': 'text/plain',
        });
        response.end(
          `${request.headers['x-mine']}|${request.headers['content-length']}|${Buffer.concat(chunks)}`,
        );
      });
    });
    const transport = await opened();
    const answer = await transport({
      method: 'POST',
      url: `${base}/v1/a%2Fb?x=1&x=2`,
      headers: { 'x-mine': 'yes' },
      body: Buffer.from('{"ä":1}'),
      signal: never(),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-seen']).toBe('POST /v1/a%2Fb?x=1&x=2');
    expect(answer.bytes.toString()).toBe('yes|8|{"ä":1}');
  });

  it('joins repeated headers', async () => {
    const base = await serve((_request, response) => {
      response.writeHead(200, { 'x-many': ['a', 'b'] }).end();
    });
    const transport = await opened();
    const { headers } = await transport({ method: 'GET', url: base, headers: {}, signal: never() });
    expect(headers['x-many']).toBe('a, b');
  });

  it('follows no redirect', async () => {
    const base = await serve((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const transport = await opened();
    const { status } = await transport({ method: 'GET', url: base, headers: {}, signal: never() });
    expect(status).toBe(302);
  });

  it('ends when its signal aborts', async () => {
    const base = await serve(() => undefined);
    const transport = await opened();
    const controller = new AbortController();
    const waiting = transport({ method: 'GET', url: base, headers: {}, signal: controller.signal });
    controller.abort(Object.assign(new Error('late'), { name: 'TimeoutError' }));
    await expect(waiting).rejects.toThrow();
  });

  it('fails when the body is cut off', async () => {
    const base = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    const transport = await opened();
    await expect(
      transport({ method: 'GET', url: base, headers: {}, signal: never() }),
    ).rejects.toThrow();
  });

  it('refuses an answer beyond the limit', async () => {
    const base = await serve((_request, response) => void response.end('x'.repeat(2000)));
    const transport = await opened();
    await expect(
      transport({ method: 'GET', url: base, headers: {}, signal: never() }),
    ).rejects.toThrow('1000 bytes');
  });

  it('names a refused connection', async () => {
    const transport = await opened();
    const refused = transport({
      method: 'GET',
      url: 'http://127.0.0.1:9/',
      headers: {},
      signal: never(),
    });
    await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
