// The mode of a sandbox: the service as it runs, or its specification where the two differ.
import type { Context } from '../../app/context.ts';
import { choice } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { type Mode, modes } from '../../service/mode.ts';

export const compatOption = (
  summary: string,
  more: { defaultText: string; variable?: 'SVC_SANDBOX_COMPAT' },
) => choice('--compat <mode>', modes, summary, more);

/** The mode given with `--compat` or `SVC_SANDBOX_COMPAT`. */
export function givenMode({ host }: Context, option?: Mode): Mode | undefined {
  const { SVC_SANDBOX_COMPAT: variable } = host.env;
  const given = option ?? modes.find((mode) => mode === variable);
  if (given || variable === undefined || variable === '') return given;
  throw usageError(
    `SVC_SANDBOX_COMPAT: \`${variable}\` is not a valid value. It must be one of: ${modes.join(', ')}.`,
  );
}

/** The given mode, or the mode of the state file, or undefined. */
export const requestedMode = (
  context: Context,
  option: Mode | undefined,
  seed: { compat?: Mode | undefined } | undefined,
): Mode | undefined => givenMode(context, option) ?? seed?.compat;
