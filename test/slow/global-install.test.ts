// Installs the packed package globally, in a folder of its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

it('a global installation has the program and its man pages where the shell and man find them', () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'svc-global-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const npm = (args: string[]) =>
    execFileSync('npm', [...args, ...quiet], { encoding: 'utf8' }).trim();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const documented = `npm pack\nnpm install --global ./svc-cli-${version}.tgz\n`;
  expect(readFileSync('README.md', 'utf8')).toContain(documented);
  const tarball = npm(['pack', '--ignore-scripts', '--pack-destination', folder]);
  // The keychain module is the only dependency, so nothing is downloaded.
  const install = ['install', '--global', '--prefix', folder, '--omit=optional', '--offline'];
  npm([...install, path.join(folder, tarball)]);
  // `man` searches share/man beside each bin folder of PATH.
  const page = (name: string) => readFileSync(path.join(folder, 'share', 'man', name), 'utf8');
  expect(page('man1/svc.1')).toContain('svc \\- administer a notification delivery service');
  expect(page('man1/svc-topics-list.1')).toContain('List topics');
  expect(page('man7/svc-help-exit-codes.7')).toContain('EXIT');
  const program = path.join(folder, 'bin', 'svc');
  expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
}, 120_000);
