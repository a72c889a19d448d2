// Confirming a write: where it would happen, the question, and the name of a protected profile.
import { isProtected, type Target } from '../config/settings.ts';
import { usageError } from '../core/errors.ts';
import type { Context } from './context.ts';

/** Where a command writes: environment and profile; without a profile, the origin of the base URL. */
export function placeOf({ baseUrl, keyFrom }: Target): string {
  const origin = new URL(baseUrl.value).origin;
  if (keyFrom.kind !== 'profile') return `at ${origin}`;
  const { environment } = keyFrom.profile;
  return `${environment === undefined ? `at ${origin}` : `in ${environment}`} (profile ${keyFrom.name})`;
}

/**
 * Asks whether to go ahead. A command that writes to the service gives only the action, `Delete topic x`: the
 * place is added here. Ends with usage unless the answer is yes.
 */
export async function confirm(
  { globals, canAsk, prompter, place }: Context,
  action: string,
  { isLocal, warning }: { isLocal: boolean; warning?: string | undefined },
): Promise<void> {
  if (globals.yes || globals.dryRun !== undefined) return;
  const question = `${action}${isLocal ? '' : ` ${place()}`}?${warning === undefined ? '' : ` ${warning}`}`;
  if (!canAsk) {
    throw usageError(`${question} There is no terminal to ask on, so nothing was done.`, {
      hint: 'Confirm with --yes.',
    });
  }
  if (await prompter().confirm(question)) return;
  throw usageError('Nothing was done: not confirmed.');
}

/** A write to a protected profile needs the profile's name, typed or with --confirm; --yes is not enough. */
export async function confirmProtected(line: string, context: Context): Promise<void> {
  const chosen = context.profile();
  if (!chosen || !isProtected(chosen.profile)) return;
  // The current profile is not involved when address and key both come from elsewhere.
  if (chosen.from === 'file' && context.target().keyFrom.kind !== 'profile') return;
  const { globals, canAsk, prompter } = context;
  if (globals.confirm === chosen.value) return;
  const what = `\`${line}\` changes data ${context.place()}, and the profile is protected.`;
  if (globals.confirm === undefined && canAsk) {
    const typed = await prompter().text(`${what} Type ${chosen.value} to continue:`);
    if (typed === chosen.value) return;
  }
  throw usageError(what, {
    hint: `Run the command again with --confirm ${chosen.value}.`,
  });
}
