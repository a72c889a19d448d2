// Confirms a write: describes where it happens, asks, and checks the name of a protected profile.
import { isProtected, type Target } from '../config/target.ts';
import { usageError } from '../core/errors.ts';
import type { Context } from './context.ts';

/** Describes where a command writes: environment and profile, or the origin of the base URL without a profile. */
export function describeTarget({ baseUrl, keyFrom }: Target): string {
  const origin = new URL(baseUrl.value).origin;
  if (keyFrom.kind !== 'profile') return `at ${origin}`;
  const { environment } = keyFrom.profile;
  return `${environment === undefined ? `at ${origin}` : `in ${environment}`} (profile ${keyFrom.name})`;
}

/**
 * Asks for confirmation of an action such as `Delete topic x`. For a write to the service, the question also names the
 * environment. Throws a usage error unless the answer is yes.
 */
export async function confirm(
  { globals, prompt, connection }: Context,
  action: string,
  { isLocal, warning }: { isLocal: boolean; warning?: string | undefined },
): Promise<void> {
  if (globals.yes || globals.dryRun !== undefined) return;
  const question = `${action}${isLocal ? '' : ` ${connection.place()}`}?${warning === undefined ? '' : ` ${warning}`}`;
  if (!prompt.isPossible) {
    throw usageError(`${question} Cannot ask without a terminal, so nothing was done.`, {
      hint: 'Confirm with --yes.',
    });
  }
  if (await prompt.confirm(question)) return;
  throw usageError('Not confirmed: nothing was done.');
}

/** Requires the user to confirm the name of a protected profile, at the prompt or with --confirm. Ignores --yes. */
export async function confirmProtected(commandLine: string, context: Context): Promise<void> {
  const active = context.profile();
  if (!active || !isProtected(active.profile)) return;
  // The current profile is not used if both address and key come from options or variables.
  if (active.from === 'file' && context.connection.target().keyFrom.kind !== 'profile') return;
  const { globals, prompt } = context;
  if (globals.confirm === active.value) return;
  const message = `\`${commandLine}\` changes data ${context.connection.place()}, and the profile is protected.`;
  if (globals.confirm === undefined && prompt.isPossible) {
    const entered = await prompt.text(`${message} Type ${active.value} to continue:`);
    if (entered === active.value) return;
  }
  throw usageError(message, {
    hint: `Run the command again with --confirm ${active.value}.`,
  });
}
