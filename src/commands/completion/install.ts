// Where each shell finds completion scripts, and the line of its start file that loads one.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { localError } from '../../core/errors.ts';

interface Machine {
  env: Record<string, string | undefined>;
  platform: string;
  home: string;
}

interface Place {
  /** Of the script. */
  file: string;
  /** Read by each new shell; absent when the shell finds the script by itself. */
  startFile?: string;
  line?: string;
}

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

const mark = '# completion of svc';

/** Writes the script, and once the line that loads it. */
export function install(shell: Shell, script: string, machine: Machine, isDry: boolean): Place {
  if (machine.home === '') throw localError('There is no home folder to install into: set HOME.');
  const place = placeOf(shell, machine);
  if (isDry) return place;
  try {
    write(place.file, script);
    const { startFile, line } = place;
    if (startFile && line) {
      const before = textOf(startFile);
      if (!before.includes(line)) {
        const gap = before === '' || before.endsWith('\n') ? '' : '\n';
        write(startFile, `${before}${gap}${line}  ${mark}\n`);
      }
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw localError(`The completion script cannot be installed: ${why}`, {
      hint: 'Print it without --install and put it where your shell looks for such scripts.',
    });
  }
  return place;
}

function placeOf(shell: Shell, { env, platform, home }: Machine): Place {
  const shared = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  if (shell === 'fish') return { file: join(config, 'fish', 'completions', 'svc.fish') };
  if (shell === 'bash') {
    const file = join(shared, 'bash-completion', 'completions', 'svc');
    const line = `[ -r ${quoted(file)} ] && . ${quoted(file)}`;
    return { file, startFile: join(home, '.bashrc'), line };
  }
  if (shell === 'zsh') {
    const file = join(shared, 'svc', 'completions', '_svc');
    const ready = '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }';
    const startFile = join(env.ZDOTDIR || home, '.zshrc');
    return { file, startFile, line: `${ready}; source ${quoted(file)}` };
  }
  const file = join(shared, 'svc', 'completions', 'svc.ps1');
  const folder =
    platform === 'win32' ? join(home, 'Documents', 'PowerShell') : join(config, 'powershell');
  const line = `. '${file.replaceAll("'", "''")}'`;
  return { file, startFile: join(folder, 'Microsoft.PowerShell_profile.ps1'), line };
}

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
