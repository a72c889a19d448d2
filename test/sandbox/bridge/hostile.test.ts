// Endpoints that the sandbox must not call, or must not trust.
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callEndpoint, checkAddress } from '../../../src/sandbox/bridge/request.ts';
import { testKey } from '../../support/fixed.ts';
import { startSandbox } from '../../support/sandbox-311.ts';
import { openSandbox } from '../open.ts';
import { listen } from './application.ts';

const serve = (listener: RequestListener) => listen(createServer(listener));

/** Sends the text after the first bytes of a request, and leaves the connection open. */
const serveText = async (text: string) => {
  const server = createServer();
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).once('data', () => socket.write(text));
  });
  return listen(server);
};

const respondWith =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const call = (url: string, timeoutMs = 5_000) =>
  callEndpoint({
    ...{ url, query: { action: 'discover' }, key: testKey, now: Date.now(), allowedOrigins: [] },
    timeoutMs,
  });

describe('the sandbox calls', () => {
  it.each([
    'http://127.0.0.1:4000/api/novu',
    'https://127.9.9.9/',
    'http://[::1]:4000/',
    'http://localhost:4000/',
    'http://LOCALHOST/',
    // The same address in other forms.
    'http://2130706433/',
    'http://0x7f.1/',
  ])('%s', (url) => {
    expect(checkAddress(url, []).url.href).toMatch(/^https?:/);
  });
});

describe('the sandbox does not call', () => {
  it.each([
    'http://example.com/api/novu',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0:4000/',
    'http://[::ffff:10.0.0.1]/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://localhost@example.com/',
    'http://user:secret@127.0.0.1/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'not an address',
    '',
  ])('%s', (url) => {
    expect(() => checkAddress(url, [])).toThrow('Invalid bridge URL');
  });

  it('an origin that is allowed with another port or scheme', () => {
    const allowed = ['http://app.test:4000'];
    expect(checkAddress('http://app.test:4000/api/novu', allowed).lookup).toBeUndefined();
    for (const url of ['http://app.test:4001/', 'https://app.test:4000/', 'http://app.test/'])
      expect(() => checkAddress(url, allowed)).toThrow('--allow-bridge');
  });

  it.each([
    ['10.0.0.1', 4],
    ['93.184.216.34', 4],
    ['2606:2800::1', 6],
  ] as const)('localhost if its name leads to %s', async (address, family) => {
    const { lookup } = checkAddress('http://localhost/', [], (_host, _options, callback) =>
      callback(null, [{ address, family }]),
    );
    const error = await new Promise((resolve) => lookup?.('localhost', {}, resolve));
    expect(String(error)).toContain('not an address of this machine');
  });

  it('anything but the endpoint that a start, an event or a synchronization names', async () => {
    const { ask } = await openSandbox();
    const bridgeUrl = 'http://10.0.0.1/api/novu';
    for (const [line, body] of [
      ['POST /v1/bridge/sync', { bridgeUrl }],
      ['POST /v1/events/trigger', { name: 'welcome', to: 'u1', payload: {}, bridgeUrl }],
    ] as const) {
      const response = await ask(line, body);
      expect([response.status, response.body.message]).toEqual([
        400,
        expect.stringContaining('the sandbox calls only 127.0.0.1, ::1 and localhost'),
      ]);
    }
    await expect(startSandbox({ bridge: bridgeUrl })).rejects.toThrow('the sandbox calls only');
  });
});

describe('an endpoint', () => {
  it('is not followed to another address', async () => {
    let visits = 0;
    const target = await serve((_, response) => {
      visits += 1;
      response.end('{"workflows":[]}');
    });
    for (const status of [301, 302, 307, 308]) {
      const url = await serve(respondWith(status, '', { location: target }));
      await expect(call(url)).rejects.toThrow('Maximum redirects exceeded');
    }
    expect(visits).toBe(0);
  });

  it.each([
    ['HTML', '<!doctype html><title>Sign in</title>', 'could not be read'],
    ['a list', '[]', 'it is not a JSON object'],
    ['a text', '"workflows"', 'it is not a JSON object'],
    ['nothing', '', 'it is not a JSON object'],
    [
      'JSON that is too deep',
      `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
      'it is not a JSON object',
    ],
  ])('that responds with %s is an error', async (_, body, message) => {
    await expect(call(await serve(respondWith(200, body)))).rejects.toThrow(message);
  });

  it('that sends too much is cut off', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const url = await serve((request, response) => {
      const write = () => {
        while (!request.socket.destroyed && sent < 100) {
          sent += 1;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    await expect(call(url)).rejects.toThrow('it has more than 5 MB');
    expect(sent).toBeLessThan(100);
  });

  it('cannot change prototypes', async () => {
    const body =
      '{"workflows":[{"workflowId":"w","steps":[],"__proto__":{"polluted":1}}],"__proto__":{"polluted":1}}';
    const value = await call(await serve(respondWith(200, body)));
    expect(Reflect.get(value, 'polluted')).toBeUndefined();
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(JSON.stringify(value)).not.toContain('polluted');
  });

  it.each([
    [404, 'BridgeEndpointUnavailable'],
    [405, 'BridgeMethodNotConfigured'],
    [413, 'PayloadTooLarge'],
    [500, 'UnknownBridgeRequestError'],
  ])('with the status %d is the error %s', async (status, code) => {
    const url = await serve(respondWith(status, ''));
    await expect(call(url)).rejects.toMatchObject({ fields: { code } });
  });

  it('is asked once by a request, however many events name it', async () => {
    const { ask } = await openSandbox();
    let visits = 0;
    const bridgeUrl = await serve((_, response) => {
      visits += 1;
      response.end('{"workflows":[]}');
    });
    const event = { name: 'a', to: 'u1', payload: {}, bridgeUrl };
    await ask('POST /v1/events/trigger/bulk', { events: Array(300).fill(event) });
    expect(visits).toBe(1);
  });

  it('on a closed port is an error with its code', async () => {
    const { ask } = await openSandbox();
    const bridgeUrl = 'http://127.0.0.1:1/api/novu';
    const { status, body } = await ask('POST /v1/events/trigger', {
      ...{ name: 'a', to: 'u1', payload: {}, bridgeUrl },
    });
    expect([status, body.code]).toEqual([400, 'ECONNREFUSED']);
  });

  it.each([
    ['no workflows', {}, 'workflows'],
    ['a workflow without steps', { workflows: [{ workflowId: 'a' }] }, 'workflows.0.steps'],
    [
      'a step of another type',
      { workflows: [{ workflowId: 'a', steps: [{ stepId: 's', type: 'shell' }] }] },
      'workflows.0.steps.0.type',
    ],
  ])('that defines %s cannot be synchronized', async (_, value, path) => {
    const { ask } = await openSandbox();
    const bridgeUrl = await serve(respondWith(200, JSON.stringify(value)));
    const { status, body } = await ask('POST /v1/bridge/sync', { bridgeUrl });
    expect([status, body.message]).toEqual([400, expect.stringContaining(path)]);
  });

  it.each([
    ['no outputs', '{"options":{}}', 'it has no outputs'],
    ['HTML', '<html>', 'it is not a JSON object'],
    ['outputs of another form', '{"outputs":[]}', 'it has no outputs'],
  ])(
    'that executes a step with %s fails the step, and the sandbox continues',
    async (_, body, reason) => {
      const workflows = [{ workflowId: 'odd', steps: [{ stepId: 'inbox', type: 'in_app' }] }];
      const bridge = await serve((request, response) => {
        response.end(request.method === 'GET' ? JSON.stringify({ workflows }) : body);
      });
      const sandbox = await startSandbox({ bridge, listen: false });
      onTestFinished(() => sandbox.stop());
      const trigger = (name: string) =>
        sandbox.fetch('/v1/events/trigger', {
          method: 'POST',
          headers: { authorization: `ApiKey ${sandbox.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name, to: 'u1', payload: {}, transactionId: name }),
        });
      await trigger('odd');
      await trigger('welcome');
      const [odd] = await sandbox.activity({ transaction: 'odd' });
      expect(odd?.steps).toMatchObject([
        { verdict: 'failed', detail: expect.stringContaining(reason) },
      ]);
      expect(await sandbox.messages({ transaction: 'welcome' })).not.toEqual([]);
    },
  );

  it.each([
    ['does not respond', ''],
    ['does not end its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'],
    ['sends its header slowly', 'HTTP/1.1 200 OK\r\nX'],
  ])('that %s is given up', async (_, text) => {
    await expect(call(await serveText(text), 50)).rejects.toMatchObject({
      fields: { code: 'BridgeRequestTimeout' },
    });
  });

  it.each([
    ['switches to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    [
      'switches to another protocol with a header Connection',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'sends an invalid chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\nzz',
    ],
    ['sends a header that is too long', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('that %s is an error', async (_, text) => {
    const timeoutMs = 300;
    const start = Date.now();
    await expect(call(await serveText(text), timeoutMs)).rejects.toThrow(/bridge/i);
    // Nothing fails when the time is over.
    await new Promise((resolve) => setTimeout(resolve, start + timeoutMs + 50 - Date.now()));
  });

  it('with a status that HTTP does not define is an error', async () => {
    const { ask } = await openSandbox();
    const bridgeUrl = await serve(respondWith(799, '{"code":"odd","message":"odd"}'));
    const { body } = await ask('POST /v1/events/trigger', {
      ...{ name: 'a', to: 'u1', payload: {}, bridgeUrl },
    });
    expect(body.code).toBe('UnknownBridgeRequestError');
  });
});

describe('the options of a start', () => {
  it.each([
    [{ bridge: 'http://example.com' }, 'the sandbox calls only 127.0.0.1, ::1 and localhost'],
    [{ bridge: 4000 as never }, 'The option bridge must be an address.'],
    [{ allowBridge: 'http://app:4000' as never }, 'The option allowBridge must be a list'],
    [{ allowBridge: ['app:4000'] }, '"app:4000" is not an origin such as http://app:4000.'],
    [{ allowBridge: ['http://app:4000/api'] }, 'is not an origin'],
  ])('%j are rejected', async (options, message) => {
    await expect(startSandbox({ listen: false, ...options })).rejects.toThrow(message);
  });

  it('allow an origin by name', async () => {
    const options = { allowBridge: ['http://app.invalid:4000'], listen: false };
    const sandbox = await startSandbox({ ...options, bridge: 'http://app.invalid:4000/api/novu' });
    await sandbox.stop();
  });
});
