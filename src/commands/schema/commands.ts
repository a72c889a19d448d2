// `svc commands`
import {
  type Argument,
  type Command,
  command,
  type Group,
  isGroup,
  type Option,
} from '../../cli/command.ts';
import * as result from '../../output/result.ts';

interface DescribedCommand {
  command: string;
  summary: string;
  arguments: object[];
  options: object[];
  examples: object[];
  calls: readonly string[];
  writes: boolean;
}

export const commands = command({
  summary: 'List all commands of svc, with arguments, options and the operations they call',
  output: 'A list of commands.',
  examples: [
    { line: 'svc commands', description: 'What there is' },
    { line: 'svc commands --json', description: 'The whole tree, for a program' },
  ],
  writes: false,
  async run() {
    const { commandTree } = await import('../index.ts');
    const loaded = await Promise.all(
      Object.entries(commandTree).map(async ([name, lazy]) => described([name], await lazy.load())),
    );
    return result.list<DescribedCommand>({
      pages: result.onePage(loaded.flat()),
      columns: [
        { field: 'command', header: 'COMMAND', tone: () => 'strong' },
        { field: 'summary', header: 'WHAT IT DOES', shrink: true },
        { field: 'calls', header: 'OPERATIONS', drop: 1 },
      ],
      id: (one) => one.command,
      empty: 'No commands.',
    });
  },
});

function described(path: readonly string[], node: Group | Command): DescribedCommand[] {
  if (isGroup(node)) {
    return Object.entries(node.commands).flatMap(([name, child]) =>
      described([...path, name], child),
    );
  }
  if (node.hidden) return [];
  return [
    {
      command: ['svc', ...path].join(' '),
      summary: node.summary,
      arguments: Object.values(node.arguments ?? {}).map(factsOfArgument),
      options: Object.values(node.options ?? {})
        .filter(({ hidden }) => !hidden)
        .map(factsOfOption),
      examples: [...node.examples],
      calls: node.operations ?? [],
      writes: node.writes !== false,
    },
  ];
}

const factsOfArgument = ({ syntax, summary, choices }: Argument) => ({
  syntax,
  summary,
  ...(choices ? { choices } : {}),
});

const factsOfOption = ({ flags, summary, choices, repeat, defaultText }: Option) => ({
  flags,
  summary,
  ...(choices ? { choices } : {}),
  ...(repeat ? { repeat } : {}),
  ...(defaultText ? { default: defaultText } : {}),
});
