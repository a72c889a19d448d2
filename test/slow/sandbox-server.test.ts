import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { currentProcess } from '../../src/platform/process-identity.ts';
import { key } from '../sandbox/open.ts';
import { type ServeOptions, serveSandbox } from '../support/sandbox-311.ts';

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

/** Sends a request with custom headers, such as another Host, and returns the status. */
async function statusFor(port: number, headers: Record<string, string>): Promise<number> {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: '/v2/topics',
    headers: { authorization: `ApiKey ${key}`, ...headers },
  });
  request.end();
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.resume();
  return response?.statusCode ?? 0;
}

describe('a served sandbox', () => {
  test('listens on a free port and accepts its key', async () => {
    const { ask, baseUrl, port, key: serverKey } = await serve();
    expect(port).toBeGreaterThan(0);
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect(serverKey).toBe(key);
    const response = await ask('/v2/topics');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ totalCount: 3 });
  });

  test('keeps the global Request and Response, which libraries of an application check', async () => {
    const before = [Request, Response];
    const { ask } = await serve();
    expect((await ask('/v2/topics')).status).toBe(200);
    expect([Request, Response]).toEqual(before);
  });

  test('replaces the globals in its own process until it stops or fails to listen', async () => {
    const before = [Request, Response];
    const { ask, close } = await serve({ ownProcess: true });
    expect((await ask('/v2/topics')).status).toBe(200);
    expect([Request, Response]).not.toEqual(before);
    await close();
    expect([Request, Response]).toEqual(before);
    const other = await serve();
    await expect(serve({ ownProcess: true, port: other.port })).rejects.toThrow('in use');
    expect([Request, Response]).toEqual(before);
  });

  test('reports its process in the status: the id and, on Linux, the start', async () => {
    const { ask } = await serve({ envelope: true });
    expect(await (await ask('/__sandbox/status')).json()).toMatchObject({
      name: 'svc-sandbox',
      pid: process.pid,
      ...(process.platform === 'linux' ? { processStart: currentProcess.identity?.start } : {}),
      envelope: true,
    });
  });

  test.each([
    [{}, 200],
    [{ host: 'localhost' }, 200],
    [{ host: 'rebound.example' }, 403],
    [{ origin: 'https://page.example' }, 403],
  ])('with the headers %j returns %i', async (headers, status) => {
    const { port } = await serve();
    expect(await statusFor(port, headers)).toBe(status);
  });

  test('accepts the names in allowHosts', async () => {
    const { port } = await serve({ allowHosts: ['sandbox.test'] });
    expect(await statusFor(port, { host: `sandbox.test:${port}` })).toBe(200);
  });

  test('rejects a body over the limit, with and without content-length', async () => {
    const { ask } = await serve();
    const headers = { 'content-type': 'application/json' };
    const body = 'x'.repeat(200_000);
    const target = '/v1/subscribers/bulk';
    expect((await ask(target, { method: 'POST', body, headers })).status).toBe(413);
    const stream = new Blob([body]).stream();
    const streamed = { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit;
    expect((await ask(target, streamed)).status).toBe(413);
  });

  test('accepts events of several megabytes', async () => {
    const { ask } = await serve();
    const events = [{ name: 'welcome', to: 'u1', payload: { text: 'x'.repeat(5_000_000) } }];
    const response = await ask('/v1/events/trigger/bulk', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ data: [{ status: 'processed' }] });
  });

  test('responds while 200 clients are idle', async () => {
    const { ask, port } = await serve();
    const idle: Socket[] = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    idle[0]?.write('GET /v2/topics HTTP/1.1\r\n');
    expect((await ask('/v2/topics')).status).toBe(200);
  });

  test('closes the connections of idle clients', async () => {
    const { port } = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.resume();
    const startedAt = Date.now();
    await once(socket, 'close');
    expect(Date.now() - startedAt).toBeLessThan(9_000);
  });
});

describe('the listening address', () => {
  test('is named in the error if it is in use, with the option to change it', async () => {
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

  test('requires --allow-host if it is not loopback', async () => {
    await expect(serve({ host: '0.0.0.0' })).rejects.toMatchObject({
      exitReason: 'usage',
      details: { hint: expect.stringContaining('--allow-host') },
    });
  });

  test('of all interfaces is reported as a loopback URL', async () => {
    const { ask, baseUrl, port } = await serve({ host: '0.0.0.0', allowHosts: ['sandbox'] });
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect((await ask('/v2/topics')).status).toBe(200);
  });

  test('that does not exist is an error', async () => {
    await expect(serve({ host: '192.0.2.1', allowHosts: ['x'] })).rejects.toMatchObject({
      exitReason: 'local',
    });
  });
});

describe('stopping a served sandbox', () => {
  test('by request responds first, then frees the port', async () => {
    const { ask, closed, port } = await serve();
    const response = await ask('/__sandbox/stop', { method: 'POST' });
    expect(await response.json()).toEqual({ stopping: true });
    await closed;
    await expect(statusFor(port, {})).rejects.toThrow();
  });

  test('waits for pending requests', async () => {
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
        // The response `100 Continue` shows that the request has arrived.
        expect: '100-continue',
      },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.write(body.slice(0, 10));
    const closing = close();
    request.end(body.slice(10));
    const [response]: IncomingMessage[] = await once(request, 'response');
    expect(response?.statusCode).toBe(201);
    response?.resume();
    await closing;
  });

  test('can be requested twice', async () => {
    const { close } = await serve();
    await expect(Promise.all([close(), close()])).resolves.toHaveLength(2);
  });
});

describe('a failed start', () => {
  const temporaryFolder = () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'svc-server-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  test('because of its port leaves no data behind', async () => {
    const { port } = await serve();
    const directory = path.join(temporaryFolder(), 'data');
    await expect(serve({ port, directory })).rejects.toThrow(`Port ${port}`);
    expect(existsSync(directory)).toBe(false);
  });

  test('because of its data frees its port', async () => {
    const directory = temporaryFolder();
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
