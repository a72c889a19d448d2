// Other processes can read the command line, so it must not contain the key.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';

it('the key is not in the process list', async () => {
  const home = openHome();
  const { key } = await useSandbox(home);
  const run = home.start(['activity', 'list', '--follow', '-o', 'ids']);
  await run.says('txn_');
  const pid = String(run.process.pid);
  const args = execFileSync('ps', ['-ww', '-o', 'args=', '-p', pid]).toString();
  expect(args).toContain('activity list');
  expect(args).not.toContain(key);
  run.process.kill('SIGINT');
  await run.ended;
});
