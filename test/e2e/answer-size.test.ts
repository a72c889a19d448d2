// Answers that are larger than anything the service sends: refused, within bounded memory, by both engines.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { openRawServer, repeat } from '../support/raw-server.ts';

const one = ['topics', 'list', '--json', '--retries', '0', '--timeout', '20s'];
const many = [...one, '--all'];

const head = (...more: readonly string[]) =>
  `${['HTTP/1.1 200 OK', 'Content-Type: application/json', ...more].join('\r\n')}\r\n\r\n`;
const gzipped = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(head('Content-Encoding: gzip', `Content-Length: ${bytes.length}`)),
    bytes,
  ]);

describe('the memory that an answer can take', () => {
  const bomb = gzipped(gzipSync(Buffer.alloc(300 * 1024 * 1024, ' '), { level: 9 }));

  /** The most that a process had resident, in MB, as Linux counts it. */
  async function peakOf(line: readonly string[], env: NodeJS.ProcessEnv) {
    const home = openHome();
    const run = home.start(line, { env: { ...home.env, ...env } });
    let peak = 0;
    const timer = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${run.process.pid}/status`, 'utf8');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // It has ended, or this is no Linux.
      }
    }, 10);
    const ended = await run.ended.finally(() => clearInterval(timer));
    return { ...ended, peak };
  }

  it.each([
    [
      'a body without end',
      'more than 32 MB',
      (socket: Socket) => {
        socket.write(head());
        repeat(socket, () => Buffer.alloc(65_536, ' '));
      },
    ],
    [
      'a gzip bomb',
      'more than 32 MB once decompressed',
      (socket: Socket) => void socket.write(bomb),
    ],
  ])('is bounded: %s', { timeout: 60_000 }, async (_name, what, answer) => {
    const { baseUrl, env } = await openRawServer(answer);
    for (const line of [one, many]) {
      const { code, stdout, stderr, peak } = await peakOf(line, env);
      expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
      expect((JSON.parse(stderr) as { error: { message: string } }).error.message).toBe(
        `GET /v2/topics on ${baseUrl} returned ${what}`,
      );
      expect(peak).toBeLessThan(250);
    }
  });
});
