// Runs the projects in examples/ that test an application, each with the packed package in a copy of its folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/chromium.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'svc-applications-'));
let tarball = '';

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

beforeAll(() => {
  const pack = ['pack', '--ignore-scripts', '--pack-destination', folder, ...quiet];
  tarball = path.join(folder, execFileSync('npm', pack, { encoding: 'utf8' }).trim());
});
// Twenty thousand files.
afterAll(() => rm(folder, { recursive: true, force: true }), 120_000);

/** The tests get only what a process needs to find its programs: no profile and no SVC_ variables. */
const testEnv = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', CHROMIUM: chromiumPath };

describe.each([
  ['vitest', /Tests {2}5 passed/],
  ['jest', /Tests: +2 passed, 2 total/],
  ['node-test', /# pass 1\n|ℹ pass 1\n/],
  ['playwright', /1 passed/],
  ['code-first', /# pass 3\n|ℹ pass 3\n/],
  ['inbox', /1 passed/],
])('examples/%s', (name, passed) => {
  const source = path.join('examples', name);
  const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));

  it('has exact versions', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(manifest.devDependencies['svc-cli']).toBe(version);
  });

  it('passes its tests after npm install', () => {
    const project = path.join(folder, name);
    cpSync(source, project, { recursive: true, filter: (file) => !file.includes('node_modules') });
    const npm = (args: string[], env: NodeJS.ProcessEnv) =>
      spawnSync('npm', args, { cwd: project, env, encoding: 'utf8' });
    const install = ['install', '--save-dev', tarball, '--ignore-scripts', '--prefer-offline'];
    const installed = npm([...install, ...quiet], process.env);
    expect({ status: installed.status, stderr: installed.stderr }).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = npm(['test'], testEnv);
    expect({ status, output: stdout + stderr }).toEqual({
      status: 0,
      output: expect.stringMatching(passed),
    });
  }, 120_000);
});

it('a wait in vitest ends with its reason before the time of the test is over', () => {
  const project = path.join(folder, 'vitest');
  const test = `import { startSandbox } from 'svc-cli/testing';
import { it } from 'vitest';
it('waits', async () => void (await (await startSandbox()).waitForMessages()));
`;
  writeFileSync(path.join(project, 'wait.test.ts'), test);
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs');
  const { stderr } = spawnSync(process.execPath, [vitest, 'run', 'wait.test.ts'], {
    cwd: project,
    env: testEnv,
    encoding: 'utf8',
  });
  expect(stderr).toContain(
    'Error: 0 of 1 messages after 4000 ms.\n  No matching event was triggered.',
  );
}, 60_000);

it('jest ends without messages if a short test does not stop its sandbox', () => {
  const project = path.join(folder, 'jest');
  const test = `const { startSandbox } = require('svc-cli/testing');
test('starts', async () => expect((await startSandbox()).url).toMatch('127.0.0.1'));
`;
  writeFileSync(path.join(project, 'short.test.js'), test);
  const jest = path.join('node_modules', 'jest', 'bin', 'jest.js');
  const { status, stderr } = spawnSync(process.execPath, [jest, 'short.test.js'], {
    cwd: project,
    env: testEnv,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/1 passed/) });
  expect(stderr).not.toMatch(/Error|did not exit/);
}, 60_000);
