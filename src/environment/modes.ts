// Refuses to move or compare `skip` conditions between servers that evaluate them differently.
import { usageError } from '../core/errors.ts';
import { type Mode, modes } from '../service/mode.ts';
import { firstLine } from './definition-text.ts';
import { type Definition, usesSkip } from './normal-form.ts';

/** A resource and the mode of the server that it comes from: undefined for a file without a mark. */
interface FromServer {
  mode: Mode | undefined;
  resource: Definition;
}

const effects: Record<Mode, string> = { novu: 'runs', specification: 'skips' };

const hasCondition = ({ resource }: FromServer) =>
  resource.kind === 'workflow' && usesSkip(resource.value);

/** Why no server takes a file, or not together with the others. */
export function findModeMistake(
  file: FromServer,
  others: readonly FromServer[],
): string | undefined {
  const { mode } = file;
  if (!hasCondition(file)) return undefined;
  if (mode === undefined)
    return `a step has a skip condition, so the first line must name the mode: ${modes
      .map(
        (own) => `\`${firstLine('workflow', own)}\` if a true condition ${effects[own]} the step`,
      )
      .join(', ')}`;
  const first = others.find((other) => other.mode !== undefined && hasCondition(other));
  return first === undefined || first.mode === mode
    ? undefined
    : `its skip conditions have the mode \`${mode}\` and those of ${first.resource.id} the mode \`${first.mode}\`, but a server has only one`;
}

/** Throws if a `skip` condition would get the opposite meaning, or if a file does not say which one it has. */
export function checkModes(files: readonly FromServer[], mode: Mode, place: string): void {
  const other = files.filter((file) => file.mode !== mode && hasCondition(file));
  const unmarked = other.filter(({ mode: own }) => own === undefined);
  if (unmarked.length > 0)
    throw usageError(
      `The files of these workflows have skip conditions and do not name their mode: ${joinIds(unmarked)}. Replace their first line by the one that fits:`,
      {
        fieldErrors: modes.map((mode) => ({
          field: firstLine('workflow', mode),
          message: `a true condition ${effects[mode]} the step`,
        })),
        hint: `This server has the mode \`${mode}\`. Earlier versions of svc wrote no mode into files from a sandbox that followed the specification.`,
      },
    );
  if (other.length === 0) return;
  const own = mode === 'novu' ? 'specification' : 'novu';
  throw usageError(
    `The skip conditions of these workflows have the opposite meaning ${place}: ${joinIds(other)}.`,
    {
      hint: `They come from a server in the mode \`${own}\`, where a true condition ${effects[own]} the step. This server has the mode \`${mode}\`, where a true condition ${effects[mode]} the step. The first line of a file names its mode: \`${firstLine('workflow', own)}\` or, for this server, \`${firstLine('workflow', mode)}\`.`,
    },
  );
}

const joinIds = (files: readonly FromServer[]) =>
  files.map(({ resource }) => resource.id).join(', ');
