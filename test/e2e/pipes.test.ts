// Slow readers, readers that go away, full disks and streams that are closed from the start.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { json, openService, type Seen } from '../support/service.ts';

/** Many processes, on a machine that may have others to run. */
const many = { timeout: 90_000 };

/** A service with so many pages of a hundred topics, each with a name of such a length. */
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

describe('ten megabytes', () => {
  it.each(['-o json', '-o ndjson', '-o yaml', ''])(
    'arrive whole at a reader that takes its time: %j',
    async (format) => {
      const home = openHome();
      await openPages(home, 20, 5_000);
      const line = `topics list --all ${format}`.trim();
      await home.shell(`svc ${line} >file`);
      const run = home.start(line.split(' '));
      const { stdout } = run.process;
      // Falls asleep after each piece.
      stdout?.on('data', () => {
        stdout.pause();
        setTimeout(() => stdout.resume(), 2);
      });
      const ended = await run.ended;
      const whole = readFileSync(path.join(home.folder, 'file'));
      expect(whole.length).toBeGreaterThan(10_000_000);
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
      expect(digest(ended.stdout)).toBe(digest(whole));
    },
  );
});

describe('jq', () => {
  it('takes megabytes and gives them back as they are, blanks at their ends included', async () => {
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
  it('ends every command with 8 and says where it could not write', many, async () => {
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
    const seen = await runParallel(lines, async (line) => {
      const { code, stderr } = await home.shell(`svc ${line} >/dev/full`);
      return { line, code, told: stderr.includes('standard output cannot be written: ENOSPC') };
    });
    expect(seen).toEqual(lines.map((line) => ({ line, code: 8, told: true })));
  });

  it('keeps its code when there is no room for the message either', async () => {
    const home = openHome();
    await openPages(home, 1, 10);
    expect((await home.shell('svc topics list >/dev/full 2>/dev/full')).code).toBe(8);
    expect((await home.shell('svc nope 2>/dev/full')).code).toBe(2);
  });
});

describe('a stream that is closed from the start', () => {
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
  ])('brings no stack and no other code: %s', async (line, code) => {
    const home = openHome();
    await openPages(home, 3, 5_000);
    const ended = await home.shell(line);
    expect({ ...ended, stdout: '' }).toEqual({ code, stdout: '', stderr: expect.anything() });
    expect(ended.stderr).not.toMatch(/^\s+at |Unexpected|EBADF/m);
  });
});

describe('a reader that goes away', () => {
  it.each(['', '-o ndjson', '-o json', '-o csv', '-o tsv', '-o ids --all'])(
    'stops the paging of a reading command, quietly: %j',
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
  ])('does not stop an import: %s, which ends with %i', async (line, code) => {
    const home = openHome();
    const { seen, env } = await openService(({ body }, response) => {
      const { subscribers } = JSON.parse(body) as { subscribers: { subscriberId: string }[] };
      const fails = ({ subscriberId }: { subscriberId: string }) =>
        code === 3 && subscriberId === 'u7';
      json(response, 201, {
        created: subscribers.filter((one) => !fails(one)),
        updated: [],
        failed: subscribers.filter(fails).map((one) => ({ ...one, message: 'no' })),
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

  it('does not stop events that are triggered from a file', async () => {
    const home = openHome();
    const { seen, env } = await openService(({ body }, response) => {
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
    const arrived = bodies(seen).flatMap(({ events }) => events);
    expect(new Set(arrived.map(({ to }) => JSON.stringify(to))).size).toBe(rows);
  });
});
