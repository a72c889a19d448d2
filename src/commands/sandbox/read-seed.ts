// Reads the initial data of a sandbox: a state file, a workflow file or a folder of workflow files.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { flag } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import type { Seed } from '../../environment/sandbox-state.ts';
import { readTextFile } from '../../input/values.ts';
import type { Mode } from '../../service/mode.ts';

export const strictOption = flag(
  '--strict',
  'Fail if a step of a workflow has an error, such as a broken template; by default, this is a warning',
);

/** `source` names the option or argument in errors. */
export async function readSeed(context: Context, file: string, source: string): Promise<Seed> {
  const { cwd } = context.host;
  const { readWorkflowFile, readWorkflowFolder } = await import(
    '../../environment/sandbox-state.ts'
  );
  if (statSync(path.resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory())
    return readWorkflowFolder(file, cwd);
  const text = readTextFile(file, source, context.host);
  return readWorkflowFile(file, text, cwd) ?? readStateSeed(context, text, file);
}

/** `name` names the text in errors. */
export async function readStateSeed(context: Context, text: string, name: string): Promise<Seed> {
  const { readState } = await context.sandbox();
  const state = readState(text, name);
  return { state, fileOf: () => name, markOf: (mode) => `compat: ${mode}` };
}

/**
 * Warns of errors in the steps of workflows: the sandbox loads such workflows, as the service does. With `strict`,
 * throws a usage error instead.
 */
export async function reportStepErrors(
  context: Context,
  { state, fileOf }: Seed,
  { strict = false }: { strict?: boolean },
): Promise<void> {
  const { stepErrors } = await context.sandbox();
  const errors = stepErrors(state, fileOf);
  if (strict && errors.length > 0)
    throw usageError('The seed has workflows with errors. Fix these steps:', {
      fieldErrors: errors.map((message) => ({ field: '', message })),
      hint: 'Without --strict, these errors are warnings.',
    });
  for (const error of errors) context.warn(error);
}

/** Warns of `skip` conditions without a mark of their mode. */
export async function reportUnmarkedConditions(
  context: Context,
  { state, markOf }: Seed,
  name: string,
  mode: Mode,
): Promise<void> {
  const { unmarkedSkipWarning } = await context.sandbox();
  const warning = unmarkedSkipWarning(state, { name, mode, markOf });
  if (warning !== undefined) context.warn(warning);
}
