// Turns argv into an exit code. The only module that turns errors into a message and an exit code.
import { isGroup } from '../cli/command.ts';
import type { Globals } from '../cli/globals.ts';
import { rootHelp } from '../cli/help/root.ts';
import { isHelpTopic } from '../cli/help/topics.ts';
import { locate, parsePositionals, readGlobals, readWords } from '../cli/locate.ts';
import { commandTree } from '../commands/index.ts';
import { type ExitReason, exitCodes, SvcError, unexpectedError } from '../core/errors.ts';
import { BrokenPipeError, type Host, type SignalReason } from '../platform/host.ts';

/** Runs one command line. Resolves with the exit code; never rejects. */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  const [first] = argv;
  const state: RunState = { globals: {} };
  try {
    if (first === '--version' || first === '-V') {
      await host.stdout.write(`${host.version}\n`);
      return 0;
    }
    if (first === '__complete') {
      const { completions } = await import('../completion/complete.ts');
      await host.stdout.write(completions(argv.slice(1), host));
      return 0;
    }
    const end = await Promise.race([run(argv, host, state), host.uncaughtError]);
    return typeof end === 'number' ? end : exitCodes[end].code;
  } catch (error) {
    return exitCodes[await reportFailure(error, host, state)].code;
  }
}

/** The command line as far as it is parsed, for reporting errors. */
interface RunState {
  globals: Globals;
}

/** Returns a number if it is the exit code of a command that svc ran. */
async function run(
  argv: readonly string[],
  host: Host,
  state: RunState,
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

/** Prints an error, unless it is a signal or a closed pipe, and returns its exit reason. */
async function reportFailure(
  thrown: unknown,
  host: Host,
  { globals }: RunState,
): Promise<ExitReason> {
  if (thrown instanceof BrokenPipeError) return 'ok';
  const signal = host.shutdownSignal.aborted && (host.shutdownSignal.reason as SignalReason);
  // An interruption itself is not reported, only work that it left unfinished.
  if (signal && !(thrown instanceof SvcError && thrown.exitReason === signal)) return signal;
  if (thrown instanceof Error && thrown.name === 'ExitPromptError') return 'interrupted';
  const error = thrown instanceof SvcError ? thrown : unexpectedError(thrown);
  await import('./report-error.ts')
    .then(({ reportError }) => reportError(error, host, globals))
    // If the module cannot be loaded, for example without free file descriptors, print the plain message.
    .catch(() => host.stderr.write(`Error: ${error.message}\n`))
    .catch(() => undefined);
  return error.exitReason;
}
