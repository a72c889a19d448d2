// Confirms a write: describes where it happens, asks, and checks the name of a protected profile.
import type { Profile } from '../config/store.ts';
import { type ChosenProfile, isProtected, type Target } from '../config/target.ts';
import { confirmationRequired, usageError } from '../core/errors.ts';
import type { Context } from './context.ts';

/** Describes where a command writes: environment and profile, or the origin of the base URL without a profile. */
export function describeTarget({ baseUrl, keyFrom }: Target): string {
  if (keyFrom.kind !== 'profile') return `at ${new URL(baseUrl.value).origin}`;
  return describeProfile(keyFrom.name, { ...keyFrom.profile, baseUrl: baseUrl.value });
}

const describeProfile = (name: string, { environment, baseUrl }: Profile) =>
  `${environment === undefined ? `at ${new URL(baseUrl).origin}` : `in ${environment}`} (profile ${name})`;

interface ConfirmOptions {
  isLocal: boolean;
  warning?: string | undefined;
  /** Where the write happens, if not in the active environment. */
  place?: string | undefined;
}

/**
 * Asks for confirmation of an action such as `Delete topic x`. For a write to the service, the question also names the
 * environment. Throws a usage error unless the answer is yes.
 */
export async function confirm(
  { globals, prompt, connection }: Context,
  action: string,
  { isLocal, warning, place }: ConfirmOptions,
): Promise<void> {
  if (globals.yes || globals.dryRun !== undefined) return;
  const where = isLocal ? '' : ` ${place ?? connection.place()}`;
  if (!prompt.isPossible) throw confirmationRequired(`${action}${where}`, warning);
  if (await prompt.confirm(`${action}${where}?${warning === undefined ? '' : ` ${warning}`}`))
    return;
  throw usageError('Not confirmed: nothing was done.');
}

/**
 * Requires the user to confirm the name of a protected profile, at the prompt or with --confirm. Ignores --yes.
 * `other` is the profile that the command writes to, if not the active one.
 */
export async function confirmProtected(
  commandLine: string,
  context: Context,
  other?: ChosenProfile,
): Promise<void> {
  const active = other ?? context.profile();
  if (!active || !isProtected(active.profile)) return;
  // The current profile is not used if both address and key come from options or variables.
  if (active.from === 'file' && context.connection.target().keyFrom.kind !== 'profile') return;
  const { globals, prompt } = context;
  if (globals.confirm === active.value) return;
  const place = other ? describeProfile(other.value, other.profile) : context.connection.place();
  const message = `\`${commandLine}\` changes data ${place}, and the profile is protected.`;
  if (globals.confirm === undefined && prompt.isPossible) {
    const entered = await prompt.text(`${message} Type ${active.value} to continue:`);
    if (entered === active.value) return;
  }
  const wrongName =
    globals.confirm === undefined
      ? ''
      : `\`${globals.confirm}\` is not the name of the profile (${active.value}). `;
  throw usageError(message, {
    hint: `${wrongName}Run the command again with --confirm ${active.value}.`,
  });
}
