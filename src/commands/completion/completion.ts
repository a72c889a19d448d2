// `svc completion`
import { command } from '../../cli/command.ts';
import { flag, oneOf } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { install } from './install.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const completion = command({
  summary: 'Print a script that completes svc in a shell, or install it',
  details:
    'Commands, options and fixed words complete at once; topics, workflows, steps, contexts, subscribers, transactions, runs and profiles come from what earlier commands of the same profile have shown. Tab makes no request. --install puts the script where the shell finds it and, where that is needed, adds one line to its start file.',
  arguments: { shell: oneOf('<shell>', shells, 'The shell') },
  options: { install: flag('--install', 'Install it for this user') },
  output: 'The script; with --install, where it was put.',
  examples: [
    { line: 'svc completion bash --install', description: 'From the next shell on' },
    { line: 'source <(svc completion bash)', description: 'In this shell alone' },
    { line: 'svc completion fish > ~/.config/fish/completions/svc.fish', description: 'By hand' },
  ],
  writes: false,
  async run({ host, globals }, { args: { shell }, options }) {
    const { completionScript } = await import('../../cli/completion/index.ts');
    const { commandTree } = await import('../index.ts');
    const script = await completionScript(shell, commandTree);
    if (!options.install) return { kind: 'text', text: script };
    const { file, startFile } = install(shell, script, host, globals.dryRun !== undefined);
    return result.report({
      value: { shell, file, startFile: startFile ?? null },
      lines: [
        `The completion script is ${file}.`,
        ...(startFile ? [`${startFile} loads it.`] : []),
        `Open a new ${shell} to use it.`,
      ],
      ids: [file],
    });
  },
});
