// The same tests for both transports.
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeTransport } from '../../src/api/transport/node.ts';
import type { TransportOptions } from '../../src/api/transport/transport.ts';
import { undiciTransport } from '../../src/api/transport/undici.ts';
import { openService } from '../support/service.ts';

const options: TransportOptions = { connections: 4 };
const limit = () => 1000;

const never = () => new AbortController().signal;

describe.each([
  ['node', async () => nodeTransport(options)],
  ['undici', () => undiciTransport(options)],
])('the %s transport', (_name, open) => {
  const opened = async () => {
    const transport = await open();
    onTestFinished(() => transport.close());
    return transport;
  };

  it('sends the method, target, headers and body, and returns the status, headers and body', async () => {
    const { baseUrl: base } = await openService(({ method, target, headers, body }, response) => {
      response.writeHead(201, { 'X-Seen': `${method} ${target}`, 'content-type': 'text/plain' });
      response.end(`${headers['x-mine']}|${headers['content-length']}|${body}`);
    });
    const transport = await opened();
    const response = await transport({
      method: 'POST',
      url: `${base}/v1/a%2Fb?x=1&x=2`,
      headers: { 'x-mine': 'yes' },
      body: Buffer.from('{"ä":1}'),
      signal: never(),
      limit,
    });
    expect(response.status).toBe(201);
    expect(response.headers['x-seen']).toBe('POST /v1/a%2Fb?x=1&x=2');
    expect(response.bytes.toString()).toBe('yes|8|{"ä":1}');
  });

  it('joins repeated headers', async () => {
    const { baseUrl: base } = await openService((_seen, response) => {
      response.writeHead(200, { 'x-many': ['a', 'b'] }).end();
    });
    const transport = await opened();
    const { headers } = await transport({
      method: 'GET',
      url: base,
      headers: {},
      signal: never(),
      limit,
    });
    expect(headers['x-many']).toBe('a, b');
  });

  it('does not follow redirects', async () => {
    const { baseUrl: base } = await openService((_seen, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const transport = await opened();
    const { status } = await transport({
      method: 'GET',
      url: base,
      headers: {},
      signal: never(),
      limit,
    });
    expect(status).toBe(302);
  });

  it('rejects when its signal aborts', async () => {
    const { baseUrl: base } = await openService(() => undefined);
    const transport = await opened();
    const controller = new AbortController();
    const pending = transport({
      method: 'GET',
      url: base,
      headers: {},
      signal: controller.signal,
      limit,
    });
    controller.abort(Object.assign(new Error('late'), { name: 'TimeoutError' }));
    await expect(pending).rejects.toThrow();
  });

  it('rejects if the body is truncated', async () => {
    const { baseUrl: base } = await openService((_seen, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    const transport = await opened();
    await expect(
      transport({ method: 'GET', url: base, headers: {}, signal: never(), limit }),
    ).rejects.toThrow();
  });

  it('rejects a successful response over the limit', async () => {
    const { baseUrl: base } = await openService(
      (_seen, response) => void response.end('x'.repeat(2000)),
    );
    const transport = await opened();
    await expect(
      transport({ method: 'GET', url: base, headers: {}, signal: never(), limit }),
    ).rejects.toMatchObject({ code: 'SVC_RESPONSE_LIMIT' });
  });

  it('drops the body of an error response over the limit and keeps its status', async () => {
    const { baseUrl: base } = await openService((_seen, response) => {
      response.writeHead(500).end('x'.repeat(2000));
    });
    const transport = await opened();
    const { status, bytes } = await transport({
      method: 'GET',
      url: base,
      headers: {},
      signal: never(),
      limit,
    });
    expect({ status, size: bytes.length }).toEqual({ status: 500, size: 0 });
  });

  it('reports a refused connection', async () => {
    const transport = await opened();
    const refused = transport({
      method: 'GET',
      url: 'http://127.0.0.1:9/',
      headers: {},
      signal: never(),
      limit,
    });
    await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
