import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ServeOptions, serveSandbox } from '../../src/sandbox/index.ts';
import { key } from './open.ts';

async function serve(options: Partial<ServeOptions> = {}) {
  const server = await serveSandbox({ host: '127.0.0.1', port: 0, key, ...options });
  onTestFinished(() => server.close());
  const ask = (target: string, init: RequestInit = {}) =>
    fetch(`${server.baseUrl}${target}`, {
      ...init,
      headers: { authorization: `ApiKey ${key}`, ...init.headers },
    });
  return { ...server, ask };
}

/** A request whose Host header is not the address. */
async function statusFor(port: number, headers: Record<string, string>): Promise<number> {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: '/v2/topics',
    headers: { authorization: `ApiKey ${key}`, ...headers },
  });
  request.end();
  const [answer]: IncomingMessage[] = await once(request, 'response');
  answer?.resume();
  return answer?.statusCode ?? 0;
}

describe('a served sandbox', () => {
  test('answers on a free port with its key', async () => {
    const { ask, baseUrl, port, key: given } = await serve();
    expect(port).toBeGreaterThan(0);
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect(given).toBe(key);
    const answer = await ask('/v2/topics');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ totalCount: 3 });
  });

  test('tells its process in the status', async () => {
    const { ask } = await serve({ envelope: true });
    expect(await (await ask('/__sandbox/status')).json()).toMatchObject({
      name: 'svc-sandbox',
      pid: process.pid,
      envelope: true,
    });
  });

  test.each([
    [{}, 200],
    [{ host: 'localhost' }, 200],
    [{ host: 'rebound.example' }, 403],
    [{ origin: 'https://page.example' }, 403],
  ])('with the headers %j answers %i', async (headers, status) => {
    const { port } = await serve();
    expect(await statusFor(port, headers)).toBe(status);
  });

  test('answers for the names it was given', async () => {
    const { port } = await serve({ allowHosts: ['sandbox.test'] });
    expect(await statusFor(port, { host: `sandbox.test:${port}` })).toBe(200);
  });

  test('refuses a body over the limit, with and without a length', async () => {
    const { ask } = await serve();
    const headers = { 'content-type': 'application/json' };
    const body = 'x'.repeat(200_000);
    const target = '/v1/subscribers/bulk';
    expect((await ask(target, { method: 'POST', body, headers })).status).toBe(413);
    const stream = new Blob([body]).stream();
    const streamed = { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit;
    expect((await ask(target, streamed)).status).toBe(413);
  });

  test('takes events of megabytes', async () => {
    const { ask } = await serve();
    const events = [{ name: 'welcome', to: 'u1', payload: { text: 'x'.repeat(5_000_000) } }];
    const answer = await ask('/v1/events/trigger/bulk', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject([{ status: 'processed' }]);
  });

  test('answers while 200 clients say nothing', async () => {
    const { ask, port } = await serve();
    const idle: Socket[] = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    idle[0]?.write('GET /v2/topics HTTP/1.1\r\n');
    expect((await ask('/v2/topics')).status).toBe(200);
  });

  test('lets go of clients that say nothing', async () => {
    const { port } = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.resume();
    const began = Date.now();
    await once(socket, 'close');
    expect(Date.now() - began).toBeLessThan(9_000);
  });
});

describe('an address', () => {
  test('that is taken is named, with the option to change it', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    await expect(serve({ port })).rejects.toMatchObject({
      exitReason: 'local',
      message: `Port ${port} on 127.0.0.1 is in use.`,
      details: { hint: expect.stringContaining('--port') },
    });
  });

  test('beyond loopback needs the names it is reached by', async () => {
    await expect(serve({ host: '0.0.0.0' })).rejects.toMatchObject({
      exitReason: 'usage',
      details: { hint: expect.stringContaining('--allow-host') },
    });
  });

  test('of all interfaces is told as one that can be reached', async () => {
    const { ask, baseUrl, port } = await serve({ host: '0.0.0.0', allowHosts: ['127.0.0.1'] });
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect((await ask('/v2/topics')).status).toBe(200);
  });

  test('that does not exist is refused', async () => {
    await expect(serve({ host: '192.0.2.1', allowHosts: ['x'] })).rejects.toMatchObject({
      exitReason: 'local',
    });
  });
});

describe('stopping', () => {
  test('by request answers first, and then the port is free', async () => {
    const { ask, closed, port } = await serve();
    const answer = await ask('/__sandbox/stop', { method: 'POST' });
    expect(await answer.json()).toEqual({ stopping: true });
    await closed;
    await expect(statusFor(port, {})).rejects.toThrow();
  });

  test('lets a request under way finish', async () => {
    const { close, port } = await serve();
    const body = JSON.stringify({ subscribers: [{ subscriberId: 'late' }] });
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/v1/subscribers/bulk',
      headers: {
        authorization: `ApiKey ${key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    request.write(body.slice(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closing = close();
    request.end(body.slice(10));
    const [answer]: IncomingMessage[] = await once(request, 'response');
    expect(answer?.statusCode).toBe(201);
    answer?.resume();
    await closing;
  });

  test('twice is the same as once', async () => {
    const { close } = await serve();
    await Promise.all([close(), close()]);
  });
});

describe('a start that fails', () => {
  const folder = () => {
    const made = mkdtempSync(path.join(tmpdir(), 'svc-server-'));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  test('because of its port leaves no data behind', async () => {
    const { port } = await serve();
    const directory = path.join(folder(), 'data');
    await expect(serve({ port, directory })).rejects.toThrow(`Port ${port}`);
    expect(existsSync(directory)).toBe(false);
  });

  test('because of its data frees its port', async () => {
    const directory = folder();
    await serve({ directory });
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    other.close();
    await once(other, 'close');
    await expect(serve({ directory, port })).rejects.toThrow('is using');
    expect((await serve({ port })).port).toBe(port);
  });
});
