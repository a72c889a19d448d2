// Slow readers, closed pipes, full disks, and standard streams that are closed at start-up.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { json, openService, type Seen } from '../support/service.ts';

/** For tests that start many processes. */
const longTimeout = { timeout: 90_000 };

/** Opens a service with this number of pages of a hundred topics. `length` is the size of each name in bytes. */
async function openPages(home: Home, pages: number, length: number) {
  const service = await openService(({ target }, response) => {
    const page = Number(new URL(target, 'http://x').searchParams.get('after') ?? 0);
    const data = Array.from({ length: 100 }, (_unused, index) => ({
      _id: String(page * 100 + index).padStart(24, '0'),
      key: `topic-${page}-${index}`,
      name: 'ä'.repeat(length / 2),
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    }));
    const next = page + 1 < pages ? String(page + 1) : null;
    json(response, 200, { data, next, previous: null, totalCount: pages * 100 });
  });
  Object.assign(home.env, service.env);
  return service;
}

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const formats = ['-o json', '-o ndjson', '-o csv', '-o tsv', '-o yaml', '-o ids', ''];

describe('megabytes of output', () => {
  it.each(['-o json', '-o ndjson', '-o yaml', ''])(
    'arrive completely at a slow reader: %j',
    async (format) => {
      const home = openHome();
      await openPages(home, 20, 2_000);
      const line = `topics list --all ${format}`.trim();
      const saved = home.shell(`svc ${line} >file`);
      const run = home.start(line.split(' '));
      const { stdout } = run.process;
      // Pauses after each chunk.
      stdout?.on('data', () => {
        stdout.pause();
        setTimeout(() => stdout.resume(), 2);
      });
      const [ended] = await Promise.all([run.ended, saved]);
      const whole = readFileSync(path.join(home.folder, 'file'));
      expect(whole.length).toBeGreaterThan(4_000_000);
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
      expect(digest(ended.stdout)).toBe(digest(whole));
    },
  );
});

describe('--jq', () => {
  it('processes megabytes without changing them, including spaces at the ends of values', async () => {
    const home = openHome();
    await openPages(home, 10, 1_000);
    const program = '.[] | "  \\(.key) \\(.name) "';
    const ended = await home.svc(['topics', 'list', '--all', '--jq', program]);
    const expected = Array.from({ length: 1_000 }, (_unused, index) => {
      const key = `topic-${Math.floor(index / 100)}-${index % 100}`;
      return `  ${key} ${'ä'.repeat(500)} \n`;
    });
    expect(ended).toEqual({ code: 0, stdout: expected.join(''), stderr: '' });
  });
});

describe('a full disk', () => {
  it('makes every command exit with 8 and an error message', longTimeout, async () => {
    const home = openHome();
    await openPages(home, 2, 1_000);
    const lines = [
      ...formats.flatMap((format) => [
        `topics list --limit 1 ${format}`,
        `topics list --all ${format}`,
      ]),
      'topics list --all -o table',
      'topics list --limit 1 --jq .',
      'api GET /v2/topics',
      'commands --json',
      'completion bash',
      'config path',
      'config list --json',
      'topics list --help',
      'help output',
      '--help',
      '--version',
    ];
    const results = await runParallel(lines, async (line) => {
      const { code, stderr } = await home.shell(`svc ${line} >/dev/full`);
      const isReported = stderr.includes('standard output cannot be written: ENOSPC');
      return { line, code, isReported };
    });
    expect(results).toEqual(lines.map((line) => ({ line, code: 8, isReported: true })));
  });

  it('does not change the exit code if the message cannot be written either', async () => {
    const home = openHome();
    await openPages(home, 1, 10);
    expect((await home.shell('svc topics list >/dev/full 2>/dev/full')).code).toBe(8);
    expect((await home.shell('svc nope 2>/dev/full')).code).toBe(2);
  });
});

describe('a standard stream that is closed at start-up', () => {
  it.each([
    ['svc topics list >&-', 0],
    ['svc topics list <&-', 0],
    ['svc topics list 2>&-', 0],
    ['svc topics list <&- >&- 2>&-', 0],
    ['svc nope 2>&-', 2],
    ['svc nope <&- >&-', 2],
    ['svc config reset <&-', 2],
    ['svc subscribers bulk-import - --format csv <&-', 0],
    ['svc subscribers bulk-import - --format csv --fail-on-empty <&-', 2],
    ['svc topics list --json >&- 2>&-', 0],
  ])('causes no stack trace and does not change the exit code: %s', async (line, code) => {
    const home = openHome();
    await openPages(home, 3, 5_000);
    const ended = await home.shell(line);
    expect({ ...ended, stdout: '' }).toEqual({ code, stdout: '', stderr: expect.anything() });
    expect(ended.stderr).not.toMatch(/^\s+at |Unexpected|EBADF/m);
  });
});

describe('a pipe that the reader closes', () => {
  it.each(['', '-o ndjson', '-o json', '-o csv', '-o tsv', '-o ids --all'])(
    'silently stops the paging of a listing: %j',
    async (format) => {
      const home = openHome();
      const { seen } = await openPages(home, 300, 1_000);
      const ended = await home.shell(`svc topics list --all ${format} | head -1`);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout.split('\n')).toHaveLength(2);
      expect(seen.length).toBeLessThan(30);
    },
  );

  const rows = 4_000;
  const bodies = (seen: readonly Seen[]) => seen.map(({ body }) => JSON.parse(body));

  it.each([
    ['subscribers bulk-import rows.ndjson -o ndjson', 0],
    ['subscribers bulk-import rows.ndjson --json', 0],
    ['subscribers bulk-import rows.ndjson', 0],
    ['subscribers bulk-import rows.ndjson -o ndjson', 3],
    ['subscribers bulk-import - --format ndjson -o ndjson <rows.ndjson', 0],
  ])('does not stop an import: %s (exit code %i)', async (line, code) => {
    const home = openHome();
    const { seen, env } = await openService(({ body }, response) => {
      const { subscribers } = JSON.parse(body) as { subscribers: { subscriberId: string }[] };
      const isRejected = ({ subscriberId }: { subscriberId: string }) =>
        code === 3 && subscriberId === 'u7';
      json(response, 201, {
        created: subscribers.filter((subscriber) => !isRejected(subscriber)),
        updated: [],
        failed: subscribers
          .filter(isRejected)
          .map((subscriber) => ({ ...subscriber, message: 'no' })),
      });
    });
    Object.assign(home.env, env);
    writeFileSync(
      path.join(home.folder, 'rows.ndjson'),
      Array.from({ length: rows }, (_unused, row) => `{"subscriberId":"u${row}"}\n`).join(''),
    );
    const ended = await home.shell(`svc ${line} | head -1`);
    expect({ code: ended.code, trace: /^\s+at /m.test(ended.stderr) }).toEqual({
      code,
      trace: false,
    });
    const arrived = bodies(seen).flatMap(({ subscribers }) => subscribers);
    expect(new Set(arrived.map(({ subscriberId }) => subscriberId)).size).toBe(rows);
  });

  it('does not stop `svc events trigger --file`', async () => {
    const home = openHome();
    const { seen, env } = await openService(({ method, body }, response) => {
      if (method === 'GET') return json(response, 200, { data: [], next: null, previous: null });
      const { events } = JSON.parse(body) as { events: { transactionId: string }[] };
      json(
        response,
        201,
        events.map(({ transactionId }) => ({
          acknowledged: true,
          status: 'processed',
          transactionId,
        })),
      );
    });
    Object.assign(home.env, env);
    writeFileSync(
      path.join(home.folder, 'events.ndjson'),
      Array.from({ length: rows }, (_unused, row) => `{"name":"w","to":"u${row}"}\n`).join(''),
    );
    const line = 'svc events trigger --file events.ndjson --yes -o ndjson';
    const ended = await home.shell(`${line} | head -1`);
    expect(ended.code).toBe(0);
    const sent = seen.filter(({ method }) => method === 'POST');
    const arrived = bodies(sent).flatMap(({ events }) => events);
    expect(new Set(arrived.map(({ to }) => JSON.stringify(to))).size).toBe(rows);
  });
});
