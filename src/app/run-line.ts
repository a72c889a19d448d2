// Finds what a command line asks for, help or a command, and does it.
import { isGroup } from '../cli/command.ts';
import type { Globals } from '../cli/globals.ts';
import { rootHelp } from '../cli/help/root.ts';
import { isHelpTopic } from '../cli/help/topics.ts';
import { locate, parsePositionals, readGlobals, readWords } from '../cli/locate.ts';
import { commandTree } from '../commands/index.ts';
import type { ExitReason } from '../core/errors.ts';
import type { Host } from '../platform/host.ts';
import type { Main } from './run-command.ts';

/** The command line as far as it is parsed, for reporting errors. */
export interface RunState {
  globals: Globals;
}

/** Returns a number if it is the exit code of a command that svc ran. */
export async function runLine(
  argv: readonly string[],
  host: Host,
  state: RunState,
  main: Main,
): Promise<ExitReason | number> {
  if (argv[0] === 'help' && argv.length === 2 && isHelpTopic(argv[1])) {
    const { helpPage } = await import('../cli/help/pages.ts');
    await host.stdout.write(helpPage(argv[1], helpColumns(host)));
    return 'ok';
  }
  // `svc help topics list` is `svc topics list --help`.
  const line = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const words = readWords(line);
  state.globals = readGlobals(words);
  const { path, node, hasHelp, unknown, ...located } = await locate(words, commandTree);
  // With --help, --all is not the option that lists all items.
  const rest = hasHelp ? located.rest.filter((word) => word !== '--all') : located.rest;
  const stray = rest.find((token) => token.startsWith('-'));
  if (!node) {
    if (unknown !== undefined) {
      const { unknownFirstWord } = await import('./unknown-word.ts');
      throw await unknownFirstWord(rest.slice(rest.indexOf(unknown)), commandTree);
    }
    if (stray !== undefined && !hasHelp)
      throw (await import('./unknown-word.ts')).unknownOption(path, stray);
    const columns = helpColumns(host) ?? 80;
    const isNarrow = columns < 80;
    await host.stdout.write(
      isNarrow ? (await import('../cli/help/help.ts')).rootHelp(commandTree, columns) : rootHelp,
    );
    return 'ok';
  }
  if (isGroup(node)) {
    const { fitHelp, groupHelp } = await import('../cli/help/help.ts');
    fitHelp(helpColumns(host));
    if (unknown !== undefined)
      throw (await import('./unknown-word.ts')).unknownSubcommand(path, unknown, node);
    if (stray !== undefined && !hasHelp)
      throw (await import('./unknown-word.ts')).unknownOption(path, stray);
    await host.stdout.write(groupHelp(path, node));
    return 'ok';
  }
  const parsed =
    parsePositionals(node, rest) ?? (await import('../cli/parser.ts')).parse(path, node, rest);
  if (parsed.help) {
    const { commandHelp, fitHelp } = await import('../cli/help/help.ts');
    fitHelp(helpColumns(host));
    const { specifiedIds } = await import('../service/operations/index.ts');
    await host.stdout.write(commandHelp(path, node, specifiedIds, line.includes('--all')));
    return 'ok';
  }
  state.globals = parsed.globals;
  const { runCommand } = await import('./run-command.ts');
  return runCommand(path, node, parsed, host, { tree: commandTree, main });
}

/** The columns for help; undefined for the usual ones. */
const helpColumns = ({ stdout }: Host) => (stdout.isTty ? stdout.columns : undefined);
