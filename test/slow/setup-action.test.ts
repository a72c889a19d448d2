// The files for GitHub: the steps of packaging/setup-svc run as on a runner, and each workflow is well-formed.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Home, openHome, putOnPath } from '../support/built.ts';

interface Step {
  name?: string;
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
}

const readYaml = <T>(file: string) => parse(readFileSync(file, 'utf8')) as T;

const action = readYaml<{
  inputs: Record<string, { description: string; default: string }>;
  runs: { using: string; steps: Step[] };
}>('packaging/setup-svc/action.yml');

/** Variables of the test's own machine, which no step sets. */
const ofRunner = ['SVC_CONFIG_DIR', 'SVC_SANDBOX_SERVICE'];

/** A machine with `svc` on the path. Its `npm` notes what it is asked to install. */
function openRunner(): Home {
  const home = openHome();
  putOnPath(home);
  const npm = path.join(home.folder, 'bin', 'npm');
  writeFileSync(npm, '#!/bin/sh\necho "$@" >> "$HOME/installed"\n');
  chmodSync(npm, 0o755);
  return home;
}

/** Runs the steps with these inputs. Returns what they print, and the variables and outputs that they set. */
async function runAction(home: Home, given: Record<string, string> = {}) {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default]),
  );
  const withInputs = (text: string) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_all, name) => inputs[name] ?? '');
  const files = { GITHUB_ENV: 'github-env', GITHUB_OUTPUT: 'github-output' };
  for (const file of Object.values(files)) writeFileSync(path.join(home.folder, file), '');
  let output = '';
  for (const { run = '', env = {}, shell, if: condition } of action.runs.steps) {
    expect(shell).toBe('bash');
    if (condition !== undefined) {
      expect(condition).toBe("inputs.sandbox == 'true'");
      if (inputs.sandbox !== 'true') continue;
    }
    writeFileSync(path.join(home.folder, 'step.sh'), run);
    const variables = Object.entries(env).map(([name, text]) => [name, withInputs(text)]);
    const ended = await home.shell('bash --noprofile --norc -e -o pipefail step.sh', {
      ...Object.fromEntries(variables),
      ...files,
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    output += ended.stdout;
  }
  const read = (file: string) =>
    Object.fromEntries(
      [...readFileSync(path.join(home.folder, file), 'utf8').matchAll(/^(\w[\w-]*)=(.*)$/gm)].map(
        ([, name, value = '']) => [name, value],
      ),
    ) as Record<string, string>;
  return { output, env: read('github-env'), outputs: read('github-output') };
}

describe('packaging/setup-svc', () => {
  it('installs the latest version, a version or a tarball, and starts nothing', async () => {
    const home = openRunner();
    for (const version of [undefined, '0.1.0', './svc-cli-0.1.0.tgz'])
      expect(await runAction(home, version === undefined ? {} : { version })).toMatchObject({
        env: {},
        outputs: {},
      });
    const installed = readFileSync(path.join(home.folder, 'installed'), 'utf8');
    expect(installed.match(/\S+$/gm)).toEqual([
      'svc-cli@latest',
      'svc-cli@0.1.0',
      './svc-cli-0.1.0.tgz',
    ]);
  });

  it('starts a sandbox with the workflows of the repository, for the steps that follow', async () => {
    const home = openRunner();
    cpSync('examples/vitest/workflows', path.join(home.folder, 'workflows'), { recursive: true });
    const { env, outputs, output } = await runAction(home, { sandbox: 'true', seed: 'workflows' });
    const { SVC_BASE_URL: url = '', SVC_API_KEY: key = '' } = env;
    expect(outputs).toEqual({ 'base-url': url });
    expect(output).toBe(`::add-mask::${key}\n`);
    const exec = await home.shell('svc sandbox exec -- env | grep -oE "^(SVC|NOVU)_\\w+"');
    const expected = exec.stdout
      .trim()
      .split('\n')
      .filter((name) => !ofRunner.includes(name));
    expect(Object.keys(env).sort()).toEqual(expected.sort());
    const listed = await home.shell('svc workflows list -o ids; svc sandbox stop', env);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/^comment\nsign-up\n|^sign-up\ncomment\n/);
  });
});

describe.each(readdirSync('.github/workflows'))('.github/workflows/%s', (file) => {
  const { jobs } = readYaml<{
    jobs: Record<string, { needs?: string; permissions?: object; steps: Step[] }>;
  }>(`.github/workflows/${file}`);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('pins each action to a version, and has scripts that bash can parse', () => {
    for (const { uses, run } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      else execFileSync('bash', ['-n', '-c', run ?? 'missing (']);
    }
  });

  it('needs jobs that exist, and stores no token', () => {
    for (const { needs } of Object.values(jobs))
      if (needs !== undefined) expect(jobs).toHaveProperty(needs);
    expect(readFileSync(`.github/workflows/${file}`, 'utf8')).not.toContain('secrets.');
  });
});

it('the workflow for a release publishes with provenance, where no test runs', () => {
  const { jobs } = readYaml<{
    jobs: Record<string, { needs?: string; permissions?: object; steps: Step[] }>;
  }>('.github/workflows/release.yml');
  const { package: tested, publish, image } = jobs;
  const listCommands = (job = tested) => job?.steps.flatMap(({ run }) => run ?? []) ?? [];
  expect(listCommands(tested)).toContain('bash .ci/run < /dev/null');
  expect(tested?.permissions).toBeUndefined();
  expect(publish).toMatchObject({ needs: 'package', permissions: { 'id-token': 'write' } });
  expect(listCommands(publish)).toEqual([
    'npm publish --provenance --access public ./svc-cli-*.tgz',
  ]);
  expect(image).toMatchObject({ needs: 'package', permissions: { packages: 'write' } });
});
