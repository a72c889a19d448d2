// Servers that are slow, broken or something else altogether, against both engines of the built program: each
// ends in time, with 7, one error object and nothing on standard output.
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { openRawServer, repeat } from '../support/raw-server.ts';

const one = ['topics', 'list', '--json', '--retries', '0', '--timeout', '500ms'];
const many = [...one, '--all'];

const head = (...more: readonly string[]) =>
  `${['HTTP/1.1 200 OK', 'Content-Type: application/json', ...more].join('\r\n')}\r\n\r\n`;
const whole = (body: string, type = 'application/json') =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const gzipped = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(head('Content-Encoding: gzip', `Content-Length: ${bytes.length}`)),
    bytes,
  ]);
const soon = (act: () => void) => void setTimeout(act, 30);

const late = 'GET /v2/topics on URL timed out after 0.5 s';
const later = 'Try again, or set a longer --timeout.';
const cut = 'GET /v2/topics on URL returned a truncated response';
const again =
  'Try again. If the error persists, check the proxies between this machine and the service.';
const notHttp = 'GET /v2/topics on URL returned something other than HTTP';
const orTls = 'Check the host and port of the base URL, and whether it should start with https://.';
const readdress = 'Check the host and port of the base URL with `svc profiles show`.';
const between = 'Check the base URL, and whether a proxy or a login page is in the way.';
const noList = 'The response to GET /v2/topics has no list `data`.';
const whose = 'Check the base URL with `svc profiles show`, and the response with `--debug=body`.';
const notJson =
  'GET /v2/topics returned something other than JSON (status 200): this is not the API';

type Case = [name: string, answer: (socket: Socket) => void, message: string, hint: string];

const slow: Case[] = [
  ['never answers', () => undefined, late, later],
  [
    'sends its headers a byte at a time',
    (socket) => {
      const bytes = [...head('Content-Length: 1000')];
      repeat(socket, () => bytes.shift() ?? ' ', 100);
    },
    late,
    later,
  ],
  [
    'sends its body a byte at a time',
    (socket) => {
      socket.write(head('Content-Length: 1000'));
      repeat(socket, () => ' ', 100);
    },
    late,
    later,
  ],
  [
    'sends its body a chunk of one byte at a time',
    (socket) => {
      socket.write(head('Transfer-Encoding: chunked'));
      repeat(socket, () => '1\r\n \r\n', 100);
    },
    late,
    later,
  ],
  [
    'sends early hints without end and no answer',
    (socket) => repeat(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50), 5),
    late,
    later,
  ],
];

const broken: Case[] = [
  [
    'closes in the middle of its body',
    (socket) => {
      socket.write(`${head('Content-Length: 1000')}{"data":[`);
      soon(() => socket.end());
    },
    cut,
    again,
  ],
  [
    'closes in the middle of its chunks',
    (socket) => {
      socket.write(`${head('Transfer-Encoding: chunked')}9\r\n{"data":[\r\n`);
      soon(() => socket.end());
    },
    cut,
    again,
  ],
  [
    'sends a truncated JSON text',
    (socket) => socket.write(whole('{"data":[{"_id":"1"')),
    'GET /v2/topics returned truncated or damaged JSON (status 200)',
    again,
  ],
  [
    'sends a login page with 200',
    (socket) => socket.write(whole('<!doctype html><title>Log in</title>', 'text/html')),
    'GET /v2/topics returned an HTML page (status 200): this is not the API',
    between,
  ],
  ['sends plain text with 200', (socket) => socket.write(whole('It works!')), notJson, between],
  ['sends an empty body with 200', (socket) => socket.write(whole('')), noList, whose],
  ['sends null', (socket) => socket.write(whole('null')), noList, whose],
  ['sends JSON of something else', (socket) => socket.write(whole('{"ok":1}')), noList, whose],
  [
    'calls gzip what is none',
    (socket) => socket.write(gzipped(Buffer.from('{"data":[]}'))),
    'GET /v2/topics on URL returned damaged gzip data',
    again,
  ],
  [
    'sends half of its gzip',
    (socket) => socket.write(gzipped(gzipSync('{"data":[]}').subarray(0, 15))),
    'GET /v2/topics on URL returned truncated gzip data',
    again,
  ],
  ['is a mail server', (socket) => socket.end('220 mail.test ESMTP\r\n'), notHttp, orTls],
  [
    'sends a TLS alert',
    (socket) => socket.end(Buffer.from('15030100020246', 'hex')),
    notHttp,
    orTls,
  ],
  [
    'switches to another protocol',
    (socket) =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      ),
    'GET /v2/topics on URL returned a switch to another protocol',
    readdress,
  ],
  [
    'sends headers without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeat(socket, () => `X-More: ${'a'.repeat(1000)}\r\n`);
    },
    'GET /v2/topics on URL returned headers that are too large',
    readdress,
  ],
  [
    'sends one header without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      repeat(socket, () => 'a'.repeat(65_536));
    },
    'GET /v2/topics on URL returned headers that are too large',
    readdress,
  ],
];

const errorOf = (stderr: string) =>
  (JSON.parse(stderr) as { error: { code: number; message: string; hint: string } }).error;

describe('a server that', () => {
  it.each([...slow, ...broken])('%s', async (_name, answer, message, hint) => {
    const { baseUrl, env } = await openRawServer(answer);
    const home = openHome();
    const began = Date.now();
    const ends = await Promise.all([one, many].map((line) => home.svc(line, { env })));
    expect(Date.now() - began).toBeLessThan(8_000);
    for (const { code, stdout, stderr } of ends) {
      expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
      const said = { code: 7, message: message.replace('URL', baseUrl), hint };
      expect(errorOf(stderr)).toMatchObject(said);
    }
  });

  // Whether an engine says reset or closed is the system's affair.
  it.each([
    [
      'resets in the middle of its body',
      (socket: Socket) => {
        socket.write(`${head('Content-Length: 1000')}{"data":[`);
        soon(() => socket.resetAndDestroy());
      },
    ],
    ['closes without a word', (socket: Socket) => socket.end()],
  ])('%s', async (_name, answer) => {
    const { env } = await openRawServer(answer);
    const home = openHome();
    for (const { code, stdout, stderr } of await Promise.all(
      [one, many].map((line) => home.svc(line, { env })),
    )) {
      expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
      expect(errorOf(stderr).message).toMatch(
        /the connection was (reset|closed)|a truncated response/,
      );
      expect(errorOf(stderr).hint).toContain(again);
    }
  });

  it('sends 100 Continue without end', async () => {
    const { env } = await openRawServer((socket) =>
      repeat(socket, () => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50), 5),
    );
    const home = openHome();
    const ends = await Promise.all([one, many].map((line) => home.svc(line, { env })));
    expect(ends.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      Array(2).fill({ code: 7, stdout: '' }),
    );
    for (const { stderr } of ends) expect(errorOf(stderr).hint).toContain('Try again');
  });

  it('never takes the body of a write', async () => {
    const { baseUrl, env } = await openRawServer(() => undefined, true);
    const home = openHome();
    // Larger than what the sockets of both sides hold.
    writeFileSync(path.join(home.folder, 'large.json'), JSON.stringify({ text: 'x'.repeat(2e7) }));
    const began = Date.now();
    const { code, stdout, stderr } = await home.svc(
      ['api', 'POST', '/v1/x', '--body', '@large.json', '--retries', '0', '--timeout', '500ms'],
      { env },
    );
    expect(Date.now() - began).toBeLessThan(8_000);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(stderr).toContain(`POST /v1/x on ${baseUrl} timed out after 0.5 s`);
  });

  it('never answers lets an import end with 7', async () => {
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
