// Generates manual pages (roff) from the command objects: svc(1), one page per group and command, one per topic.

import {
  type Argument,
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
} from '../src/cli/command.ts';
import {
  argumentText,
  exampleLine,
  exitCodesText,
  optionText,
  serversText,
} from '../src/cli/help/help.ts';
import { helpPage } from '../src/cli/help/pages.ts';
import { helpTopics, type TopicName } from '../src/cli/help/topics.ts';
import type { OperationId } from '../src/service/operations/index.ts';

export interface ManualPage {
  /** File name, such as `svc-topics-list.1`. */
  file: string;
  text: string;
}

interface Edition {
  /** Shown in the footer. */
  version: string;
  /** The operations that every server has. */
  specified: readonly OperationId[];
}

/** All pages. */
export async function manualPages(tree: CommandTree, edition: Edition): Promise<ManualPage[]> {
  const { version } = edition;
  const groups = await Promise.all(
    Object.entries(tree).map(async ([name, lazy]) =>
      collectPages([name], await lazy.load(), edition),
    ),
  );
  const topics = (Object.keys(helpTopics) as TopicName[]).map((topic) => topicPage(topic, version));
  return [overview(tree, version), ...groups.flat(), ...topics];
}

function overview(tree: CommandTree, version: string): ManualPage {
  const nouns = Object.entries(tree).map(([name, { summary }]) => entry(`svc-${name}(1)`, summary));
  const topics = Object.entries(helpTopics).map(([name, { summary }]) =>
    entry(`svc-help-${name}(7)`, summary),
  );
  return page('svc', 1, version, 'administer a notification delivery service', [
    part('SYNOPSIS', '.B svc\n<noun> <verb> [arguments] [options]'),
    part('COMMANDS', nouns.join('\n')),
    part('MORE', topics.join('\n')),
  ]);
}

function collectPages(
  path: readonly string[],
  node: Group | Command,
  edition: Edition,
): ManualPage[] {
  if (!isGroup(node)) return node.hidden ? [] : [commandPage(path, node, edition)];
  const verbs = Object.entries(node.commands);
  const own = page(['svc', ...path].join('-'), 1, edition.version, node.summary, [
    part('SYNOPSIS', `.B ${plain(['svc', ...path].join(' '))}\n<command> [options]`),
    part('DESCRIPTION', plain(node.details ?? '')),
    part(
      'COMMANDS',
      verbs
        .map(([verb, { summary }]) => entry(`${['svc', ...path, verb].join('-')}(1)`, summary))
        .join('\n'),
    ),
  ]);
  return [own, ...verbs.flatMap(([verb, child]) => collectPages([...path, verb], child, edition))];
}

function commandPage(path: readonly string[], command: Command, edition: Edition): ManualPage {
  const { version, specified } = edition;
  const args: Argument[] = Object.values(command.arguments ?? {});
  const options: Option[] = Object.values(command.options ?? {}).filter(({ hidden }) => !hidden);
  const words = args.map(({ syntax }) => syntax).join(' ');
  return page(['svc', ...path].join('-'), 1, version, command.summary, [
    part(
      'SYNOPSIS',
      `.B ${plain(['svc', ...path].join(' '))}\n${plain(`${words} [options]`.trim())}`,
    ),
    part('DESCRIPTION', paragraphs(command.details ?? `${command.summary}.`)),
    part(
      'ARGUMENTS',
      args.map((argument) => entry(argument.syntax, argumentText(argument))).join('\n'),
    ),
    part('OPTIONS', options.map((option) => entry(option.flags, optionText(option))).join('\n')),
    part('OUTPUT', plain(command.output)),
    part('SERVERS', plain(serversText(command, specified))),
    part('EXIT STATUS', plain(exitCodesText(command, specified))),
    part(
      'EXAMPLES',
      Object.entries(command.examples)
        .map(
          ([example, description]) =>
            `${plain(description)}:\n.PP\n.nf\n.RS\n${plain(exampleLine(command, example))}\n.RE\n.fi\n.PP`,
        )
        .join('\n'),
    ),
    part('SEE ALSO', '.BR svc (1),\n.BR svc\\-help\\-options (7),\n.BR svc\\-help\\-output (7)'),
  ]);
}

const topicPage = (topic: TopicName, version: string) =>
  page(`svc-help-${topic}`, 7, version, helpTopics[topic].summary, [
    part('DESCRIPTION', `.nf\n${helpPage(topic).split('\n').map(plain).join('\n').trimEnd()}\n.fi`),
  ]);

function page(
  name: string,
  section: 1 | 7,
  version: string,
  summary: string,
  parts: readonly string[],
): ManualPage {
  const head = `.TH "${plain(name.toUpperCase())}" "${section}" "" "svc ${plain(version)}" "svc manual"`;
  const lines = [head, part('NAME', `${plain(name)} \\- ${plain(summary)}`), ...parts];
  return {
    file: `${name}.${section}`,
    text: `${lines.filter((line) => line !== '').join('\n')}\n`,
  };
}

const part = (title: string, body: string) => (body === '' ? '' : `.SH ${title}\n${body}`);

const entry = (term: string, text: string) => `.TP\n.B ${plain(term)}\n${plain(text)}`;

const paragraphs = (text: string) => text.split('\n\n').map(plain).join('\n.PP\n');

/** Escapes text for roff: backslashes, leading dots and quotes, and hyphens so that they can be copied. */
const plain = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('→', '\\(->')
    .replace(/^(?=[.'])/gm, '\\&');
