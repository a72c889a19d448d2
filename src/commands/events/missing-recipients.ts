// The recipients of a file that do not exist: the service would create them, also people who were erased.
import type { Context } from '../../app/context.ts';
import type { BulkCommand, OpenedPlan } from '../../bulk/command/bulk-command.ts';
import type { Plan } from '../../bulk/engine/plan.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { counted, grouped, listText } from '../../core/text.ts';

interface Given {
  existingOnly?: boolean;
  validateOnly?: boolean;
}

const maxNamed = 5;

/** Counts them and, with --existing-only, rejects their rows. */
export function openRecipientCheck(context: Context, { existingOnly, validateOnly }: Given) {
  let missing: ReadonlySet<string> = new Set();

  const read = async (ids: ReadonlySet<string>) => {
    const { findMissingSubscribers } = await import('../shared/missing-subscribers.ts');
    return findMissingSubscribers(context, ids).catch((error: unknown) => {
      // The run does not depend on it, and reports the error if its own requests fail, too.
      if (!(error instanceof SvcError) || existingOnly || context.host.shutdownSignal.aborted)
        throw error;
      context.note(`It was not checked whether the recipients exist: ${error.message}`);
      return [];
    });
  };

  const checkRecipients: BulkCommand['checkRecipients'] = async (listIds, isResumed) => {
    // Without --yes and a terminal, the question is refused, so that no request is needed.
    const isRefused = !validateOnly && !context.globals.yes && !context.prompt.isPossible;
    if (!existingOnly && (isResumed || isRefused)) return;
    if (validateOnly && !hasService(context)) return;
    if (!listIds) {
      if (existingOnly)
        throw usageError('--existing-only needs an input that can be read twice.', {
          hint: 'Use a file, or add --spool.',
        });
      context.note(
        'The input cannot be read twice, so it is not checked whether recipients exist.',
      );
      return;
    }
    const ids = await listIds();
    missing = new Set(await read(ids));
    if (missing.size > 0) context.note(missingText(missing, ids.size, existingOnly === true));
  };

  return {
    checkRecipients,
    withCheck: (plan: Plan): OpenedPlan => ({
      ...plan,
      toItem(record, row, body) {
        const unknown = existingOnly
          ? plan.recipientsOf?.(record).find((id) => missing.has(id))
          : undefined;
        return unknown === undefined
          ? plan.toItem(record, row, body)
          : { error: `subscriberId: \`${unknown}\` does not exist` };
      },
      summary: () => (missing.size === 0 ? {} : { missingSubscribers: missing.size }),
    }),
  };
}

function hasService({ connection }: Context): boolean {
  try {
    connection.target();
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'auth') return false;
    throw error;
  }
}

function missingText(missing: ReadonlySet<string>, all: number, isRejected: boolean): string {
  const named = [...missing].slice(0, maxNamed);
  const others = missing.size - named.length;
  const names = listText(others > 0 ? [...named, `${grouped(others)} others`] : named);
  const verb = missing.size === 1 ? 'does' : 'do';
  const effect = isRejected
    ? 'Their rows are rejected.'
    : 'The service creates them when it gets their events. To reject their rows, use --existing-only.';
  return `Warning: ${grouped(missing.size)} of ${counted(all, 'recipient')} ${verb} not exist: ${names}. ${effect}`;
}
