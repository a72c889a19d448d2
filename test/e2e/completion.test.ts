// Tab in real shells: those that this machine has, bash always. What svc is given is written down by a
// stand-in, so that a line is judged by the arguments that arrive and not by how it looks.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { onTerminal } from '../support/terminal.ts';

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

const has = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'true']);
    return true;
  } catch {
    return false;
  }
};
const shells = (Object.keys(scripts) as Shell[]).filter((shell) => shell === 'bash' || has(shell));

/** A shell with completion loaded, in a folder of its own. */
async function openShell(shell: Shell) {
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
    columns: 120,
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
    /** Types a line with Tab at its end, waits for what it becomes, and runs it. */
    async completes(typed: string, until: string): Promise<string[]> {
      runs += 1;
      terminal.types(`${typed}\t`);
      await terminal.shows(until);
      terminal.types('\r');
      await terminal.counts('received', runs);
      return readFileSync(args, 'utf8').trimEnd().split('\n');
    },
  };
}

describe.each(shells)('Tab in %s', (shell) => {
  it('completes commands, options, choices, values and profiles', async () => {
    const { completes } = await openShell(shell);
    expect(await completes('svc topi', 'svc topics')).toEqual(['topics']);
    expect(await completes('svc topics ren', 'svc topics rename')).toEqual(['topics', 'rename']);
    expect(await completes('svc topic get ann', 'svc topic get announcements')).toEqual([
      'topic',
      'get',
      'announcements',
    ]);
    expect(await completes('svc topics list --page-i', '--page-info')).toContain('--page-info');
    expect(await completes('svc topics list --order d', '--order desc')).toContain('desc');
    expect(await completes('svc topics list --order=d', '--order=desc')).toContain('--order=desc');
    expect(await completes('svc --profile o', '--profile other')).toContain('other');
    expect(await completes('svc workflows step welcome welc', 'welcome-email')).toContain(
      'welcome-email',
    );
  });

  it('completes behind a colon', async () => {
    const { completes } = await openShell(shell);
    expect(await completes('svc contexts get tenant:org-a', 'tenant:org-acme')).toContain(
      'tenant:org-acme',
    );
    expect(await completes('svc topics get team', 'team:eu')).toContain('team:eu');
  });

  it('runs nothing that a value contains, and passes it on as it is', async () => {
    const { completes, home } = await openShell(shell);
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
      expect(await completes(`svc topics get ${beginning}`, beginning)).toEqual([
        'topics',
        'get',
        value,
      ]);
    }
    expect(existsSync(path.join(home.folder, 'pwned'))).toBe(false);
  });

  it('lists values that would be commands without running them', async () => {
    const { terminal, home } = await openShell(shell);
    terminal.types(`svc topics get ${shell === 'bash' ? '\t\t' : '\t'}`);
    await terminal.shows('announcements');
    terminal.types('\x15');
    terminal.types('echo do""ne\r');
    await terminal.shows('done');
    expect(existsSync(path.join(home.folder, 'pwned'))).toBe(false);
  });

  it('completes the file behind > and leaves it alone', async () => {
    const { terminal, home } = await openShell(shell);
    const file = path.join(home.folder, 'precious.txt');
    writeFileSync(file, 'kept');
    terminal.types('svc topics list > preci\t');
    await terminal.shows('precious.txt');
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('may be loaded twice without a word', () => {
    const script = path.resolve('completions', scripts[shell]);
    const load =
      shell === 'zsh'
        ? `autoload -Uz compinit; compinit -u -D; source ${script}`
        : `source ${script}`;
    const { folder, env } = openHome();
    const said = execFileSync(shell, ['-c', `${load}; source ${script}`], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(said.toString()).toBe('');
  });
});
