// Runs one parsed command: creates its context, checks that it may write, runs it and prints the result.
import { DryRun } from '../api/dry-run.ts';
import type { WireEvent } from '../api/request.ts';
import type { Argument, Command, CommandTree, Program } from '../cli/command.ts';
import { checkIdWhitespace } from '../cli/id-whitespace.ts';
import type { Parsed } from '../cli/parser.ts';
import { spellArgument } from '../cli/spelling.ts';
import { readSwitch } from '../config/settings.ts';
import { refuseSharedFolders } from '../config/shared-folders.ts';
import { isServiceGiven } from '../config/target.ts';
import { raceAbort } from '../core/async.ts';
import { type ExitReason, localError, SvcError, usageError } from '../core/errors.ts';
import { checkKnownFields } from '../output/fields.ts';
import { print } from '../output/print.ts';
import { chooseShape } from '../output/printer.ts';
import { type ExitEnd, plainText, type ReportResult, type Result } from '../output/result.ts';
import { BrokenPipeError, type Host } from '../platform/host.ts';
import type { Context } from './context.ts';
import { createContext } from './create-context.ts';
import { messageWrapper } from './message-wrapper.ts';
import { openPrinter } from './open-printer.ts';
import { checkWriteAllowed, withOwnProfileHint } from './protection.ts';

/** Runs another command line of the same process. */
export type Main = (argv: readonly string[], host: Host) => Promise<number>;

export async function runCommand(
  path: readonly string[],
  command: Command,
  { args, options, globals }: Parsed,
  host: Host,
  program: { tree: CommandTree; main: Main },
): Promise<ExitReason | number> {
  if (!command.allowInvalidConfig) refuseSharedFolders(host);
  const { context, lastResponse, allowWrite, close } = createContext({
    host,
    globals,
    allowInvalidConfig: command.allowInvalidConfig === true,
    isLocal: command.localOnly === true,
    wrap: await messageWrapper(host),
    ...(await debugObserver(host, globals.debug, globals.reveal === true)),
  });
  try {
    checkIdWhitespace(command, args, options);
    const input = {
      args: await promptForMissingArguments(path, command, args, context),
      options,
      command: path.join(' '),
      declaredOptions: command.options ?? {},
    } as never;
    await applyDefaultProfile(command, context, input);
    const { writes, gracefulShutdown } = command;
    const isGraceful =
      typeof gracefulShutdown === 'function' ? gracefulShutdown(input) : gracefulShutdown === true;
    const isDry = globals.dryRun !== undefined;
    if (isDry && command.localOnly && !command.localDryRun) throw dryRunUnsupported(path);
    const wouldWrite = typeof writes === 'function' ? writes(input) : writes;
    const isWrite = !isDry && wouldWrite;
    if (isWrite) {
      allowWrite(await checkWriteAllowed(path, context, command, input));
    }
    // Opened before the command runs, so settings that the command changes apply to the next command.
    if (context.globals.fields && (wouldWrite || command.fields))
      await checkFieldNames(context.globals.fields, command, input);
    const printer = await openPrinter(context, {
      fieldCheck: {
        loadKnownFields: async () =>
          (await import('./known-fields.ts')).knownFields(command, input),
        hasWritten: isWrite || command.localOnly === true,
      },
      isGraceful,
      now: context.serviceNow,
    });
    const running = command
      .run(context, input, programFor(host, program))
      .catch((error) => toDryRunResult(error, context))
      .catch(async (error) => {
        throw error instanceof SvcError && isWrite
          ? await withOwnProfileHint(error, context, command, input)
          : error;
      });
    const rawResult = await (isGraceful ? running : raceAbort(running, host.shutdownSignal));
    const result = withHeadline(rawResult, isWrite ? context.connection.place : undefined);
    if (
      result.type === 'record' &&
      result.headline !== undefined &&
      chooseShape(printer) === 'table'
    )
      context.note(result.headline);
    await print(result, printer).catch((error: unknown) => {
      // The command has finished; a closed pipe is not an error.
      if (!(error instanceof BrokenPipeError)) throw isWrite ? printFailure(error) : error;
    });
    if (result.type === 'none' && result.exitCode !== undefined) return result.exitCode;
    const hasPrintedLines = chooseShape(printer) === 'table';
    if (result.type === 'report') return await endCommand(result, hasPrintedLines);
    return result.type === 'record' && result.end
      ? await endCommand({ end: result.end, lines: [] }, hasPrintedLines)
      : 'ok';
  } catch (error) {
    if (error instanceof SvcError || error instanceof BrokenPipeError) throw error;
    throw await (await import('./diagnose-response.ts')).diagnoseResponse(error, lastResponse());
  } finally {
    await close();
  }
}

/** Prompts for missing required arguments. Throws a usage error if one cannot be prompted for. */
async function promptForMissingArguments(
  path: readonly string[],
  command: Command,
  parsed: Record<string, unknown>,
  context: Context,
): Promise<Record<string, unknown>> {
  const isMissing = ([name, argument]: [string, Argument]) =>
    spellArgument(argument).isRequired && parsed[name] === undefined;
  const missing = Object.entries(command.arguments ?? {}).filter(isMissing);
  if (missing.length === 0) return parsed;
  const { canPromptFor, promptForResource } = await import('./resource-prompt.ts');
  const unknown = missing.find(
    ([, { complete }]) => !context.prompt.isPossible || !canPromptFor(complete),
  );
  if (unknown) {
    throw usageError(`Missing ${unknown[1].syntax}.`, { next: [`svc ${path.join(' ')} --help`] });
  }
  const args = { ...parsed };
  for (const [name, { complete, prompt }] of missing) {
    if (complete) args[name] = await promptForResource(context, complete, args, prompt);
  }
  return args;
}

/**
 * Applies the command's default profile if no profile, address or key is given. Called before the check for a
 * protected profile.
 */
async function applyDefaultProfile(
  command: Command,
  context: Context,
  input: never,
): Promise<void> {
  const { globals, host, configuration, note } = context;
  if (isServiceGiven({ globals, env: host.env })) return;
  const name = await command.defaultProfile?.(context, input);
  if (name === undefined) return;
  const { current, profiles } = configuration.read();
  if (name === current || !Object.hasOwn(profiles, name)) return;
  globals.profile = name;
  note(
    `Using profile ${name}, which started the run${current === undefined ? '' : `, instead of ${current}`}.`,
  );
}

/** Converts a `DryRun` to its result. Rethrows any other error. */
async function toDryRunResult(error: unknown, { globals, note }: Context): Promise<Result> {
  if (!(error instanceof DryRun)) throw error;
  const { dryRunNote, dryRunResult } = await import('../output/dry-run.ts');
  note(dryRunNote(error));
  const form = globals.dryRun === 'curl' ? 'curl' : 'requests';
  return dryRunResult(error, form, globals.reveal === true);
}

/**
 * The error if the result of a finished write cannot be printed, for example because jq fails. The exit reason
 * `usage` is replaced because it promises that nothing was written.
 */
function printFailure(error: unknown): unknown {
  const hint = 'The command succeeded; only its result could not be printed.';
  if (!(error instanceof SvcError)) return error;
  if (error.exitReason === 'usage') return localError(error.message, { hint });
  return error.exitReason === 'unavailable' ? error.with({ hint }) : error;
}

const dryRunUnsupported = (path: readonly string[]) =>
  usageError(`\`svc ${path.join(' ')}\` does not support --dry-run.`, {
    hint: 'The command has no write request that could be printed. Run it without --dry-run.',
  });

// Uses a prototype instead of a copy, so standard input is not opened before it is needed.
const programFor = (host: Host, { tree, main }: { tree: CommandTree; main: Main }): Program => ({
  tree,
  runLine: (argv, changed) =>
    main(argv, Object.create(host, Object.getOwnPropertyDescriptors(changed))),
});

/** Checks `--fields` before a write is sent, if the field names of the result are known. */
async function checkFieldNames(
  fields: readonly string[],
  command: Command,
  input: never,
): Promise<void> {
  const { knownFields } = await import('./known-fields.ts');
  const outputFields = await knownFields(command, input);
  if (outputFields) checkKnownFields(fields, outputFields);
}

async function debugObserver(host: Host, option: string | undefined, reveal: boolean) {
  const { SVC_DEBUG } = host.env;
  if (option === undefined && !(SVC_DEBUG && readSwitch(SVC_DEBUG))) return {};
  const { wireLog } = await import('../output/wire-log.ts');
  const log = wireLog({ bodies: (option ?? SVC_DEBUG) === 'body', reveal });
  return {
    observe: (event: WireEvent) => void host.stderr.write(log(event)).catch(() => undefined),
  };
}

/** Completes the headline of a result to a sentence that names where the command wrote. */
function withHeadline(result: Result, place: (() => string) | undefined): Result {
  if (result.type !== 'report' && result.type !== 'record') return result;
  if (result.headline === undefined) return result;
  const headline = `${result.headline}${place ? ` ${place()}` : ''}.`;
  return result.type === 'record'
    ? { ...result, headline }
    : { ...result, lines: [headline, ...result.lines], hasLinesInPipe: true };
}

// How a command ends after its report is printed.

/** Returns the exit reason, or throws the error of the report. Data formats do not print its lines. */
async function endCommand(
  { end, lines }: Pick<ReportResult, 'end' | 'lines'>,
  hasPrintedLines: boolean,
): Promise<ExitReason> {
  switch (end?.type) {
    case undefined:
      return 'ok';
    case 'error':
      throw end.cause;
    case 'work':
      return end.run();
    case 'exit':
      // A difference is a result and not an error.
      if (end.exitReason === 'ok' || end.exitReason === 'different') return end.exitReason;
      if (!hasPrintedLines) throw outcomeError(lines.map(plainText), end);
      return end.exitReason;
  }
}

function outcomeError(
  [first = '', ...rest]: readonly string[],
  { exitReason, failure }: ExitEnd,
): SvcError {
  if (failure) return new SvcError(exitReason, failure.message, failure);
  const fieldErrors = rest.map((line) => ({ field: '', message: line.trim() }));
  return new SvcError(exitReason, first, { fieldErrors });
}
