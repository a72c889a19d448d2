// Tab completion in bash, zsh and fish, which must be installed. A fake `svc` records its arguments, so that a
// completed line is checked by the arguments that the shell passes and not by its text on the screen.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { onTerminal } from '../support/terminal.ts';
import { words } from '../support/words.ts';

const hostile = [
  '$(touch pwned)',
  '`touch pwned`',
  'semi;touch pwned',
  'two words',
  "apo'strophe",
  'quo"te',
  'dollar$HOME',
  'amp&touch pwned',
  'star*',
  '~tilde',
  'back\\slash',
];

const scripts = { bash: 'svc.bash', zsh: '_svc', fish: 'svc.fish' };
type Shell = keyof typeof scripts;

const starts: Record<Shell, { args: string[]; load: (file: string) => string }> = {
  bash: { args: ['--norc', '--noprofile', '-i'], load: (file) => `source ${file}` },
  zsh: {
    args: ['-f', '-i'],
    load: (file) => `autoload -Uz compinit; compinit -u -D; source ${file}`,
  },
  fish: { args: ['--no-config', '-i'], load: (file) => `source ${file}` },
};

const shells = Object.keys(scripts) as Shell[];

/** Starts a shell with completion loaded, in a new folder with cached values. */
async function openShell(shell: Shell, columns = 120) {
  const home = openHome();
  const bin = path.join(home.folder, 'bin');
  const args = path.join(home.folder, 'arguments');
  const values = path.join(home.folder, 'cache', 'values', encodeURIComponent('http://x work'));
  mkdirSync(bin);
  mkdirSync(values, { recursive: true });
  mkdirSync(path.join(home.folder, 'config'));
  writeFileSync(
    path.join(home.folder, 'config', 'config.json'),
    JSON.stringify({
      current: 'work',
      profiles: {
        work: { baseUrl: 'http://x', keySource: 'file' },
        other: { baseUrl: 'http://y' },
      },
      settings: {},
    }),
  );
  const lines = (all: readonly string[]) => all.map((value) => `${value}\t\t\n`).join('');
  writeFileSync(path.join(values, 'topics'), lines(['announcements', 'team:eu', ...hostile]));
  writeFileSync(path.join(values, 'contexts'), lines(['tenant:org-acme', 'tenant:org-globex']));
  writeFileSync(path.join(values, 'workflows'), lines(['welcome']));
  writeFileSync(path.join(values, 'steps'), 'welcome-email\twelcome\temail\nother\tx\temail\n');
  writeFileSync(
    path.join(bin, 'svc'),
    `#!/bin/sh
if [ "$1" = __complete ]; then exec "${process.execPath}" "$SVC" "$@"; fi
printf '%s\\n' "$@" >"${args}.new"
mv "${args}.new" "${args}"
echo received
`,
  );
  chmodSync(path.join(bin, 'svc'), 0o755);
  const terminal = onTerminal(shell, starts[shell].args, {
    isInteractive: true,
    cwd: home.folder,
    columns,
    env: {
      ...home.env,
      PATH: `${bin}:${home.env.PATH}`,
      SVC_CONFIG_DIR: path.join(home.folder, 'config'),
      SVC_CACHE_DIR: path.join(home.folder, 'cache'),
      PS1: '% ',
      fish_greeting: '',
    },
  });
  const script = path.resolve('completions', scripts[shell]);
  terminal.types(`${starts[shell].load(script)}; echo lo''aded\r`);
  await terminal.shows('loaded');
  let runs = 0;
  return {
    home,
    terminal,
    /** Types a line and Tab, waits until the screen shows the completion, runs the line and returns its arguments. */
    async complete(typed: string, until: string): Promise<string[]> {
      runs += 1;
      terminal.types(`${typed}\t`);
      await terminal.shows(until);
      terminal.types('\r');
      await terminal.counts('received', runs);
      return readFileSync(args, 'utf8').trimEnd().split('\n');
    },
  };
}

it('zsh aligns the descriptions, and cuts those that are too long', async () => {
  const { terminal } = await openShell('zsh', 80);
  terminal.types('svc subscribers \t');
  await terminal.shows('update');
  const listed = terminal
    .screen()
    .split('\n')
    .filter((line) => line.includes('  -- '));
  expect(new Set(listed.map((line) => line.indexOf('  -- '))).size).toBe(1);
  // The screen joins lines that wrap.
  expect(Math.max(...listed.map((line) => line.length))).toBe(79);
});

describe.each(shells)('Tab completion in %s', (shell) => {
  it('completes commands, options, choices, values and profiles', async () => {
    const { complete } = await openShell(shell);
    expect(await complete('svc topi', 'svc topics')).toEqual(['topics']);
    expect(await complete('svc topics ren', 'svc topics rename')).toEqual(['topics', 'rename']);
    expect(await complete('svc topic get ann', 'svc topic get announcements')).toEqual([
      'topic',
      'get',
      'announcements',
    ]);
    expect(await complete('svc topics list --page-i', '--page-info')).toContain('--page-info');
    expect(await complete('svc topics list --order d', '--order desc')).toContain('desc');
    expect(await complete('svc topics list --order=d', '--order=desc')).toContain('--order=desc');
    expect(await complete('svc --profile o', '--profile other')).toContain('other');
    expect(await complete('svc workflows step welcome welc', 'welcome-email')).toContain(
      'welcome-email',
    );
  });

  it('completes values that contain a colon', async () => {
    const { complete } = await openShell(shell);
    expect(await complete('svc contexts get tenant:org-a', 'tenant:org-acme')).toContain(
      'tenant:org-acme',
    );
    expect(await complete('svc topics get team', 'team:eu')).toContain('team:eu');
  });

  it('never executes text from a value, and passes the value unchanged', async () => {
    const { complete, home } = await openShell(shell);
    const typed: [string, string][] = [
      ['semi', 'semi;touch pwned'],
      ['two', 'two words'],
      ['apo', "apo'strophe"],
      ['quo', 'quo"te'],
      ['dollar', 'dollar$HOME'],
      ['amp', 'amp&touch pwned'],
      ['star', 'star*'],
      ['back', 'back\\slash'],
    ];
    for (const [beginning, value] of typed) {
      expect(await complete(`svc topics get ${beginning}`, beginning)).toEqual(
        words`topics get ${value}`,
      );
    }
    expect(existsSync(path.join(home.folder, 'pwned'))).toBe(false);
  });

  it('lists values that contain shell syntax without executing them', async () => {
    const { terminal, home } = await openShell(shell);
    terminal.types(`svc topics get ${shell === 'bash' ? '\t\t' : '\t'}`);
    await terminal.shows('announcements');
    terminal.types('\x15');
    terminal.types('echo do""ne\r');
    await terminal.shows('done');
    expect(existsSync(path.join(home.folder, 'pwned'))).toBe(false);
  });

  it('completes a file name after > without changing the file', async () => {
    const { terminal, home } = await openShell(shell);
    const file = path.join(home.folder, 'precious.txt');
    writeFileSync(file, 'kept');
    terminal.types('svc topics list > preci\t');
    await terminal.shows('precious.txt');
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('completes the names of files, also after =', async () => {
    const { complete, home } = await openShell(shell);
    writeFileSync(path.join(home.folder, 'people.csv'), '');
    expect(await complete('svc subscribers bulk-import peop', 'people.csv')).toContain(
      'people.csv',
    );
    for (const option of ['--file ', '--file='])
      expect(
        (await complete(`svc topics subscribe vip ${option}peop`, `${option}people.csv`)).join(' '),
      ).toBe(`topics subscribe vip ${option}people.csv`);
    expect(await complete('svc environments push --env-file .env --dry-r', '--dry-run')).toContain(
      '--dry-run',
    );
  });

  it('prints nothing if the script is loaded twice', () => {
    const script = path.resolve('completions', scripts[shell]);
    const load =
      shell === 'zsh'
        ? `autoload -Uz compinit; compinit -u -D; source ${script}`
        : `source ${script}`;
    const { folder, env } = openHome();
    const output = execFileSync(shell, ['-c', `${load}; source ${script}`], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(output.toString()).toBe('');
  });
});
