// One parsed command from its context to its printed result.
import { DryRun } from '../api/dry-run.ts';
import type { WireEvent } from '../api/wire-event.ts';
import type { Argument, Command } from '../cli/command.ts';
import { checkIdWhitespace } from '../cli/id-whitespace.ts';
import type { Parsed } from '../cli/parser.ts';
import { debugLevel } from '../config/preferences.ts';
import { type ExitReason, localError, SvcError, usageError } from '../core/errors.ts';
import { print } from '../output/print.ts';
import { shapeOf } from '../output/printer.ts';
import type { ReportResult, Result } from '../output/result.ts';
import { BrokenPipeError, type Host } from '../platform/host.ts';
import { confirmProtected } from './confirm.ts';
import { type Context, createContext } from './context.ts';
import { openPrinter } from './open-printer.ts';

export async function runCommand(
  path: readonly string[],
  command: Command,
  { args, options, globals }: Parsed,
  host: Host,
  runLine: (argv: readonly string[], host: Host) => Promise<number>,
): Promise<ExitReason> {
  const context: Context = createContext({
    host,
    globals,
    runLine,
    concurrent: command.concurrent === true || options.all === true,
    allowInvalidConfig: command.allowInvalidConfig === true,
    isLocal: command.localOnly === true,
    ...(await debugObserver(host, globals.debug, globals.reveal === true)),
  });
  try {
    checkIdWhitespace(command, args, options);
    const input = {
      args: await promptForMissingArguments(path, command, args, context),
      options,
    } as never;
    await applyDefaultProfile(command, context, input);
    const { writes } = command;
    const isDry = globals.dryRun !== undefined;
    if (isDry && command.localOnly) throw dryRunUnsupported(path);
    const wouldWrite = typeof writes === 'function' ? writes(input) : writes;
    const isWrite = !isDry && wouldWrite;
    if (isWrite) await checkWriteAllowed(path, context);
    // Before the command runs: what it changes in the settings holds from the next command on.
    if (context.globals.fields && (wouldWrite || command.fields))
      await checkFieldNames(context.globals.fields, command, input);
    const printer = await openPrinter(context, {
      known: async () => (await import('./known-fields.ts')).knownFields(command, input),
      hasWritten: isWrite || command.localOnly === true,
    });
    const running = command.run(context, input).catch((error) => toDryRunResult(error, context));
    const given = await untilInterrupted(running, context);
    const result = withHeadline(given, isWrite ? context.place : undefined);
    if (result.kind === 'record' && result.headline !== undefined && shapeOf(printer) === 'table')
      context.note(result.headline);
    await print(result, printer).catch((error: unknown) => {
      // What was to be done is done, whether or not anybody reads of it.
      if (!(error instanceof BrokenPipeError)) throw isWrite ? printFailure(error) : error;
    });
    if (result.kind !== 'report')
      return result.kind === 'none' ? (result.exitReason ?? 'ok') : 'ok';
    if (result.cause) throw result.cause;
    if (result.afterPrint) return await result.afterPrint();
    const { exitReason = 'ok' } = result;
    if (exitReason !== 'ok' && shapeOf(printer) !== 'table') throw outcomeError(result, exitReason);
    return exitReason;
  } catch (error) {
    if (host.shutdownSignal.aborted && context.pendingTransaction !== undefined)
      throw interruptedError(context.pendingTransaction, host.shutdownSignal.reason as ExitReason);
    if (error instanceof SvcError || error instanceof BrokenPipeError) throw error;
    throw await (await import('./diagnose-response.ts')).diagnoseResponse(
      error,
      context.lastResponse(),
    );
  } finally {
    await context.close();
  }
}

/** The arguments with those that were left out: picked by a person where they can be listed. */
async function promptForMissingArguments(
  path: readonly string[],
  command: Command,
  given: Record<string, unknown>,
  context: Context,
): Promise<Record<string, unknown>> {
  const isMissing = ([name, { syntax }]: [string, Argument]) =>
    syntax.startsWith('<') && given[name] === undefined;
  const missing = Object.entries(command.arguments ?? {}).filter(isMissing);
  if (missing.length === 0) return given;
  const { canPick, pick } = await import('./resource-prompt.ts');
  const unknown = missing.find(([, { complete }]) => !context.canAsk || !canPick(complete));
  if (unknown) {
    throw usageError(`Missing required argument \`${unknown[1].syntax.slice(1, -1)}\`.`, {
      next: [`svc ${path.join(' ')} --help`],
    });
  }
  const args = { ...given };
  for (const [name, { complete }] of missing) {
    if (complete) args[name] = await pick(context, complete, args);
  }
  return args;
}

/** Before the profile is asked for its protection: where no service is named, a command may mean one of its own. */
async function applyDefaultProfile(
  command: Command,
  context: Context,
  input: never,
): Promise<void> {
  const { globals, host, configuration, note } = context;
  const { SVC_PROFILE, SVC_BASE_URL, SVC_API_KEY } = host.env;
  const { profile, baseUrl, apiKeyFile } = globals;
  if (profile || baseUrl || apiKeyFile || SVC_PROFILE || SVC_BASE_URL || SVC_API_KEY) return;
  const own = await command.defaultProfile?.(context, input);
  if (own === undefined) return;
  const { current, profiles } = configuration.read();
  if (own === current || !Object.hasOwn(profiles, own)) return;
  globals.profile = own;
  note(
    `Profile ${own} is used, with which it began${current === undefined ? '' : `, not ${current}`}.`,
  );
}

/** The headline of a result as a sentence that names where the command wrote. */
function withHeadline(result: Result, place: (() => string) | undefined): Result {
  if (result.kind !== 'report' && result.kind !== 'record') return result;
  if (result.headline === undefined) return result;
  const headline = `${result.headline}${place ? ` ${place()}` : ''}.`;
  return result.kind === 'record'
    ? { ...result, headline }
    : { ...result, lines: [headline, ...result.lines] };
}

/** The result of a dry run; anything else goes on as the error that it is. */
async function toDryRunResult(error: unknown, { globals, note }: Context): Promise<Result> {
  if (!(error instanceof DryRun)) throw error;
  const { dryRunNote, dryRunResult } = await import('../output/dry-run.ts');
  note(dryRunNote(error));
  const form = globals.dryRun === 'curl' ? 'curl' : 'requests';
  return dryRunResult(error, form, globals.reveal === true);
}

/** A program of jq can fail at the result of a command that has written: to call that usage would say it had not. */
function printFailure(error: unknown): unknown {
  const hint = 'The command has run; only its result is not shown.';
  if (!(error instanceof SvcError)) return error;
  if (error.exitReason === 'usage') return localError(error.message, { hint });
  return error.exitReason === 'unavailable'
    ? new SvcError(error.exitReason, error.message, { ...error.details, hint })
    : error;
}

const interruptedError = (transactionId: string, exitReason: ExitReason) =>
  new SvcError(exitReason, `Interrupted while transaction ${transactionId} was under way.`, {
    next: [`svc activity get ${transactionId}`],
  });

const dryRunUnsupported = (path: readonly string[]) =>
  usageError(`\`svc ${path.join(' ')}\` sends no write that --dry-run could show.`, {
    hint: 'It works on this machine alone. Leave --dry-run out to run it.',
  });

/** The result, or a rejection as soon as somebody interrupts what does not drain. */
function untilInterrupted<T>(running: Promise<T>, context: Context): Promise<T> {
  const { shutdownSignal } = context.host;
  return new Promise<T>((resolve, reject) => {
    const give = () => !context.gracefulShutdown && reject(shutdownSignal.reason);
    running.then(resolve, reject).finally(() => shutdownSignal.removeEventListener('abort', give));
    if (shutdownSignal.aborted) give();
    shutdownSignal.addEventListener('abort', give, { once: true });
  });
}

/** Data on standard output does not say why a command ends as it does. */
function outcomeError(
  { failure, lines: [first = '', ...rest] }: ReportResult,
  exitReason: ExitReason,
): SvcError {
  if (failure) return new SvcError(exitReason, failure.message, failure);
  const details = rest.map((line) => ({ field: '', message: line.trim() }));
  return new SvcError(exitReason, first, { fieldErrors: details });
}

/** `--read-only` refuses every write; a protected profile wants its name. */
async function checkWriteAllowed(path: readonly string[], context: Context): Promise<void> {
  const line = ['svc', ...path].join(' ');
  if (context.preferences.readOnly) {
    const { source } = context.preferences.all().readOnly;
    throw usageError(`\`${line}\` changes something, and ${source} forbids that.`);
  }
  await confirmProtected(line, context);
}

/** A write must not be sent for a result that cannot be shown; where the names are at hand, nothing is. */
async function checkFieldNames(
  fields: readonly string[],
  command: Command,
  input: never,
): Promise<void> {
  const { knownFields } = await import('./known-fields.ts');
  const { checkKnownFields } = await import('../output/field-check.ts');
  const known = await knownFields(command, input);
  if (known) checkKnownFields(fields, known);
}

async function debugObserver(host: Host, option: string | undefined, reveal: boolean) {
  if (option === undefined && !host.env.SVC_DEBUG) return {};
  const level = debugLevel(option, host.env.SVC_DEBUG);
  if (level === 'off') return {};
  const { wireLog } = await import('../output/wire-log.ts');
  const log = wireLog({ bodies: level === 'body', reveal });
  return {
    observe: (event: WireEvent) => void host.stderr.write(log(event)).catch(() => undefined),
  };
}
