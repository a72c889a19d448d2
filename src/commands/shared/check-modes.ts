// Refuses to move or compare `skip` conditions between servers that evaluate them differently.
import { usageError } from '../../core/errors.ts';
import { type Mode, modes } from '../../service/mode.ts';
import { firstLine } from '../../workflow-files/format.ts';
import { hasSkip, type Resource } from '../../workflow-files/normal-form.ts';

/** A resource and the mode of the server that it comes from: undefined for a file without a mark. */
interface FromServer {
  mode: Mode | undefined;
  resource: Resource;
}

const meanings: Record<Mode, string> = {
  novu: 'runs a step if its skip condition is true',
  specification: 'skips a step if its skip condition is true',
};

/** Throws if a `skip` condition would get the opposite meaning, or if a file does not say which one it has. */
export function checkModes(files: readonly FromServer[], mode: Mode, place: string): void {
  const other = files.filter(
    ({ mode: own, resource }) =>
      own !== mode && resource.kind === 'workflow' && hasSkip(resource.value),
  );
  const unmarked = other.filter(({ mode: own }) => own === undefined);
  const lines = modes.map(
    (one) => `\`${firstLine('workflow', one)}\`: the server ${meanings[one]}.`,
  );
  if (unmarked.length > 0)
    throw usageError(
      `The files of these workflows have skip conditions and do not name their mode: ${namesOf(unmarked)}.`,
      {
        hint: `Replace their first line by the one that fits:\n${lines.join('\n')}\nThis server has the mode \`${mode}\`.`,
      },
    );
  if (other.length === 0) return;
  const own = mode === 'novu' ? 'specification' : 'novu';
  throw usageError(
    `The skip conditions of these workflows have the opposite meaning ${place}: ${namesOf(other)}.`,
    {
      hint: `They come from a server in the mode \`${own}\`, which ${meanings[own]}; this server has the mode \`${mode}\`, which ${meanings[mode]}. The first line of a file names its mode: \`${firstLine('workflow', own)}\` or, for this server, \`${firstLine('workflow', mode)}\`.`,
    },
  );
}

const namesOf = (files: readonly FromServer[]) =>
  files.map(({ resource }) => resource.id).join(', ');
