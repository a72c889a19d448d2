// Finds what a subscriber has chosen. The service returns the preferences that apply, merged from the workflow and the
// subscriber; a state file contains only the choices of the subscriber.
import { isObject } from '../core/objects.ts';
import type { SubscriberState, WorkflowState } from '../sandbox/state/schema.ts';
import {
  type Preferences,
  scheduleBody,
  type WorkflowPreference,
} from '../service/schemas/preferences.ts';
import { allChannels, channelTypes, weekDays } from '../service/schemas/vocabulary.ts';

type OwnPreferences = NonNullable<SubscriberState['preferences']>;
type AnyChannel = (typeof allChannels)[number];
type Switches = { [Name in AnyChannel]?: boolean };

/** The channels that a workflow uses for a subscriber without preferences. Undefined if it ignores preferences. */
export type WorkflowSwitches = Record<AnyChannel, boolean> | undefined;

interface Level {
  all?: { enabled?: boolean; readOnly?: boolean };
  channels?: { [Name in AnyChannel]?: { enabled?: boolean } };
}

export function workflowSwitches({ preferences = {} }: WorkflowState): WorkflowSwitches {
  const settings = (preferences.user ?? undefined) as Level | undefined;
  const defaults = (preferences.default ?? {}) as Level;
  if ((settings?.all?.readOnly ?? defaults.all?.readOnly) === true) return undefined;
  const enabled = settings?.all?.enabled ?? defaults.all?.enabled ?? true;
  const defaultSetting = (channel: AnyChannel) =>
    settings?.all?.enabled === false ? false : (defaults.channels?.[channel]?.enabled ?? enabled);
  return Object.fromEntries(
    allChannels.map((channel) => [
      channel,
      settings?.channels?.[channel]?.enabled ?? defaultSetting(channel),
    ]),
  ) as Record<AnyChannel, boolean>;
}

/** Undefined if the subscriber has chosen nothing for these channels. A state file has those of version 3.11. */
export function ownPreferences(
  { global, workflows }: Preferences,
  switchesOf: (workflowId: string) => WorkflowSwitches,
  listed: readonly AnyChannel[] = channelTypes,
): OwnPreferences | undefined {
  const disabled = disabledGlobally(global, listed);
  const schedule = toSchedule(global.schedule);
  const perWorkflow = workflows.flatMap(({ channels, workflow }) => {
    const switches = switchesOf(workflow.identifier);
    const own = switches && differences(channels, { ...switches, ...disabled }, listed);
    return own ? [[workflow.identifier, { channels: own }] as const] : [];
  });
  const hasGlobal = Object.keys(disabled).length > 0 || schedule !== undefined;
  if (!hasGlobal && perWorkflow.length === 0) return undefined;
  return {
    ...(hasGlobal
      ? {
          global: {
            ...(Object.keys(disabled).length > 0 ? { channels: disabled } : {}),
            ...(schedule ? { schedule } : {}),
          },
        }
      : {}),
    ...(perWorkflow.length > 0 ? { workflows: Object.fromEntries(perWorkflow) } : {}),
  };
}

/** A choice of null has the effect of false. */
const toSwitch = (choice: unknown) => (choice === null ? false : choice);

/** The channels that the subscriber has turned off for all workflows. */
function disabledGlobally(
  { channels }: Preferences['global'],
  listed: readonly AnyChannel[],
): Switches {
  const disabled: Switches = {};
  for (const channel of listed)
    if (toSwitch(channels?.[channel]) === false) disabled[channel] = false;
  return disabled;
}

/** The channels that differ from what a subscriber without a choice has; undefined if none does. */
function differences(
  channels: { [Name in AnyChannel]?: boolean | null | undefined },
  expected: Record<AnyChannel, boolean>,
  listed: readonly AnyChannel[],
): Switches | undefined {
  const own: Switches = {};
  for (const channel of listed) {
    const value = toSwitch(channels?.[channel]);
    if (typeof value === 'boolean' && value !== expected[channel]) own[channel] = value;
  }
  return Object.keys(own).length > 0 ? own : undefined;
}

/** Without members that a schedule in a request cannot have. Undefined if the rest is not valid. */
function toSchedule(schedule: unknown): NonNullable<OwnPreferences['global']>['schedule'] {
  if (!isObject(schedule)) return undefined;
  const { isEnabled, weeklySchedule } = schedule;
  const days = isObject(weeklySchedule)
    ? weekDays.flatMap((day) => {
        const hours = weeklySchedule[day];
        return isObject(hours) ? [[day, toDay(hours)] as const] : [];
      })
    : undefined;
  const { data } = scheduleBody.safeParse({
    isEnabled,
    ...(days ? { weeklySchedule: Object.fromEntries(days) } : {}),
  });
  return data;
}

const toDay = ({ isEnabled, hours }: Record<string, unknown>) => ({
  isEnabled,
  ...(Array.isArray(hours)
    ? { hours: hours.filter(isObject).map(({ start, end }) => ({ start, end })) }
    : {}),
});

// Which choices of a person for one workflow are written for another one.

interface CopiedWorkflow {
  id: string;
  switches: NonNullable<WorkflowSwitches>;
}

/** Why nothing is written for a person. */
export type NotCopied = 'no choice' | 'already the same' | 'another choice';

type CopiedChoices = { channels: { [Name in AnyChannel]?: boolean } } | { notCopied: NotCopied };

/** A choice is written only where the person has not chosen anything in the target, unless `overwrite` is set. */
export function copiedChoices(
  preferences: Preferences,
  from: CopiedWorkflow,
  to: CopiedWorkflow,
  overwrite: boolean,
): CopiedChoices {
  const source = readWorkflow(preferences, from);
  const target = readWorkflow(preferences, to);
  const chosen = allChannels.filter(
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
  const channels: { [Name in AnyChannel]?: boolean | null | undefined } = entry?.channels ?? {};
  const disabled = disabledGlobally(global, allChannels);
  const differing = differences(channels, { ...switches, ...disabled }, allChannels) ?? {};
  const hasSources = namesSources(workflows);
  return {
    channels,
    isChosen: (channel: AnyChannel) =>
      differing[channel] !== undefined ||
      (hasSources && disabled[channel] === undefined && isBySubscriber(entry, channel)),
    /** Then there is a choice for one of the channels, which may equal the default. */
    hasStoredChoice: !hasSources && entry?.updatedAt !== undefined,
  };
}

const isBySubscriber = (entry: WorkflowPreference | undefined, name: AnyChannel): boolean =>
  (entry?.overrides ?? []).some(
    ({ channel, source }) => channel === name && source === 'subscriber',
  );

/** Whether the sources distinguish choices from defaults. Many servers name the subscriber for every channel. */
const namesSources = (workflows: Preferences['workflows']): boolean =>
  workflows.some((entry) =>
    allChannels.some(
      (channel) => typeof entry.channels[channel] === 'boolean' && !isBySubscriber(entry, channel),
    ),
  );
