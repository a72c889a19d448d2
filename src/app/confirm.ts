// Confirms a write: describes where it happens, asks, and checks the name of a protected profile.
import { isProtected, type Target } from '../config/settings.ts';
import { usageError } from '../core/errors.ts';
import type { Context } from './context.ts';

/** Where a command writes: environment and profile, or the origin of the base URL if no profile is used. */
export function placeOf({ baseUrl, keyFrom }: Target): string {
  const origin = new URL(baseUrl.value).origin;
  if (keyFrom.kind !== 'profile') return `at ${origin}`;
  const { environment } = keyFrom.profile;
  return `${environment === undefined ? `at ${origin}` : `in ${environment}`} (profile ${keyFrom.name})`;
}

/**
 * Asks for confirmation of an action such as `Delete topic x`. For a write to the service, the question also names
 * the environment. Throws a usage error unless the answer is yes.
 */
export async function confirm(
  { globals, canAsk, prompter, place }: Context,
  action: string,
  { isLocal, warning }: { isLocal: boolean; warning?: string | undefined },
): Promise<void> {
  if (globals.yes || globals.dryRun !== undefined) return;
  const question = `${action}${isLocal ? '' : ` ${place()}`}?${warning === undefined ? '' : ` ${warning}`}`;
  if (!canAsk) {
    throw usageError(`${question} Cannot ask without a terminal, so nothing was done.`, {
      hint: 'Confirm with --yes.',
    });
  }
  if (await prompter().confirm(question)) return;
  throw usageError('Not confirmed: nothing was done.');
}

/** Requires the name of a protected profile, from the prompt or --confirm. --yes is not enough. */
export async function confirmProtected(line: string, context: Context): Promise<void> {
  const chosen = context.profile();
  if (!chosen || !isProtected(chosen.profile)) return;
  // The current profile is not used if both address and key come from options or variables.
  if (chosen.from === 'file' && context.target().keyFrom.kind !== 'profile') return;
  const { globals, canAsk, prompter } = context;
  if (globals.confirm === chosen.value) return;
  const message = `\`${line}\` changes data ${context.place()}, and the profile is protected.`;
  if (globals.confirm === undefined && canAsk) {
    const entered = await prompter().text(`${message} Type ${chosen.value} to continue:`);
    if (entered === chosen.value) return;
  }
  throw usageError(message, {
    hint: `Run the command again with --confirm ${chosen.value}.`,
  });
}
