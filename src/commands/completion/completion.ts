import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import zsh from '../../../completions/_svc?text';
import bash from '../../../completions/svc.bash?text';
import fish from '../../../completions/svc.fish?text';
import powershell from '../../../completions/svc.ps1?text';
import { command } from '../../cli/command.ts';
import { flag, forceOption, oneOf } from '../../cli/options.ts';
import { errorMessage, localError, SvcError, usageError } from '../../core/errors.ts';
import { shellQuote } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { makeFolder } from '../../platform/files/folder.ts';
import { chooseOutputFile } from '../../platform/files/output-file.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completion = command({
  summary: 'Print or install the tab completion script for a shell',
  details:
    'The script completes commands, options and fixed values. Topics, workflows, steps, contexts, subscribers, transactions, runs and profiles are completed from the output of earlier commands with the same profile, so pressing Tab sends no request. --install writes the script to a folder that the shell searches and, if necessary, adds one line to the startup file of the shell.',
  arguments: { shell: oneOf('<shell>', shells, 'The shell') },
  options: {
    install: flag('--install', 'Install the script for the current user'),
    ...forceOption,
  },
  output: 'The script. With --install, the path of the installed file.',
  examples: {
    'svc completion bash --install': 'Install it for new bash shells',
    'source <(svc completion bash)': 'Load it in the current shell only',
    'svc completion fish > ~/.config/fish/completions/svc.fish': 'Install it without --install',
  },
  writes: false,
  offline: true,
  async run({ host, globals }, { args: { shell }, options }) {
    const script = scripts[shell];
    const { install: isInstalled, force } = options;
    if (force && !isInstalled)
      throw usageError('--force can only be used together with --install.');
    if (!isInstalled) return { type: 'text', text: script };
    const isDryRun = globals.dryRun !== undefined;
    const { file, startFile } = install(shell, script, host, { isDryRun, force });
    return result.report({
      value: { shell, file, startFile: startFile ?? null },
      lines: [
        `${isDryRun ? 'Would install' : 'Installed'} the completion script: ${file}`,
        ...(startFile ? [`${startFile} loads it when the shell starts.`] : []),
        `Start a new ${shell} to use it.`,
      ],
      ids: [file],
    });
  },
});

// Installs the completion script of a shell, and the line in its startup file that loads it.

interface ShellHost {
  env: Record<string, string | undefined>;
  platform: string;
  home: string;
}

interface Installation {
  /** The path of the script. */
  file: string;
  /** The file that each new shell runs. Absent when the shell finds the script without it. */
  startFile?: string;
  /** The line of `startFile` that loads the script. */
  line?: string;
}

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

const lineComment = '# completion of svc';

/** Writes the script. Adds the line that loads it to the startup file unless the line is already there. */
function install(
  shell: Shell,
  script: string,
  host: ShellHost,
  { isDryRun, force }: { isDryRun: boolean; force: boolean | undefined },
): Installation {
  if (host.home === '')
    throw localError('The completion script cannot be installed because HOME is not set.');
  const installation = planInstallation(shell, host);
  if (isDryRun) return installation;
  try {
    chooseOutputFile({ cwd: host.home }, installation.file, {
      isOwn: (start) => / completion for svc, (generated|printed) by /.test(start),
      otherwise: 'Save the output of the command without --install elsewhere',
      force,
    });
    write(installation.file, script);
    const { startFile, line } = installation;
    if (startFile && line) {
      const before = readIfExists(startFile);
      if (!before.includes(line)) {
        const gap = before === '' || before.endsWith('\n') ? '' : '\n';
        write(startFile, `${before}${gap}${line}  ${lineComment}\n`);
      }
    }
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'usage') throw error;
    const why = errorMessage(error);
    throw localError(`The completion script cannot be installed: ${why}`, {
      hint: 'Run the command without --install and save its output where your shell looks for completion scripts.',
    });
  }
  return installation;
}

function planInstallation(shell: Shell, { env, platform, home }: ShellHost): Installation {
  const dataFolder = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const configFolder = env.XDG_CONFIG_HOME || join(home, '.config');
  if (shell === 'fish') return { file: join(configFolder, 'fish', 'completions', 'svc.fish') };
  if (shell === 'bash') {
    const file = join(dataFolder, 'bash-completion', 'completions', 'svc');
    const line = `[ -r ${shellQuote(file)} ] && . ${shellQuote(file)}`;
    return { file, startFile: join(home, '.bashrc'), line };
  }
  if (shell === 'zsh') {
    const file = join(dataFolder, 'svc', 'completions', '_svc');
    const loadCompdef = '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }';
    const startFile = join(env.ZDOTDIR || home, '.zshrc');
    return { file, startFile, line: `${loadCompdef}; source ${shellQuote(file)}` };
  }
  const file = join(dataFolder, 'svc', 'completions', 'svc.ps1');
  const folder =
    platform === 'win32' ? join(home, 'Documents', 'PowerShell') : join(configFolder, 'powershell');
  const line = `. '${file.replaceAll("'", "''")}'`;
  return { file, startFile: join(folder, 'Microsoft.PowerShell_profile.ps1'), line };
}

function write(file: string, text: string): void {
  makeFolder(dirname(file), 0o777);
  writeFileSync(file, text);
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

// The completion scripts of the shells. They call `svc __complete` (src/completion/complete.ts).

const scripts = { bash, zsh, fish, powershell };
