// Servers that are slow, broken or not HTTP servers. With both transports, the command exits with 7 in bounded time,
// prints one error object and writes nothing to standard output.
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { printedError } from '../support/printed-error.ts';
import { gzipped, head, openRawServer, repeat } from '../support/raw-server.ts';

const list = ['topics', 'list', '--json', '--retries', '0', '--timeout', '500ms'];
const listAll = [...list, '--all'];

const whole = (body: string, type = 'application/json') =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const afterDelay = (act: () => void) => void setTimeout(act, 30);

const timedOut = 'GET /v2/topics on URL timed out after 0.5 s';
const timedOutHint = 'Try again, or set a longer --timeout.';
const truncated = 'GET /v2/topics on URL returned a truncated response';
const retryHint =
  'Try again. If the error persists, check the proxies between this machine and the service.';
const notHttp = 'GET /v2/topics on URL returned something other than HTTP';
const notHttpHint =
  'Check the host and port of the base URL, and whether it should start with https://.';
const addressHint = 'Check the host and port of the base URL.';
const proxyHint =
  'Check the base URL (from SVC_BASE_URL), and whether a proxy or a login page is in the way.';
const noList = 'The response to GET /v2/topics has no list `data`.';
const noListHint = 'Check the base URL, and the response with --debug=body.';
const notJson =
  'GET /v2/topics returned something other than JSON (status 200): this is not the API';

type Case = [name: string, respond: (socket: Socket) => void, message: string, hint: string];

const slow: Case[] = [
  ['never responds', () => undefined, timedOut, timedOutHint],
  [
    'sends its headers one byte at a time',
    (socket) => {
      const bytes = [...head('Content-Length: 1000')];
      repeat(socket, () => bytes.shift() ?? ' ', 100);
    },
    timedOut,
    timedOutHint,
  ],
  [
    'sends its body one byte at a time',
    (socket) => {
      socket.write(head('Content-Length: 1000'));
      repeat(socket, () => ' ', 100);
    },
    timedOut,
    timedOutHint,
  ],
  [
    'sends its body in chunks of one byte',
    (socket) => {
      socket.write(head('Transfer-Encoding: chunked'));
      repeat(socket, () => '1\r\n \r\n', 100);
    },
    timedOut,
    timedOutHint,
  ],
  [
    'sends endless early hints and no response',
    (socket) => repeat(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50), 5),
    timedOut,
    timedOutHint,
  ],
];

const broken: Case[] = [
  [
    'closes the connection in the middle of its body',
    (socket) => {
      socket.write(`${head('Content-Length: 1000')}{"data":[`);
      afterDelay(() => socket.end());
    },
    truncated,
    retryHint,
  ],
  [
    'closes the connection in the middle of a chunked body',
    (socket) => {
      socket.write(`${head('Transfer-Encoding: chunked')}9\r\n{"data":[\r\n`);
      afterDelay(() => socket.end());
    },
    truncated,
    retryHint,
  ],
  [
    'sends truncated JSON',
    (socket) => socket.write(whole('{"data":[{"_id":"1"')),
    'GET /v2/topics returned truncated or damaged JSON (status 200)',
    retryHint,
  ],
  [
    'sends a login page with 200',
    (socket) => socket.write(whole('<!doctype html><title>Log in</title>', 'text/html')),
    'GET /v2/topics returned an HTML page (status 200): this is not the API',
    proxyHint,
  ],
  ['sends plain text with 200', (socket) => socket.write(whole('It works!')), notJson, proxyHint],
  ['sends an empty body with 200', (socket) => socket.write(whole('')), noList, noListHint],
  ['sends null', (socket) => socket.write(whole('null')), noList, noListHint],
  [
    'sends an unrelated JSON object',
    (socket) => socket.write(whole('{"ok":1}')),
    noList,
    noListHint,
  ],
  [
    'declares gzip but sends plain text',
    (socket) => socket.write(gzipped(Buffer.from('{"data":[]}'))),
    'GET /v2/topics on URL returned damaged gzip data',
    retryHint,
  ],
  [
    'sends truncated gzip',
    (socket) => socket.write(gzipped(gzipSync('{"data":[]}').subarray(0, 15))),
    'GET /v2/topics on URL returned truncated gzip data',
    retryHint,
  ],
  ['is a mail server', (socket) => socket.end('220 mail.test ESMTP\r\n'), notHttp, notHttpHint],
  [
    'sends a TLS alert',
    (socket) => socket.end(Buffer.from('15030100020246', 'hex')),
    notHttp,
    notHttpHint,
  ],
  [
    'switches to another protocol',
    (socket) =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      ),
    'GET /v2/topics on URL returned a switch to another protocol',
    addressHint,
  ],
  [
    'sends endless headers',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(socket, () => `X-More: ${'a'.repeat(1000)}\r\n`);
    },
    'GET /v2/topics on URL returned headers that are too large',
    addressHint,
  ],
  [
    'sends one endless header',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      repeat(socket, () => 'a'.repeat(65_536));
    },
    'GET /v2/topics on URL returned headers that are too large',
    addressHint,
  ],
];

describe('a server that', () => {
  it.each([...slow, ...broken])('%s', async (_name, respond, message, hint) => {
    const { baseUrl, env } = await openRawServer(respond);
    const home = openHome();
    const startedAt = Date.now();
    const results = await Promise.all([list, listAll].map((line) => home.svc(line, { env })));
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    for (const { code, stdout, stderr } of results) {
      expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
      const expected = { code: 7, message: message.replace('URL', baseUrl), hint };
      expect(printedError(stderr)).toMatchObject(expected);
    }
  });

  // It depends on the operating system whether the connection counts as reset or closed.
  it.each([
    [
      'resets the connection in the middle of its body',
      (socket: Socket) => {
        socket.write(`${head('Content-Length: 1000')}{"data":[`);
        afterDelay(() => socket.resetAndDestroy());
      },
    ],
    ['closes the connection without a response', (socket: Socket) => socket.end()],
  ])('%s', async (_name, respond) => {
    const { env } = await openRawServer(respond);
    const home = openHome();
    for (const { code, stdout, stderr } of await Promise.all(
      [list, listAll].map((line) => home.svc(line, { env })),
    )) {
      expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
      expect(printedError(stderr).message).toMatch(
        /the connection was (reset|closed)|a truncated response/,
      );
      expect(printedError(stderr).hint).toContain(retryHint);
    }
  });

  it('sends endless 100 Continue responses', async () => {
    const { env } = await openRawServer((socket) =>
      repeat(socket, () => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50), 5),
    );
    const home = openHome();
    const results = await Promise.all([list, listAll].map((line) => home.svc(line, { env })));
    expect(results.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      Array(2).fill({ code: 7, stdout: '' }),
    );
    for (const { stderr } of results) expect(printedError(stderr).hint).toContain('Try again');
  });

  it('never reads the body of a write', async () => {
    const { baseUrl, env } = await openRawServer(() => undefined, true);
    const home = openHome();
    // Larger than the socket buffers of both sides.
    writeFileSync(path.join(home.folder, 'large.json'), JSON.stringify({ text: 'x'.repeat(2e7) }));
    const startedAt = Date.now();
    const { code, stdout, stderr } = await home.svc(
      ['api', 'POST', '/v1/x', '--body', '@large.json', '--retries', '0', '--timeout', '500ms'],
      { env },
    );
    expect(Date.now() - startedAt).toBeLessThan(8_000);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(stderr).toContain(`POST /v1/x on ${baseUrl} timed out after 0.5 s`);
  });

  it('never responds to an import makes it exit with 7', async () => {
    const { env } = await openRawServer(() => undefined);
    const home = openHome();
    writeFileSync(path.join(home.folder, 'users.csv'), 'subscriberId\na\n');
    const line = ['subscribers', 'bulk-import', 'users.csv', '--json', '--max-wait', '50ms'];
    const { code, stdout, stderr } = await home.svc([...line, '--timeout', '100ms'], { env });
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ created: 0, failed: 0, stopped: expect.anything() });
    expect(stderr).toContain('timed out after 0.1 s');
  });
});
