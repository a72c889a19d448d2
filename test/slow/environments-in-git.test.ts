// Runs the steps of both jobs in docs/environments-in-git.md by bash, against a sandbox in the place of production. `gh`
// is a script that copies the artifact of the first job.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { openHome, putOnPath } from '../support/built.ts';
import { testKey } from '../support/fixed.ts';
import { startSandbox } from '../support/served-sandbox.ts';

interface Job {
  if: string;
  steps: { name?: string; uses?: string; run?: string; with?: Record<string, string> }[];
}

const [, source = ''] =
  /```yaml\n(name: environment\n[\s\S]*?)```/.exec(
    readFileSync('docs/environments-in-git.md', 'utf8'),
  ) ?? [];
const { env: variables, jobs } = parse(source) as {
  env: Record<string, string>;
  jobs: { plan: Job; apply: Job };
};

/** The jobs start many processes. */
vi.setConfig({ testTimeout: 180_000 });

it('the first job saves the plan of a pull request, the second one applies exactly that plan', async () => {
  const home = openHome();
  putOnPath(home);
  const production = await startSandbox();
  const env = {
    ...home.env,
    SVC_BASE_URL: production,
    SVC_API_KEY: testKey,
    CI: 'true',
    GITHUB_SHA: 'merge-commit',
  };
  expect(Object.keys(variables)).toEqual(['SVC_BASE_URL', 'SVC_API_KEY', 'SENDGRID_API_KEY']);
  const artifacts = path.join(home.folder, 'artifacts');
  mkdirSync(artifacts);
  const gh = path.join(home.folder, 'gh');
  writeFileSync(
    gh,
    `#!/bin/sh
case "$1 $2" in
  "pr list") test "$6" = --json || test "$5" = --search; echo pull-request-commit ;;
  "run list") case "$*" in *"--commit pull-request-commit"*) echo 7 ;; esac ;;
  "run download") test "$3" = 7 && cp "${artifacts}/$5.json" plan.json ;;
esac
`,
  );
  chmodSync(gh, 0o755);

  /** Runs the steps of a job up to the first that fails; returns its exit code and the output of each step. */
  const runJob = async (event: 'pull_request' | 'push') => {
    const job = Object.values(jobs).find(
      ({ if: condition }) => condition === `github.event_name == '${event}'`,
    );
    const output: Record<string, string> = {};
    for (const { name = '', uses = '', run, with: given } of job?.steps ?? []) {
      if (uses.startsWith('actions/upload-artifact'))
        copyFileSync(
          path.join(home.folder, given?.path ?? ''),
          path.join(artifacts, `${given?.name}.json`),
        );
      if (run === undefined || run.startsWith('npm install')) continue;
      // As GitHub runs it.
      writeFileSync(path.join(home.folder, 'step.sh'), run);
      const { code, stdout, stderr } = await home.shell('bash -e -o pipefail step.sh', {
        ...env,
        PATH: `${home.folder}:${String(home.env.PATH ?? process.env.PATH)}`,
      });
      output[name] = `${stdout}${stderr}`;
      if (code !== 0) return { code, output };
    }
    return { code: 0, output };
  };

  expect((await home.svc(['environments', 'pull', 'environment'], { env })).code).toBe(0);
  const inFolder = (name: string) => path.join(home.folder, 'environment', name);
  const edit = (name: string, from: string | RegExp, to: string) => {
    const text = readFileSync(inFolder(name), 'utf8');
    expect(text.replace(from, to)).not.toBe(text);
    writeFileSync(inFolder(name), text.replace(from, to));
  };
  const readName = async () =>
    (await home.svc(['workflows', 'get', 'welcome', '--jq', '.name'], { env })).stdout;

  edit('workflows/welcome.yaml', 'name: Welcome\n', 'name: Welcome aboard\n');
  edit('topics.yaml', /name: Announcements/, 'name: News');
  const planned = await runJob('pull_request');
  expect(planned.code).toBe(0);
  expect(planned.output['Save the plan']).toContain('  ~ name: "Welcome" → "Welcome aboard"\n');
  expect(await readName()).toBe('Welcome\n');

  // A change after the review is not applied, and neither is a resource that has changed in production since.
  await home.svc(['topics', 'rename', 'announcements', 'By others'], { env });
  edit('workflows/draft.yaml', /^name: .*$/m, 'name: Not reviewed');
  const applied = await runJob('push');
  expect(applied.code).toBe(3);
  expect(applied.output['Apply the plan']).toContain('workflow\twelcome\twritten\tACTIVE\t');
  expect(applied.output['Apply the plan']).toContain('topic\tannouncements\tskipped\t');
  expect(await readName()).toBe('Welcome aboard\n');
  const { stdout: draft } = await home.svc(['workflows', 'get', 'draft', '--jq', '.name'], { env });
  expect(draft).not.toBe('Not reviewed\n');

  // The next pull request contains the rest.
  expect((await runJob('pull_request')).code).toBe(0);
  expect((await runJob('push')).code).toBe(0);
  const { stdout: news } = await home.svc(['topics', 'get', 'announcements', '--jq', '.name'], {
    env,
  });
  expect(news).toBe('News\n');

  // A file with an error fails the first job.
  edit('workflows/welcome.yaml', /subject: .*/, 'subject: "{{payload.x"');
  const broken = await runJob('pull_request');
  expect(broken.code).toBe(2);
  expect(broken.output['Check the files']).toMatch(/welcome\.yaml:\d+:\d+: .*not closed/);
});
