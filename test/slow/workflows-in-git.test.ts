// Runs the steps of the job in docs/environments-in-git.md by bash, against a sandbox in the place of production.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { openHome, putOnPath } from '../support/built.ts';
import { testKey } from '../support/fixed.ts';
import { startSandbox } from '../support/served-sandbox.ts';

interface Job {
  env: Record<string, string>;
  steps: { name?: string; uses?: string; run?: string; if?: string }[];
}

const [, source = ''] =
  /```yaml\n(name: workflows[\s\S]*?)```/.exec(
    readFileSync('docs/environments-in-git.md', 'utf8'),
  ) ?? [];
const { jobs } = parse(source) as { jobs: { production: Job } };
const { env: variables, steps } = jobs.production;

/** The job starts many processes. */
vi.setConfig({ testTimeout: 180_000 });

it('the job shows the plan on a pull request and pushes on main', async () => {
  const home = openHome();
  putOnPath(home);
  const production = await startSandbox();
  const development = await startSandbox();
  const env = (baseUrl: string) => ({
    ...home.env,
    SVC_BASE_URL: baseUrl,
    SVC_API_KEY: testKey,
    CI: 'true',
  });
  expect(Object.keys(variables)).toEqual(['SVC_BASE_URL', 'SVC_API_KEY']);

  /** Runs the steps of an event; returns their output by name. */
  const runJob = async (event: string) => {
    const output: Record<string, string> = {};
    for (const { name = '', run, if: condition } of steps) {
      const isDue = condition === undefined || condition === `github.event_name == '${event}'`;
      if (!isDue || run === undefined || run.startsWith('npm install')) continue;
      // As GitHub runs it.
      writeFileSync(path.join(home.folder, 'step.sh'), run);
      const { code, stdout, stderr } = await home.shell(
        'bash -e -o pipefail step.sh',
        env(production),
      );
      expect({ name, code, stderr: code === 0 ? '' : stderr }).toEqual({
        name,
        code: 0,
        stderr: '',
      });
      output[name] = stdout;
    }
    return output;
  };

  await home.svc(['workflows', 'pull'], { env: env(development) });
  const file = path.join(home.folder, 'workflows', 'welcome.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('name: Welcome\n', 'name: Welcome aboard\n'),
  );
  const plan = await runJob('pull_request');
  expect(Object.keys(plan)).toEqual([
    'Push the files to a sandbox, which checks them',
    'Show the plan',
  ]);
  expect(plan['Show the plan']).toContain('  ~ name: "Welcome" → "Welcome aboard"\n');
  const nameOf = async () =>
    (await home.svc(['workflows', 'get', 'welcome', '--jq', '.name'], { env: env(production) }))
      .stdout;
  expect(await nameOf()).toBe('Welcome\n');
  const pushed = await runJob('push');
  expect(pushed.Push).toContain('workflow\twelcome\twritten\tACTIVE\t');
  expect(await nameOf()).toBe('Welcome aboard\n');
  // The next pull request has no difference.
  expect((await runJob('pull_request'))['Show the plan']).toContain('10 unchanged.\n');

  // A file with an error fails the job.
  const valid = readFileSync(file, 'utf8');
  const [check] = steps.flatMap(({ run, name }) =>
    name?.endsWith('which checks them') ? [run] : [],
  );
  writeFileSync(path.join(home.folder, 'step.sh'), String(check));
  const failWith = async (text: string) => {
    expect(text).not.toBe(valid);
    writeFileSync(file, text);
    return home.shell('bash -e -o pipefail step.sh', env(production));
  };
  const unknown = await failWith(valid.replace('tags:', 'tagz:'));
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('welcome.yaml:5:1: tagz is an unknown field');
  const broken = await failWith(valid.replace(/subject: .*/, 'subject: "{{payload.x"'));
  expect(broken.code).toBe(3);
  expect(broken.stdout + broken.stderr).toContain('not closed');
});
