// Which choices of a person for one workflow are written for another one.
import type { Preferences, WorkflowPreference } from '../service/schemas/preferences.ts';
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

/** A choice is written only where the person has not chosen anything in the target, unless `overwrite` is set. */
export function copiedChoices(
  preferences: Preferences,
  from: CopiedWorkflow,
  to: CopiedWorkflow,
  overwrite: boolean,
): CopiedChoices {
  const source = readWorkflow(preferences, from);
  const target = readWorkflow(preferences, to);
  const chosen = channelTypes.filter(
    (channel) => typeof source.channels[channel] === 'boolean' && source.isChosen(channel),
  );
  if (chosen.length === 0) return { notCopied: 'no choice' };
  const different = chosen.filter(
    (channel) =>
      // A channel that the target does not use has no value.
      typeof target.channels[channel] === 'boolean' &&
      target.channels[channel] !== source.channels[channel],
  );
  const written = different.filter(
    (channel) => overwrite || !(target.hasStoredChoice || target.isChosen(channel)),
  );
  if (written.length > 0)
    return {
      channels: Object.fromEntries(written.map((channel) => [channel, source.channels[channel]])),
    };
  return { notCopied: different.length > 0 ? 'another choice' : 'already the same' };
}

function readWorkflow({ global, workflows }: Preferences, { id, switches }: CopiedWorkflow) {
  const entry = workflows.find(({ workflow }) => workflow.identifier === id);
  const channels: { [Name in Channel]?: boolean | undefined } = entry?.channels ?? {};
  const disabled = disabledGlobally(global);
  const differing = differences(channels, { ...switches, ...disabled }) ?? {};
  const hasSources = namesSources(workflows);
  return {
    channels,
    isChosen: (channel: Channel) =>
      differing[channel] !== undefined ||
      (hasSources && disabled[channel] === undefined && isBySubscriber(entry, channel)),
    /** Then there is a choice for one of the channels, which may equal the default. */
    hasStoredChoice: !hasSources && entry?.updatedAt !== undefined,
  };
}

const isBySubscriber = (entry: WorkflowPreference | undefined, name: Channel): boolean =>
  (entry?.overrides ?? []).some(
    ({ channel, source }) => channel === name && source === 'subscriber',
  );

/** Whether the sources distinguish choices from defaults. Many servers name the subscriber for every channel. */
const namesSources = (workflows: Preferences['workflows']): boolean =>
  workflows.some((entry) =>
    channelTypes.some(
      (channel) => typeof entry.channels[channel] === 'boolean' && !isBySubscriber(entry, channel),
    ),
  );
