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
