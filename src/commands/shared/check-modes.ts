// Refuses to move or compare `skip` conditions between servers that evaluate them differently.
import { usageError } from '../../core/errors.ts';
import { hasSkip, type Mode, type Resource } from '../../workflow-files/normal-form.ts';

/** A resource and the mode of the server that it comes from. */
interface FromServer {
  mode: Mode;
  resource: Resource;
}

/** Throws if a `skip` condition would get the opposite meaning: the modes evaluate it differently. */
export function checkModes(files: readonly FromServer[], mode: Mode, place: string): void {
  const other = files.filter(
    ({ mode: own, resource }) =>
      own !== mode && resource.kind === 'workflow' && hasSkip(resource.value),
  );
  if (other.length === 0) return;
  const names = other.map(({ resource }) => resource.id).join(', ');
  const meaning = (one: Mode) =>
    one === 'novu' ? 'runs a step if its skip condition is true' : 'skips a step if it is true';
  throw usageError(
    `The skip conditions of these workflows have the opposite meaning ${place}: ${names}.`,
    {
      hint: `They come from a server that ${meaning(mode === 'novu' ? 'specification' : 'novu')}; this server ${meaning(mode)}. A sandbox behaves like Novu if it is started with --compat novu.`,
    },
  );
}
