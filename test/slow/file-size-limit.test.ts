// A full disk, simulated by a limit on the size of files that the built program can write.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { json, openService } from '../support/service.ts';

it('a run whose folder cannot be written exits with 8, sends nothing and leaves no files', async () => {
  const home = openHome();
  const { env, seen } = await openService((_seen, response) => json(response, 201, {}));
  const line = "printf 'subscriberId\\na\\n' | svc subscribers bulk-import - --json";
  const { code, stdout, stderr } = await home.shell(`ulimit -f 0; ${line}`, env);
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
  expect(stderr).toContain('cannot be locked: EFBIG');
  expect(stderr).toContain('Nothing was sent. Free some disk space, then run the command again.');
  expect((await home.svc(['runs', 'list', '--json'])).stdout).toBe('[]\n');
  expect(seen).toEqual([]);
});

it('a run whose journal cannot grow stops with 8, and resuming it loses or repeats no row', {
  timeout: 60_000,
}, async () => {
  const home = openHome();
  await useSandbox(home);
  const file = path.join(home.folder, 'users.csv');
  const rows = Array.from({ length: 8_000 }, (_unused, index) =>
    index % 100 === 3 ? `p${index},nonsense` : `p${index},p@example.com`,
  );
  writeFileSync(file, `subscriberId,email\n${rows.join('\n')}\n`);
  const first = await home.shell(`ulimit -f 4; svc subscribers bulk-import '${file}' --json`);
  expect(first.code).toBe(8);
  const before = JSON.parse(first.stdout) as { runId: string; rows: number };
  expect(before.rows).toBeLessThan(8_000);
  expect(first.stderr).toContain('cannot be written: EFBIG');
  const runs = path.join(home.folder, '.local', 'state', 'svc', 'runs');
  const ledger = readFileSync(path.join(runs, before.runId, 'ledger.ndjson'), 'utf8');
  for (const line of ledger.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  const resumed = await home.svc(['runs', 'resume', before.runId, '--json']);
  expect(resumed.code).toBe(3);
  const { rejects, ...summary } = JSON.parse(resumed.stdout) as { rejects: string };
  expect(summary).toMatchObject({ rows: 8_000, created: 7_920, updated: 0, invalid: 80 });
  const ids = readFileSync(rejects, 'utf8').match(/\bp\d+\b/g) ?? [];
  expect([ids.length, new Set(ids).size]).toEqual([80, 80]);
});
