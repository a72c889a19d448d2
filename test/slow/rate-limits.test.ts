// An import against the rate limits of the smallest plan. It is slow, but no row fails.
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
