// A pipe in place of a file that svc keeps. Opening it would wait for its other end, and no signal would end that wait,
// so these tests run the built program. test/slow/named-pipes.test.ts has the other files and commands.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { words } from '../support/words.ts';

it('a journal or a configuration that is a pipe is refused at once', async () => {
  const home = openHome();
  const file = path.join(home.folder, 'users.csv');
  writeFileSync(file, 'subscriberId\nu1\n');
  const validated = await home.svc(
    words`subscribers bulk-import ${file} --validate-only --run-id r1 --json`,
  );
  expect(validated.code).toBe(0);
  const shown = await home.svc(['runs', 'show', 'r1', '--jq', '.folder']);
  const ledger = path.join(shown.stdout.trim(), 'ledger.ndjson');
  rmSync(ledger);
  execFileSync('mkfifo', [ledger]);
  const refused = await home.svc(['runs', 'show', 'r1']);
  expect(refused.code).toBe(8);
  expect(refused.stderr).toContain(`${ledger} is not a regular file.`);
  expect((await home.svc(['runs', 'list', '--jq', '.[].state'])).stdout).toBe('unreadable\n');

  const configuration = path.join(home.folder, '.config', 'svc', 'config.json');
  mkdirSync(path.dirname(configuration), { recursive: true });
  execFileSync('mkfifo', [configuration]);
  const listed = await home.svc(['profiles', 'list']);
  expect(listed.code).toBe(8);
  expect(listed.stderr).toContain(`${configuration} is not a regular file.`);
  expect((await home.svc(['__complete', '--', 'topics', 'get', ''])).code).toBe(0);
});
