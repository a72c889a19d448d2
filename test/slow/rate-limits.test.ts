// Runs against the rate limits of the smallest plan. They are slow, but no row fails.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

it('an import respects the rate limits of the free plan and no row fails', {
  timeout: 60_000,
}, async () => {
  const home = openHome();
  await home.sandbox(['--in-memory', '--rate-limit', 'free']);
  const file = path.join(home.folder, 'users.csv');
  const rows = Array.from({ length: 1_200 }, (_unused, index) => `p${index}`);
  writeFileSync(file, `subscriberId\n${rows.join('\n')}\n`);
  const { code, stdout } = await home.svc(['subscribers', 'bulk-import', file, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 1_200,
    created: 1_200,
    failed: 0,
    unknown: 0,
    stopped: null,
  });
});

it('two processes that exceed the rate limit together apply every row once', {
  timeout: 60_000,
}, async () => {
  const home = openHome();
  await home.sandbox(['--in-memory', '--rate-limit', 'free']);
  const file = path.join(home.folder, 'users.csv');
  const ids = Array.from({ length: 1_200 }, (_unused, index) => `p${index}`);
  writeFileSync(file, `subscriberId\n${ids.join('\n')}\n`);
  const ended = await Promise.all(
    ['0/2', '1/2'].map((shard) =>
      home.svc(['subscribers', 'bulk-import', file, '--json', '--shard', shard]),
    ),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  const summaries = ended.map(({ stdout }) => JSON.parse(stdout) as Record<string, number>);
  const sum = (count: string) =>
    summaries.reduce((total, summary) => total + (summary[count] ?? 0), 0);
  // A row that is applied a second time is updated.
  expect(['created', 'updated', 'failed', 'unknown'].map(sum)).toEqual([1_200, 0, 0, 0]);
  // Without a 429, the test would show nothing.
  expect(sum('retries')).toBeGreaterThan(0);
  expect(sum('requests')).toBe(sum('batches') + sum('retries'));
  await home.svc(['sandbox', 'faults', 'clear']);
  const list = ['subscribers', 'list', '--all', '--fields', 'subscriberId', '-o', 'json'];
  const people = JSON.parse((await home.svc(list)).stdout) as { subscriberId: string }[];
  const applied = people.map(({ subscriberId }) => subscriberId).filter((id) => /^p\d+$/.test(id));
  expect(applied.sort()).toEqual(ids.sort());
});
