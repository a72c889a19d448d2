// The files of the bundle that a command line loads. Each file and kilobyte delays the start.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

/** The names of the loaded files of dist/, without their hashes. */
async function loadedFiles(line: readonly string[]): Promise<string[]> {
  const { svc, folder } = openHome();
  // With coverage, Node itself loads the chunks, and reports them.
  const env = { NODE_DEBUG: 'module', NODE_V8_COVERAGE: path.join(folder, 'coverage') };
  const { code, stderr } = await svc(line, { env });
  expect(code).toBe(0);
  const loaded = [...stderr.matchAll(/load "([^"]*[\\/]dist[\\/][^"]*)" for module/g)];
  return loaded.map(([, file = '']) => path.basename(file).replace(/-[\w-]{8}\.cjs$/, '')).sort();
}

it('loads nothing but the start for --version', async () => {
  expect(await loadedFiles(['--version'])).toEqual(['rolldown-runtime', 'start', 'svc.cjs']);
});

it('loads no code of commands for --help', async () => {
  expect(await loadedFiles(['--help'])).toEqual(['line', 'rolldown-runtime', 'start', 'svc.cjs']);
});

it.each(['', 'topics get ', 'topics list --order=', '--profile '])(
  'loads no code of commands for completion of %j',
  async (line) => {
    expect(await loadedFiles(['__complete', '--', ...line.split(' ')])).toEqual([
      'complete',
      'rolldown-runtime',
      'start',
      'svc.cjs',
    ]);
  },
);

it('loads no code of requests and tables for the help of a group', async () => {
  expect(await loadedFiles(['topics', '--help'])).toEqual([
    'commands',
    'help',
    'line',
    'rolldown-runtime',
    'start',
    'svc.cjs',
    'topics',
  ]);
});

it.each(['--version', '--help', 'topics --help', '__complete -- topics get '])(
  'loads neither the network nor the terminals of Node for %s in a pipe',
  async (line) => {
    const { svc, folder } = openHome();
    const printer = path.join(folder, 'print-modules.cjs');
    writeFileSync(
      printer,
      "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));",
    );
    const { stderr } = await svc(line.split(' '), {
      env: { NODE_OPTIONS: `--require=${printer}` },
    });
    const modules = stderr.split('\n');
    expect(modules).toContain('NativeModule fs');
    expect(modules.filter((name) => /^NativeModule (net|tty)$/.test(name))).toEqual([]);
  },
);
