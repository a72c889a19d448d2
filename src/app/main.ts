// Turns argv into an exit code. The only module that turns errors into a message and an exit code.
import { type Group, isGroup } from '../cli/command.ts';
import type { Globals } from '../cli/globals.ts';
import { rootHelp } from '../cli/help/root.ts';
import { isHelpTopic } from '../cli/help/topics.ts';
import { locate } from '../cli/locate.ts';
import { parsePositionals } from '../cli/positional-fast-path.ts';
import { commandTree } from '../commands/index.ts';
import { type ExitReason, exitCodes, SvcError, unexpectedError } from '../core/errors.ts';
import { BrokenPipeError, type Host, type SignalReason } from '../platform/host.ts';

/** Runs one command line. Resolves with the exit code; never rejects. */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  const [first] = argv;
  const state: RunState = { argv, globals: {} };
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
    return exitCodes[await Promise.race([run(argv, host, state), host.uncaughtError])].code;
  } catch (error) {
    return exitCodes[await reportFailure(error, host, state)].code;
  }
}

/** The command line as far as it is parsed, for reporting errors. */
interface RunState {
  argv: readonly string[];
  globals: Globals;
}

async function run(argv: readonly string[], host: Host, state: RunState): Promise<ExitReason> {
  if (argv[0] === 'help' && argv.length === 2 && isHelpTopic(argv[1])) {
    const { helpPage } = await import('../cli/help/pages.ts');
    await host.stdout.write(helpPage(argv[1]));
    return 'ok';
  }
  // `svc help topics list` is `svc topics list --help`.
  const line = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const { path, node, rest, unknown } = await locate(line, commandTree);
  const hasHelpOption = rest.includes('--help') || rest.includes('-h');
  if (!node) {
    if (unknown !== undefined)
      throw await unknownWordError(path, unknown, Object.keys(commandTree));
    const stray = rest.find((token) => token.startsWith('-'));
    if (stray !== undefined && !hasHelpOption)
      throw await unknownWordError(path, stray, ['--help', '--version']);
    await host.stdout.write(rootHelp);
    return 'ok';
  }
  if (isGroup(node)) {
    const { groupHelp } = await import('../cli/help/help.ts');
    if (unknown !== undefined)
      throw await unknownWordError(path, unknown, Object.keys(node.commands), {
        missing: node.details,
        writes: writingCommands(node),
      });
    const stray = rest.find((token) => token.startsWith('-'));
    if (stray !== undefined && !hasHelpOption)
      throw await unknownWordError(path, stray, ['--help']);
    await host.stdout.write(groupHelp(path, node));
    return 'ok';
  }
  const parsed =
    parsePositionals(node, rest) ?? (await import('../cli/parser.ts')).parse(path, node, rest);
  if (parsed.help) {
    const { commandHelp } = await import('../cli/help/help.ts');
    await host.stdout.write(commandHelp(path, node));
    return 'ok';
  }
  state.globals = parsed.globals;
  const { runCommand } = await import('./run-command.ts');
  return runCommand(path, node, parsed, host, main);
}

/** The commands of a group that change data of the service or of this machine. */
const writingCommands = ({ commands }: Group): string[] =>
  Object.entries(commands)
    .filter(([, node]) => !isGroup(node) && (node.writes !== false || node.localOnly === true))
    .map(([name]) => name);

/** Words for what a service might do with its things, and this one may not. */
const verbs = /^(ls|list|get|show|find|create|add|new|update|delete|rm|remove|unsubscribe)$/;

async function unknownWordError(
  path: readonly string[],
  word: string,
  among: readonly string[],
  { missing, writes = [] }: { missing?: string | undefined; writes?: readonly string[] } = {},
) {
  const line = ['svc', ...path].join(' ');
  const what = word.startsWith('-') ? 'option' : 'command';
  return new SvcError('usage', `Unknown ${what} \`${word}\` for \`${line}\`.`, {
    suggestion: { input: word, candidates: among, ...(what === 'command' ? { writes } : {}) },
    ...(missing && verbs.test(word) ? { hint: missing } : {}),
    next: [`${line} --help`],
  });
}

/** Prints an error, unless it is a signal or a closed pipe, and returns its exit reason. */
async function reportFailure(
  thrown: unknown,
  host: Host,
  { argv, globals }: RunState,
): Promise<ExitReason> {
  if (thrown instanceof BrokenPipeError) return 'ok';
  const signal = host.shutdownSignal.aborted && (host.shutdownSignal.reason as SignalReason);
  // An interruption itself is not reported, only work that it left unfinished.
  if (signal && !(thrown instanceof SvcError && thrown.exitReason === signal)) return signal;
  if (thrown instanceof Error && thrown.name === 'ExitPromptError') return 'interrupted';
  const error = thrown instanceof SvcError ? thrown : unexpectedError(thrown);
  await import('./report-error.ts')
    .then(({ reportError }) => reportError(error, host, argv, globals))
    // If the module cannot be loaded, for example without free file descriptors, print the plain message.
    .catch(() => host.stderr.write(`Error: ${error.message}\n`))
    .catch(() => undefined);
  return error.exitReason;
}
