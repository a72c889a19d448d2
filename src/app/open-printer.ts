// Chooses how to print a command's result from options, variables and the terminal.

import { usageError } from '../core/errors.ts';
import type { FieldCheck } from '../output/field-check.ts';
import type { Jq } from '../output/jq.ts';
import type { Format, Printer } from '../output/printer.ts';
import { openStyle, wantsColor } from '../output/style.ts';
import type { Host } from '../platform/host.ts';
import type { Context } from './context.ts';

/** Throws a usage error for options that cannot be combined, before the command runs. */
export async function openPrinter(context: Context, fieldCheck: FieldCheck): Promise<Printer> {
  const { host, globals, preferences, note } = context;
  const { stdout } = host;
  const { output } = preferences;
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
  const colored = wantsColor({ isTty: stdout.isTty, ...preferences.color, env: host.env });
  return {
    write: stdout.write,
    hint: note,
    isTty: stdout.isTty,
    ...(output === undefined ? {} : { format: output as Format }),
    ...(globals.fields ? { fields: globals.fields, fieldCheck } : {}),
    ...(globals.jq === undefined ? {} : { jq: await startJq(globals.jq, context) }),
    header: globals.header !== false,
    reveal: globals.reveal === true,
    csvSafe: globals.csvSafe === true,
    width: stdout.isTty ? stdout.columns : columnsOf(host.env),
    style: await openStyle(colored),
    now: context.serviceNow,
  };
}

/** The table width in a pipe: COLUMNS, or 80. */
const columnsOf = ({ COLUMNS = '' }: Host['env']) =>
  /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : 80;

async function startJq(program: string, context: Context): Promise<Jq> {
  const { openJq } = await import('../output/jq.ts');
  const { shutdownSignal, forceSignal } = context.host;
  // An interrupted run still prints its summary, so only a second signal stops jq there.
  return openJq(program, () =>
    context.gracefulShutdown && shutdownSignal.aborted ? forceSignal : shutdownSignal,
  );
}
