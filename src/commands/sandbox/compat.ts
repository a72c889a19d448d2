// Selects the mode of a sandbox: the specification, or the behavior of the service.
import type { Context } from '../../app/context.ts';
import { choice } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';

const modes = ['novu', 'none'] as const;
export type CompatMode = (typeof modes)[number];

export const compatOption = (
  description: string,
  more: { defaultText: string; variable?: 'SVC_SANDBOX_COMPAT' },
) => choice('--compat <service>', modes, description, more);

/** The mode given with `--compat` or `SVC_SANDBOX_COMPAT`. */
export function givenCompat({ host }: Context, option?: CompatMode): CompatMode | undefined {
  const chosen = option ?? host.env.SVC_SANDBOX_COMPAT;
  const given = modes.find((mode) => mode === chosen);
  if (given || chosen === undefined || chosen === '') return given;
  throw usageError(
    `SVC_SANDBOX_COMPAT: \`${chosen}\` is not a valid value. It must be one of: ${modes.join(', ')}.`,
  );
}

/** Whether the sandbox must behave like the service: as given, else as in the state file, else undefined. */
export function requestedCompat(
  context: Context,
  option: CompatMode | undefined,
  seed: { compat?: 'novu' | undefined } | undefined,
): boolean | undefined {
  const given = givenCompat(context, option);
  if (given !== undefined) return given === 'novu';
  return seed?.compat === 'novu' ? true : undefined;
}
