// Chooses how to print a command's result from options, variables and the terminal.
import { isCi } from '../config/settings.ts';
import { usageError } from '../core/errors.ts';
import type { FieldCheck } from '../output/fields.ts';
import type { Jq } from '../output/jq.ts';
import type { Printer } from '../output/printer.ts';
import { openStyle, wantsColor } from '../output/style.ts';
import type { Host } from '../platform/host.ts';
import type { Context } from './context.ts';

export interface PrinterOptions {
  fieldCheck: FieldCheck;
  /** The command prints a result even after a signal. */
  isGraceful: boolean;
  now: () => number;
}

/** Throws a usage error for options that cannot be combined, before the command runs. */
export async function openPrinter(
  { host, globals, settings, note, propose }: Context,
  { fieldCheck, isGraceful, now }: PrinterOptions,
): Promise<Printer> {
  const { stdout } = host;
  const { output } = settings;
  const isText = globals.output !== undefined && !['json', 'ndjson'].includes(globals.output);
  if (globals.jq !== undefined && isText) {
    throw usageError(`--jq cannot be combined with -o ${globals.output}.`, {
      hint: 'Omit -o. To print CSV, use @csv in the expression: `.[] | [.key, .name] | @csv`.',
    });
  }
  if (globals.fields?.length === 0) {
    throw usageError('--fields needs at least one field name.', {
      hint: 'For example: --fields _id,name',
    });
  }
  const colored = wantsColor({ isTty: stdout.isTty, ...settings.color, env: host.env });
  return {
    write: stdout.write,
    hint: note,
    next: (command, purpose) => {
      const line = propose(command);
      if (purpose !== undefined) note(`${purpose}: ${line}`);
      host.observer?.next(line);
    },
    isTty: stdout.isTty,
    ...(output === undefined ? {} : { format: output }),
    ...(globals.fields ? { fields: globals.fields, fieldCheck } : {}),
    ...(globals.jq === undefined ? {} : { jq: await startJq(globals.jq, host, isGraceful) }),
    header: globals.header !== false,
    reveal: globals.reveal === true,
    csvSafe: globals.csvSafe === true,
    width: output === 'wide' ? Infinity : stdout.isTty ? stdout.columns : pipeWidth(host.env),
    ...(stdout.isTty && !isCi(host.env) ? { messageWidth: stdout.columns } : {}),
    style: await openStyle(colored, host.env),
    unicode: settings.unicode,
    now,
  };
}

/** The table width in a pipe: COLUMNS, or 80. */
const pipeWidth = ({ COLUMNS = '' }: Host['env']) =>
  /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : 80;

async function startJq(
  program: string,
  { shutdownSignal, forceSignal }: Host,
  isGraceful: boolean,
): Promise<Jq> {
  const { openJq } = await import('../output/jq.ts');
  // An interrupted run still prints its summary, so only a second signal stops jq there.
  return openJq(program, () =>
    isGraceful && shutdownSignal.aborted ? forceSignal : shutdownSignal,
  );
}
