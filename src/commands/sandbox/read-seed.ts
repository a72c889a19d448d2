// Reads the initial data of a sandbox: a state file, a workflow file or a folder of workflow files.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { readTextFile } from '../../input/values.ts';
import type { Seed } from '../../workflow-files/sandbox-state.ts';

/** `source` names the option or argument in errors. */
export async function readSeed(context: Context, file: string, source: string): Promise<Seed> {
  const { cwd } = context.host;
  const { readWorkflowFile, readWorkflowFolder } = await import(
    '../../workflow-files/sandbox-state.ts'
  );
  if (statSync(path.resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory())
    return readWorkflowFolder(file, cwd);
  const text = readTextFile(file, source, context.host);
  const workflow = readWorkflowFile(file, text, cwd);
  if (workflow) return workflow;
  const { readState } = await context.sandbox();
  return { state: readState(text, file), fileOf: () => file };
}

/** Warns of errors in the steps of workflows. The sandbox loads such workflows, as the service does. */
export async function warnOfStepErrors(context: Context, { state, fileOf }: Seed): Promise<void> {
  const { stepErrors } = await context.sandbox();
  for (const error of stepErrors(state, fileOf)) context.note(`Warning: ${error}`);
}
