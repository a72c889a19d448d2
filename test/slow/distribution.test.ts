// The files for GitHub and packagers: the steps of packaging/setup-svc and of a release run as on a runner, each workflow
// is well-formed, and the devcontainer feature installs svc.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome, putOnPath } from '../support/built.ts';
import { readYaml, runSteps, type Step, setupAction, setupSteps } from '../support/github-job.ts';

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

/** Runs the steps of the action with these inputs. */
async function runAction(home: Home, given: Record<string, string> = {}) {
  const ran = await runSteps(home, setupSteps(given));
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran;
}

describe('packaging/setup-svc', () => {
  it('has steps with a shell, which a composite action needs', () => {
    expect(setupAction.runs.using).toBe('composite');
    for (const { shell } of setupAction.runs.steps) expect(shell).toBe('bash');
  });

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

  it('pins each action to a commit, and has scripts that bash can parse', () => {
    for (const { uses, run } of steps) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      else execFileSync('bash', ['-n', '-c', run ?? 'missing (']);
    }
  });

  it('needs jobs that exist, and stores no token', () => {
    for (const { needs } of Object.values(jobs))
      if (needs !== undefined) expect(jobs).toHaveProperty(needs);
    expect(readFileSync(`.github/workflows/${file}`, 'utf8')).not.toContain('secrets.');
  });
});

describe('.github/workflows/release.yml', () => {
  const { jobs } = readYaml<{
    jobs: Record<string, { needs?: string; permissions?: object; steps: Step[] }>;
  }>('.github/workflows/release.yml');
  const { package: tested, publish, image, feature } = jobs;
  const listCommands = (job = tested) => job?.steps.flatMap(({ run }) => run ?? []) ?? [];
  const { version } = readYaml<{ version: string }>('package.json');

  it('publishes with provenance, where no test runs', () => {
    expect(listCommands(tested)).toContain('bash .ci/run < /dev/null');
    expect(tested?.permissions).toBeUndefined();
    expect(publish).toMatchObject({
      needs: 'package',
      permissions: { attestations: 'write', contents: 'write', 'id-token': 'write' },
    });
    expect(listCommands(publish)).toEqual([
      'sha256sum --check SHA256SUMS',
      'npm publish --provenance --access public ./svc-cli-*.tgz',
      expect.stringMatching(/^gh release create .* \.\/\*$/),
    ]);
    const writes = { permissions: { packages: 'write' } };
    expect(image).toMatchObject({ needs: 'package', ...writes });
    expect(listCommands(image)).toEqual([
      expect.stringMatching(/^cosign sign --yes .*@\$DIGEST"$/),
    ]);
    expect(feature).toMatchObject({ needs: 'publish', ...writes });
  });

  it('makes checksums, the list of packages and the formula from the package', async () => {
    const home = openHome();
    const inRepository = (name: string) => path.join(home.folder, name);
    cpSync('packaging', inRepository('packaging'), { recursive: true });
    cpSync('dist/sbom.cdx.json', inRepository('dist/sbom.cdx.json'));
    writeFileSync(inRepository('package.json'), '{"name":"svc-cli"}');
    writeFileSync(inRepository(`svc-cli-${version}.tgz`), 'the package');
    for (const name of ['Set the repository in package.json', 'Make the files of the release']) {
      const { run = '' } = tested?.steps.find((step) => step.name === name) ?? {};
      writeFileSync(inRepository('step.sh'), run);
      const ended = await home.shell('bash --noprofile --norc -e -o pipefail step.sh', {
        // As on a runner: npm then says nothing of its newer versions.
        CI: 'true',
        GITHUB_REF_NAME: `v${version}`,
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_REPOSITORY: 'owner/svc',
      });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
    }
    const { repository } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
    expect(repository).toEqual({ type: 'git', url: 'git+https://github.com/owner/svc.git' });
    expect(readdirSync(inRepository('release')).sort()).toEqual([
      'SHA256SUMS',
      `svc-cli-${version}.cdx.json`,
      `svc-cli-${version}.tgz`,
      'svc-cli.rb',
    ]);
    const checked = await home.shell('cd release && sha256sum --check SHA256SUMS');
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/(.*: OK\n){3}/) });
    const formula = readFileSync(inRepository('release/svc-cli.rb'), 'utf8');
    const sum = createHash('sha256').update('the package').digest('hex');
    expect(formula).toContain(`/svc-cli-${version}.tgz"\n  sha256 "${sum}"`);
    expect(formula).toMatch(/^class SvcCli < Formula\n/);
    expect(formula).not.toMatch(/VERSION|SHA256/);
  });

  it('lists every bundled package with its license', () => {
    const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
    const licenses = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
    expect(components.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['commander', 'undici', 'zod', 'jq-wasm']),
    );
    for (const { name, version: bundled, purl } of components) {
      expect(licenses).toContain(`\n${name} ${bundled}\n`);
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${bundled}`);
    }
  });
});

describe('packaging/devcontainer', () => {
  const feature = 'packaging/devcontainer/svc';

  it('has the version of the package', () => {
    const { version } = readYaml<{ version: string }>(`${feature}/devcontainer-feature.json`);
    expect(version).toBe(readYaml<{ version: string }>('package.json').version);
  });

  it('installs a version, and names what is missing', async () => {
    const home = openRunner();
    cpSync(`${feature}/install.sh`, path.join(home.folder, 'install.sh'));
    expect(await home.shell('bash install.sh')).toMatchObject({ code: 0, stderr: '' });
    expect(await home.shell('bash install.sh', { VERSION: '0.1.0' })).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(home.folder, 'installed'), 'utf8')).toBe(
      'install --global --no-audit --no-fund svc-cli@latest\ninstall --global --no-audit --no-fund svc-cli@0.1.0\n',
    );
    expect(await home.shell('PATH= /bin/bash install.sh')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('add the feature ghcr.io/devcontainers/features/node'),
    });
  });
});
