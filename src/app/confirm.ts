// Confirms a write: describes where it happens, and asks.
import type { Profile } from '../config/store.ts';
import type { Target } from '../config/target.ts';
import { confirmationRequired, notConfirmed } from '../core/errors.ts';
import type { Context } from './context.ts';

/** Describes where a command writes: environment and profile, or the origin of the base URL without a profile. */
export function describeTarget({ baseUrl, keyFrom }: Target): string {
  if (keyFrom.type !== 'profile') return `at ${new URL(baseUrl.value).origin}`;
  return describeProfile(keyFrom.name, { ...keyFrom.profile, baseUrl: baseUrl.value });
}

/** `in Production (profile live)`. */
export const describeProfile = (name: string, { environment, baseUrl }: Profile) =>
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
  throw notConfirmed();
}
