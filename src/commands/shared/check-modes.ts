// Refuses to move or compare `skip` conditions between servers that evaluate them differently.
import { usageError } from '../../core/errors.ts';
import { firstLine } from '../../workflow-files/format.ts';
import { hasSkip, type Mode, type Resource } from '../../workflow-files/normal-form.ts';

/** A resource and the mode of the server that it comes from. */
interface FromServer {
  mode: Mode;
  resource: Resource;
}

const meanings: Record<Mode, string> = {
  novu: 'runs a step if its skip condition is true',
  specification: 'skips a step if its skip condition is true',
};

/** Throws if a `skip` condition would get the opposite meaning: the modes evaluate it differently. */
export function checkModes(files: readonly FromServer[], mode: Mode, place: string): void {
  const other = files.filter(
    ({ mode: own, resource }) =>
      own !== mode && resource.kind === 'workflow' && hasSkip(resource.value),
  );
  if (other.length === 0) return;
  const names = other.map(({ resource }) => resource.id).join(', ');
  const own = mode === 'novu' ? 'specification' : 'novu';
  throw usageError(
    `The skip conditions of these workflows have the opposite meaning ${place}: ${names}.`,
    {
      hint: `They come from a server in the mode \`${own}\`, which ${meanings[own]}; this server has the mode \`${mode}\`, which ${meanings[mode]}. The first line of a file names its mode: \`${firstLine('workflow', own)}\` or, for this server, \`${firstLine('workflow', mode)}\`. A sandbox has the mode \`novu\` if it is started with --compat novu.`,
    },
  );
}
