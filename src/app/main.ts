// Turns argv into an exit code. The only module that turns errors into a message and an exit code.
import { type ExitReason, exitCodes, SvcError, unexpectedError } from '../core/errors.ts';
import { BrokenPipeError, type Host, type SignalReason } from '../platform/host.ts';
import type { RunState } from './run-line.ts';

/** Runs one command line. Resolves with the exit code; never rejects. */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  const [first] = argv;
  const state: RunState = { globals: {} };
  try {
    // These two are short, so they load no commands.
    if (first === '--version' || first === '-V') {
      await host.stdout.write(`${host.version}\n`);
      return 0;
    }
    if (first === '__complete') {
      const { completions } = await import('../completion/complete.ts');
      await host.stdout.write(completions(argv.slice(1), host));
      return 0;
    }
    const { runLine } = await import('./run-line.ts');
    const end = await Promise.race([runLine(argv, host, state, main), host.uncaughtError]);
    return typeof end === 'number' ? end : exitCodes[end].code;
  } catch (error) {
    return exitCodes[await reportFailure(error, host, state)].code;
  }
}

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
