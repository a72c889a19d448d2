// Selects the mode of a new sandbox: the specification, or the behavior of the service.
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import type { StartOptions } from './start-options.ts';

/** Returns whether `--compat`, `SVC_SANDBOX_COMPAT` or else the state file selects the behavior of the service. */
export function usesCompat(
  { host, note }: Context,
  { compat, seed: file }: StartOptions,
  seed: { compat?: 'novu' | undefined } | undefined,
): boolean {
  const chosen = compat ?? host.env.SVC_SANDBOX_COMPAT;
  if (chosen !== undefined && chosen !== '') {
    if (chosen === 'novu') return true;
    throw usageError(`SVC_SANDBOX_COMPAT: \`${chosen}\` is not a valid value. It must be novu.`);
  }
  if (seed?.compat === undefined) return false;
  note(
    `${file} is a state of ${seed.compat}, so the sandbox behaves like it (--compat ${seed.compat}).`,
  );
  return true;
}
