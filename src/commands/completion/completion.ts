// `svc completion`
import { command } from '../../cli/command.ts';
import { forceOption } from '../../cli/file-options.ts';
import { flag, oneOf } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { install } from './install.ts';
import { scripts } from './scripts.ts';

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
  examples: [
    { line: 'svc completion bash --install', description: 'Install it for new bash shells' },
    { line: 'source <(svc completion bash)', description: 'Load it in the current shell only' },
    {
      line: 'svc completion fish > ~/.config/fish/completions/svc.fish',
      description: 'Install it without --install',
    },
  ],
  writes: false,
  offline: true,
  async run({ host, globals }, { args: { shell }, options }) {
    const script = scripts[shell];
    const { install: isInstalled, force } = options;
    if (force && !isInstalled)
      throw usageError('--force can only be used together with --install.');
    if (!isInstalled) return { kind: 'text', text: script };
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
