// Runs the jobs of the guides and of examples/github-actions.yml with the packed package, each on a machine of its own.
// test/slow/environments-in-git.test.ts runs the two jobs of that guide.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type Home, openHome } from '../support/built.ts';
import { testKey } from '../support/fixed.ts';
import { readYaml, runSteps, type Step, setupSteps } from '../support/github-job.ts';
import { startSandbox } from '../support/served-sandbox.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Workflow {
  jobs?: Record<string, { steps: Step[] }>;
  steps?: Step[];
}

const stepsOf = ({ jobs = {}, steps = [] }: Workflow) => [
  ...steps,
  ...Object.values(jobs).flatMap((job) => job.steps),
];

/** The steps of each job in a guide. */
const jobsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
    .map(([, text = '']) => stepsOf(parse(text)))
    .filter((steps) => steps.some(({ uses }) => uses !== undefined));

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
const folder = mkdtempSync(path.join(tmpdir(), 'svc-jobs-'));
let tarball = '';

beforeAll(() => {
  const pack = ['pack', '--ignore-scripts', '--pack-destination', folder, ...quiet];
  tarball = path.join(folder, execFileSync('npm', pack, { encoding: 'utf8' }).trim());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A test of an application that triggers an event. */
const applicationTest = `const { SVC_BASE_URL: url, SVC_API_KEY: key } = process.env;
const { status } = await fetch(url + '/v1/events/trigger', {
  method: 'POST',
  headers: { authorization: 'ApiKey ' + key, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'sign-up', to: 'u1', payload: { token: 't' } }),
});
if (status !== 201) throw new Error('status ' + status);
console.log('the application is tested');
`;

/** A machine without svc, on which `npm install --global` needs no permission, with the files of a repository. */
function openMachine(): Home {
  const home = openHome();
  const inHome = (file: string) => path.join(home.folder, file);
  Object.assign(home.env, {
    PATH: `${inHome('bin')}:${process.env.PATH}`,
    npm_config_prefix: home.folder,
    npm_config_omit: 'optional',
    npm_config_offline: 'true',
  });
  mkdirSync(inHome('bin'));
  cpSync('examples/vitest/workflows', inHome('workflows'), { recursive: true });
  const application = { name: 'application', version: '1.0.0', scripts: { test: 'node test.mjs' } };
  const lock = { name: 'application', lockfileVersion: 3, packages: { '': application } };
  writeFileSync(inHome('package.json'), JSON.stringify(application));
  writeFileSync(inHome('package-lock.json'), JSON.stringify(lock));
  writeFileSync(inHome('test.mjs'), applicationTest);
  writeFileSync(
    inHome('bin/gh'),
    '#!/bin/sh\necho "$GH_TOKEN $@" > gh.log\ncat comment.md >> gh.log\n',
  );
  chmodSync(inHome('bin/gh'), 0o755);
  return home;
}

/** Each step of the job, with those of packaging/setup-svc. The package is not in the registry, so its tarball is installed. */
const withTarball = (steps: readonly Step[]) =>
  steps.flatMap((step): Step[] => {
    if (step.uses?.includes('/packaging/setup-svc@'))
      return setupSteps({ ...step.with, version: tarball });
    const { run } = step;
    return run === undefined
      ? [step]
      : [{ ...step, run: run.replace(/(?<=--global )svc-cli\b/, tarball) }];
  });

it('the guides with jobs are those that a test runs', () => {
  const guides = readdirSync('docs').filter(
    (name) => name.endsWith('.md') && jobsOf(`docs/${name}`).length > 0,
  );
  expect(guides).toEqual(['ci.md', 'environments-in-git.md', 'replay.md']);
});

it.each(jobsOf('docs/ci.md').map((steps, index) => [index + 1, steps] as const))(
  'job %i of docs/ci.md tests an application in a sandbox',
  async (_number, steps) => {
    const home = openMachine();
    const { code, stderr, output, env } = await runSteps(home, withTarball(steps));
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(output).toContain('the application is tested\n');
    if (env.SVC_BASE_URL === undefined) return;
    expect(output).toMatch(/\temail\tu1\t/);
    expect((await home.shell('svc sandbox stop', env)).code).toBe(0);
  },
);

it('the job of docs/replay.md comments on a pull request, and fails if messages are lost', async () => {
  const home = openMachine();
  rmSync(path.join(home.folder, 'workflows'), { recursive: true });
  const values = {
    'vars.SVC_BASE_URL': await startSandbox(),
    'secrets.SVC_API_KEY': testKey,
    'github.event.number': '7',
    'github.token': 'token',
  };
  const [steps = []] = jobsOf('docs/replay.md');
  const [install = [], replay = []] = [withTarball(steps).slice(0, -2), steps.slice(-2)];
  expect((await runSteps(home, install)).code).toBe(0);
  const service = { SVC_BASE_URL: values['vars.SVC_BASE_URL'], SVC_API_KEY: testKey };
  expect((await home.shell('svc workflows pull invoice-paid', service)).code).toBe(0);
  const file = path.join(home.folder, 'workflows', 'invoice-paid.yaml');
  const text = readFileSync(file, 'utf8');
  const comment = async () => {
    const { code } = await runSteps(home, replay, { values });
    return { code, log: readFileSync(path.join(home.folder, 'gh.log'), 'utf8') };
  };
  const same = await comment();
  expect(same.code).toBe(0);
  expect(same.log).toMatch(
    /^token pr comment 7 --body-file comment\.md\n- \*\*EVENTS\*\*: \d+ for /,
  );
  writeFileSync(file, text.replace(/^active: true$/m, 'active: false'));
  const lost = await comment();
  expect(lost.code).toBe(10);
  expect(lost.log).toMatch(/\n\| invoice-paid \| email \| 1 \| 0 \| 0 \| 0 \| 1 \| 0 \|\n/);
});

it('examples/github-actions.yml finds the link and the reminder, and two jobs do not disturb each other', async () => {
  const home = openMachine();
  const steps = withTarball(stepsOf(readYaml<Workflow>('examples/github-actions.yml')));
  const isInstalling = ({ run = '' }: Step) => run.startsWith('npm install');
  expect((await runSteps(home, steps.filter(isInstalling))).code).toBe(0);
  const tests = steps.filter((step) => !isInstalling(step));
  const jobs = ['first', 'second'].map((name) => runSteps(home, tests, { name }));
  for (const { code, stderr, output } of await Promise.all(jobs)) {
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(output).toContain('https://app.example.com/confirm?token=t0ken\n');
    expect(output.match(/\temail\tu1\t/g)).toHaveLength(2);
  }
  expect((await home.svc(['profiles', 'list', '--json'])).stdout.trim()).toBe('[]');
});
