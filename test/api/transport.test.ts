// One suite of what every engine promises.
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeTransport } from '../../src/api/node-transport.ts';
import type { TransportOptions } from '../../src/api/transport.ts';
import { undiciTransport } from '../../src/api/undici-transport.ts';
import { openService } from '../support/service.ts';

const options: TransportOptions = { answerLimit: 1000, connections: 4 };

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
    const { baseUrl: base } = await openService(({ method, target, headers, body }, response) => {
      response.writeHead(201, { 'X-Seen': `${method} ${target}`, 'content-type': 'text/plain' });
      response.end(`${headers['x-mine']}|${headers['content-length']}|${body}`);
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
    const { baseUrl: base } = await openService((_seen, response) => {
      response.writeHead(200, { 'x-many': ['a', 'b'] }).end();
    });
    const transport = await opened();
    const { headers } = await transport({ method: 'GET', url: base, headers: {}, signal: never() });
    expect(headers['x-many']).toBe('a, b');
  });

  it('follows no redirect', async () => {
    const { baseUrl: base } = await openService((_seen, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const transport = await opened();
    const { status } = await transport({ method: 'GET', url: base, headers: {}, signal: never() });
    expect(status).toBe(302);
  });

  it('ends when its signal aborts', async () => {
    const { baseUrl: base } = await openService(() => undefined);
    const transport = await opened();
    const controller = new AbortController();
    const waiting = transport({ method: 'GET', url: base, headers: {}, signal: controller.signal });
    controller.abort(Object.assign(new Error('late'), { name: 'TimeoutError' }));
    await expect(waiting).rejects.toThrow();
  });

  it('fails when the body is cut off', async () => {
    const { baseUrl: base } = await openService((_seen, response) => {
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
    const { baseUrl: base } = await openService(
      (_seen, response) => void response.end('x'.repeat(2000)),
    );
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
