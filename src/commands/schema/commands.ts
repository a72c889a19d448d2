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
  summary: 'List all commands of svc with their arguments, options and operations',
  output: 'A list of commands.',
  examples: {
    'svc commands': 'List all commands',
    'svc commands --json': 'Print the command tree as JSON',
  },
  writes: false,
  tool: 'rare',
  offline: true,
  async run(_context, _input, { tree }) {
    const loaded = await Promise.all(
      Object.entries(tree).map(async ([name, lazy]) => describe([name], await lazy.load())),
    );
    return result.list<DescribedCommand>({
      pages: result.onePage(loaded.flat()),
      columns: [
        { field: 'command', header: 'COMMAND', tone: () => 'strong' },
        { field: 'summary', header: 'SUMMARY', shrink: true },
        { field: 'calls', header: 'OPERATIONS', drop: 1 },
      ],
      id: (item) => item.command,
      empty: 'No commands.',
    });
  },
});

function describe(path: readonly string[], node: Group | Command): DescribedCommand[] {
  if (isGroup(node)) {
    return Object.entries(node.commands).flatMap(([name, child]) =>
      describe([...path, name], child),
    );
  }
  if (node.hidden) return [];
  return [
    {
      command: ['svc', ...path].join(' '),
      summary: node.summary,
      arguments: Object.values(node.arguments ?? {}).map(describeArgument),
      options: Object.values(node.options ?? {})
        .filter(({ hidden }) => !hidden)
        .map(describeOption),
      examples: Object.entries(node.examples).map(([line, description]) => ({ line, description })),
      calls: node.operations ?? [],
      writes: node.writes !== false,
    },
  ];
}

const describeArgument = ({ syntax, summary, choices }: Argument) => ({ syntax, summary, choices });

const describeOption = ({ flags, summary, choices, repeat, defaultText }: Option) => ({
  flags,
  summary,
  choices,
  repeat,
  default: defaultText,
});
