// Which choices of a person for one workflow are written for another one.
import type { Preferences } from '../service/schemas/preferences.ts';
import { type Channel, channelTypes } from '../service/schemas/vocabulary.ts';
import { differences, disabledGlobally, type WorkflowSwitches } from './own-preferences.ts';

interface CopiedWorkflow {
  id: string;
  switches: NonNullable<WorkflowSwitches>;
}

/** Why nothing is written for a person. */
export type NotCopied = 'no choice' | 'already the same' | 'another choice';

export type CopiedChoices =
  | { channels: { [Name in Channel]?: boolean } }
  | { notCopied: NotCopied };

/** A choice is written only where the target still has its default, unless `overwrite` is set. */
export function copiedChoices(
  { global, workflows }: Preferences,
  from: CopiedWorkflow,
  to: CopiedWorkflow,
  overwrite: boolean,
): CopiedChoices {
  const disabled = disabledGlobally(global);
  const findChannels = ({ id }: CopiedWorkflow) =>
    workflows.find(({ workflow }) => workflow.identifier === id)?.channels ?? {};
  const choices = differences(findChannels(from), { ...from.switches, ...disabled });
  if (!choices) return { notCopied: 'no choice' };
  const current = findChannels(to);
  const defaults = { ...to.switches, ...disabled };
  const isDifferent = (channel: Channel) =>
    // A channel that the target does not use has no value.
    typeof current[channel] === 'boolean' &&
    choices[channel] !== undefined &&
    current[channel] !== choices[channel];
  const different = channelTypes.filter(isDifferent);
  const written = different.filter(
    (channel) => overwrite || current[channel] === defaults[channel],
  );
  if (written.length > 0)
    return { channels: Object.fromEntries(written.map((channel) => [channel, choices[channel]])) };
  return { notCopied: different.length > 0 ? 'another choice' : 'already the same' };
}
