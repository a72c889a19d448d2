// Responses larger than any that the service sends: both transports reject them and use a bounded amount of memory.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { printedError } from '../support/printed-error.ts';
import { gzipped, head, openRawServer, repeat } from '../support/raw-server.ts';

const list = ['topics', 'list', '--json', '--retries', '0', '--timeout', '20s'];
const listAll = [...list, '--all'];

describe('the memory use of a response', () => {
  const bomb = gzipped(gzipSync(Buffer.alloc(300 * 1024 * 1024, ' '), { level: 9 }));

  /** Runs a command and returns its peak resident memory in MB. Linux only; elsewhere the peak is 0. */
  async function runWithPeak(line: readonly string[], env: NodeJS.ProcessEnv) {
    const home = openHome();
    const run = home.start(line, { env: { ...home.env, ...env } });
    let peak = 0;
    const timer = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${run.process.pid}/status`, 'utf8');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // The process has exited, or there is no /proc.
      }
    }, 10);
    const ended = await run.ended.finally(() => clearInterval(timer));
    return { ...ended, peak };
  }

  it.each([
    [
      'an endless body',
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
  ])('is bounded: %s', { timeout: 60_000 }, async (_name, size, respond) => {
    const { baseUrl, env } = await openRawServer(respond);
    for (const line of [list, listAll]) {
      const { code, stdout, stderr, peak } = await runWithPeak(line, env);
      expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
      expect(printedError(stderr).message).toBe(`GET /v2/topics on ${baseUrl} returned ${size}`);
      expect(peak).toBeLessThan(250);
    }
  });
});
