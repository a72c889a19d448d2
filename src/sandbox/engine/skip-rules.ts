// The rules that skip a step: the preferences of the subscriber, and their details.

import { detailTexts, filteredByPreferences } from '../../service/job-outcomes.ts';
import type { Channel, OverrideSource } from '../../service/schemas/vocabulary.ts';
import type { Dialect } from '../store/dialect.ts';
import { type ChannelSwitch, type ChannelSwitches, channelsOf } from '../store/preferences.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { recordDetail, type Step, type SubscriberPreferences } from './run.ts';
import type { SkipReason } from './step.ts';

/** Records why a message is skipped. The service records each reason. */
export function recordSkips(step: Step, reasons: readonly SkipReason[]): void {
  const { scope, run, job } = step;
  const { global, workflow } = run.preferences();
  for (const reason of reasons)
    switch (reason) {
      case 'schedule': {
        const { timezone } = run.subscriber.profile;
        const raw = { schedule: global?.schedule, timezone };
        recordDetail(scope, job, 'Success', detailTexts.outsideSchedule, raw);
        break;
      }
      case 'rule':
        recordDetail(scope, job, 'Failed', detailTexts.skippedByRule, { skip: true });
        break;
      case 'filters':
        recordDetail(scope, job, 'Failed', detailTexts.skippedByCondition);
        break;
      case 'preferences': {
        const choices = [run.workflow, global?.channels, workflow?.channels] as const;
        const level = decidedBy(run.workflow, run.preferences());
        const { enabled, channels, overrides } = mergePreferences(scope.dialect, ...choices);
        const raw = { enabled, channels, overrides };
        recordDetail(scope, job, 'Success', filteredByPreferences(level), raw);
      }
    }
}

/** Whether the preferences turn the channel of a step off. */
export function isChannelOff({ scope, run, job: { type } }: Step): boolean {
  const { global, workflow } = run.preferences();
  const choices = [run.workflow, global?.channels, workflow?.channels] as const;
  const { channels } = mergePreferences(scope.dialect, ...choices);
  const isOn = channels[type as Channel];
  return isOn === false || isOn === null;
}

// Merges the preference levels of a subscriber into one switch per channel; later levels win.

interface MergedPreference {
  enabled: boolean;
  channels: Record<Channel, ChannelSwitch>;
  /** Channels whose switch comes from a level above the workflow's defaults. */
  overrides: { channel: Channel; source: OverrideSource }[];
}

type Preferences = StoredWorkflow['preferences'];

/** Critical workflows ignore the preferences of subscribers. */
export const isCritical = ({ preferences }: { preferences: Preferences }): boolean =>
  (preferences.user?.all?.readOnly ?? preferences.default?.all?.readOnly) === true;

export const globalSwitches = (
  dialect: Dialect,
  globalChoice: ChannelSwitches | undefined,
): Record<Channel, ChannelSwitch> =>
  switchesByChannel(dialect, (channel) => firstChoice(globalChoice?.[channel], true));

/** A choice of null counts as one. */
const firstChoice = <T>(...choices: [...(ChannelSwitch | undefined)[], T]) =>
  choices.find((choice) => choice !== undefined) as ChannelSwitch | T;

/**
 * Levels from lowest to highest: workflow defaults, workflow settings, the subscriber's global
 * preference, the subscriber's preference for this workflow.
 */
export function mergePreferences(
  dialect: Dialect,
  workflow: StoredWorkflow,
  globalChoice: ChannelSwitches | undefined,
  workflowChoice: ChannelSwitches | undefined,
): MergedPreference {
  const { default: defaults, user: settings } = workflow.preferences;
  const enabled = settings?.all?.enabled ?? defaults?.all?.enabled ?? true;
  const ignoresSubscriber = isCritical(workflow);
  const subscriberSwitch = (channel: Channel) =>
    ignoresSubscriber ? undefined : firstChoice(workflowChoice?.[channel], globalChoice?.[channel]);
  const settingsSwitch = (channel: Channel) => settings?.channels?.[channel]?.enabled;
  const defaultSwitch = (channel: Channel) =>
    settings?.all?.enabled === false ? false : (defaults?.channels?.[channel]?.enabled ?? enabled);
  const overrideSource = (channel: Channel) => {
    if (subscriberSwitch(channel) !== undefined) return 'subscriber';
    return settingsSwitch(channel) === undefined ? undefined : 'template';
  };
  return {
    enabled,
    channels: switchesByChannel(dialect, (channel) =>
      firstChoice(subscriberSwitch(channel), settingsSwitch(channel), defaultSwitch(channel)),
    ),
    overrides: channelsOf(dialect).flatMap((channel) => {
      const source = overrideSource(channel);
      return source === undefined ? [] : [{ channel, source }];
    }),
  };
}

/**
 * The highest level with preferences, which the service names even if another one turned the channel off. `user` is the
 * one who edited the workflow, whose settings replace its defaults.
 */
function decidedBy(
  workflow: StoredWorkflow,
  { global, workflow: own }: SubscriberPreferences,
): 'subscriber workflow' | 'subscriber global' | 'user' | 'workflow' {
  if (own && !isCritical(workflow)) return 'subscriber workflow';
  if (global && !isCritical(workflow)) return 'subscriber global';
  return workflow.preferences.user ? 'user' : 'workflow';
}

const switchesByChannel = (dialect: Dialect, switchOf: (channel: Channel) => ChannelSwitch) =>
  Object.fromEntries(channelsOf(dialect).map((channel) => [channel, switchOf(channel)])) as Record<
    Channel,
    ChannelSwitch
  >;
