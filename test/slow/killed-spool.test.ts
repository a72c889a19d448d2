// A run that is killed while `--spool` copies its input.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

it('a run that was killed while --spool copied its input can be deleted', async () => {
  const home = openHome();
  const { baseUrl, key } = await home.sandbox();
  const state = path.join(home.folder, 'state');
  Object.assign(home.env, { SVC_BASE_URL: baseUrl, SVC_API_KEY: key, SVC_STATE_DIR: state });
  const run = home.start(['subscribers', 'bulk-import', '-', '--spool', '--format', 'csv'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  run.process.stdin?.write('subscriberId,email\na,a@example.com\n');
  const runs = path.join(state, 'runs');
  const findCopyingRun = () =>
    existsSync(runs) &&
    readdirSync(runs).find((name) => existsSync(path.join(runs, name, 'input.partial')));
  while (!findCopyingRun()) await wait(5);
  const runId = String(findCopyingRun());
  const whileRunning = await home.svc(['runs', 'delete', runId, '--yes']);
  expect(whileRunning).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('is in use by process'),
  });
  run.process.kill('SIGKILL');
  await run.ended;
  expect(await home.svc(['runs', 'delete', runId, '--yes'])).toMatchObject({ code: 0 });
  expect(readdirSync(runs)).toEqual([]);
});
