// How a command's result is to be printed: from the options, the variables and the terminal.

import { usageError } from '../core/errors.ts';
import type { FieldCheck } from '../output/field-check.ts';
import type { Jq } from '../output/jq.ts';
import type { Format, Printer } from '../output/printer.ts';
import { openStyle, wantsColor } from '../output/style.ts';
import type { Context } from './context.ts';

/** Refuses combinations that have no result before the command runs. */
export async function openPrinter(context: Context, fieldCheck: FieldCheck): Promise<Printer> {
  const { host, globals, preferences, note } = context;
  const { stdout } = host;
  const { output } = preferences;
  const isText = globals.output !== undefined && !['json', 'ndjson'].includes(globals.output);
  if (globals.jq !== undefined && isText) {
    throw usageError(`--jq gives JSON or plain text, so -o ${globals.output} has no part in it.`, {
      hint: 'Leave -o out; within the expression, `[.[] | [.key, .name]] | .[] | @csv` makes lines of CSV.',
    });
  }
  if (globals.fields?.length === 0) {
    throw usageError('--fields needs the name of a field.', {
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
    width: stdout.isTty ? stdout.columns : 80,
    style: await openStyle(colored),
    now: context.serviceNow,
  };
}

async function startJq(program: string, context: Context): Promise<Jq> {
  const { openJq } = await import('../output/jq.ts');
  const { shutdownSignal, forceSignal } = context.host;
  // A run that was interrupted still prints its summary; then only the second signal stops jq.
  return openJq(program, () =>
    context.gracefulShutdown && shutdownSignal.aborted ? forceSignal : shutdownSignal,
  );
}
