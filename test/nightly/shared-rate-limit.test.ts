// Four processes with the rate limit of a free plan.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

interface Summary {
  rows: number;
  triggered: number;
  requests: number;
  retries: number;
}

it('four processes share the rate limit of a free plan, and no request is answered with 429', async () => {
  const home = openHome();
  await home.sandbox();
  expect((await home.svc(['sandbox', 'faults', 'set', '--rate-limit', 'free'])).code).toBe(0);
  const rows = 2_400;
  const ids = Array.from({ length: rows }, (_unused, index) => `s${index},Example`);
  const file = path.join(home.folder, 'users.csv');
  writeFileSync(file, `subscriberId,payload.product\n${ids.join('\n')}\n`);
  const ended = await Promise.all(
    [0, 1, 2, 3].map((shard) =>
      home.svc([
        ...['events', 'trigger', 'welcome', '--recipients', file, '--yes', '--json'],
        ...['--shard', `${shard}/4`, '--retries', '20'],
      ]),
    ),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const summaries = ended.map(({ stdout }) => JSON.parse(stdout) as Summary);
  const sum = (of: (summary: Summary) => number) =>
    summaries.reduce((total, summary) => total + of(summary), 0);
  expect(sum(({ triggered }) => triggered)).toBe(rows);
  expect(sum(({ requests }) => requests)).toBeGreaterThan(20);
  expect(sum(({ retries }) => retries)).toBe(0);
}, 180_000);
