// An export that is killed continues without gaps or duplicates.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createListing, idsIn } from '../commands/activity/listing-service.ts';
import { openHome } from '../support/built.ts';
import { json, openService } from '../support/service.ts';

it.each(['ndjson', 'csv'])(
  'an export to %s that is killed twice contains every item once, in order, also while new ones arrive',
  async (extension) => {
    const home = openHome();
    const listing = createListing({ items: 400, arriving: 2 });
    const name = `activity.${extension}`;
    let kill = () => {};
    // The service does not respond to these requests; the process is killed while it waits.
    const fatal = new Set([4, 8]);
    const service = await openService(({ target }, response, requests) => {
      if (fatal.has(requests)) return kill();
      const { searchParams } = new URL(target, 'http://service');
      json(response, 200, listing.respond(searchParams).body);
    });
    const runOnce = (more: readonly string[]) => {
      const run = home.start(['activity', 'export', name, ...more], {
        env: { ...home.env, ...service.env },
      });
      kill = () => run.process.kill('SIGKILL');
      return run.ended;
    };
    expect((await runOnce([])).code).toBe(null);
    expect((await runOnce(['--resume'])).code).toBe(null);
    const file = path.join(home.folder, name);
    expect(existsSync(file)).toBe(false);
    expect(await runOnce(['--resume'])).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(file, 'utf8');
    if (extension === 'ndjson') expect(idsIn(text)).toEqual(listing.idsAtStart);
    else {
      const [header, ...rows] = text.trim().split('\n');
      expect(header).toMatch(/^createdAt,.*,_id,outcome$/);
      expect(rows.map((row) => row.split(',').at(-2))).toEqual(listing.idsAtStart);
    }
  },
);

it('an audit that is stopped by any signal, several times, has the same result as one that is not', async () => {
  const home = openHome();
  const listing = createListing({ items: 12_000 });
  /** The signal for each request that gets no response. */
  const stops = new Map<number, NodeJS.Signals>();
  let onStop = (_signal: NodeJS.Signals) => {};
  let requests = 0;
  const service = await openService(({ target }, response) => {
    const { pathname, searchParams } = new URL(target, 'http://service');
    if (pathname !== '/v1/notifications') return json(response, 404, {});
    requests += 1;
    const signal = stops.get(requests);
    if (signal) return onStop(signal);
    json(response, 200, listing.respond(searchParams).body);
  });
  const window = ['--since', '2026-01-15T00:00:00Z', '--until', '2026-01-16T00:00:00Z'];
  const audit = (file: string, ...more: string[]) => {
    const run = home.start(['activity', 'audit', file, ...window, '--jq', '.groups', ...more], {
      env: { ...home.env, ...service.env },
    });
    onStop = (signal) => run.process.kill(signal);
    return run.ended;
  };
  const read = (file: string) => readFileSync(path.join(home.folder, file), 'utf8');
  const whole = await audit('whole.ndjson');
  expect(whole.code).toBe(9);
  expect(read('whole.ndjson').trim().split('\n')).toHaveLength(12_000);
  const once = requests;
  // svc stores its position after every 5,000 events.
  for (const [signal, after, code] of [
    ['SIGINT', 2, 130],
    ['SIGTERM', 20, 143],
    ['SIGKILL', 60, null],
    ['SIGINT', 150, 130],
    ['SIGTERM', 150, 143],
    ['SIGKILL', 20, null],
  ] as const) {
    stops.clear();
    stops.set(requests + after, signal);
    const stopped = await audit('stopped.ndjson', '--resume');
    expect({ after, code: stopped.code }).toEqual({ after, code });
    expect(existsSync(path.join(home.folder, 'stopped.ndjson'))).toBe(false);
  }
  stops.clear();
  const before = requests;
  const resumed = await audit('stopped.ndjson', '--resume');
  expect(resumed).toMatchObject({ code: 9, stdout: whole.stdout });
  expect(read('stopped.ndjson')).toBe(read('whole.ndjson'));
  expect(requests - before).toBeLessThan(once / 2);
}, 120_000);
