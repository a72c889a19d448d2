// Merges the preference levels of a subscriber into one switch per channel; later levels win. Pure.
import type { Channel, OverrideSource } from '../../service/schemas/vocabulary.ts';
import { type ChannelSwitches, channels } from '../store/preferences.ts';
import type { StoredWorkflow } from '../store/workflows.ts';

export interface MergedPreference {
  enabled: boolean;
  channels: Record<Channel, boolean>;
  /** Channels whose switch comes from a level above the workflow's defaults. */
  overrides: { channel: Channel; source: OverrideSource }[];
}

type Preferences = StoredWorkflow['preferences'];

/** Critical workflows ignore the preferences of subscribers. */
export const isCritical = ({ preferences }: { preferences: Preferences }): boolean =>
  (preferences.user?.all?.readOnly ?? preferences.default?.all?.readOnly) === true;

export const globalSwitches = (
  globalChoice: ChannelSwitches | undefined,
): Record<Channel, boolean> => switchesByChannel((channel) => globalChoice?.[channel] ?? true);

/**
 * Levels from lowest to highest: workflow defaults, workflow settings, the subscriber's global
 * preference, the subscriber's preference for this workflow.
 */
export function mergePreferences(
  workflow: StoredWorkflow,
  globalChoice: ChannelSwitches | undefined,
  workflowChoice: ChannelSwitches | undefined,
): MergedPreference {
  const { default: defaults, user: settings } = workflow.preferences;
  const enabled = settings?.all?.enabled ?? defaults?.all?.enabled ?? true;
  const ignoresSubscriber = isCritical(workflow);
  const subscriberSwitch = (channel: Channel) =>
    ignoresSubscriber ? undefined : (workflowChoice?.[channel] ?? globalChoice?.[channel]);
  const settingsSwitch = (channel: Channel) => settings?.channels?.[channel]?.enabled;
  const defaultSwitch = (channel: Channel) =>
    settings?.all?.enabled === false ? false : (defaults?.channels?.[channel]?.enabled ?? enabled);
  const overrideSource = (channel: Channel) => {
    if (subscriberSwitch(channel) !== undefined) return 'subscriber';
    return settingsSwitch(channel) === undefined ? undefined : 'template';
  };
  return {
    enabled,
    channels: switchesByChannel(
      (channel) => subscriberSwitch(channel) ?? settingsSwitch(channel) ?? defaultSwitch(channel),
    ),
    overrides: channels.flatMap((channel) => {
      const source = overrideSource(channel);
      return source === undefined ? [] : [{ channel, source }];
    }),
  };
}

/**
 * Returns the level that disables a channel, in the words of the service; undefined if the channel is enabled. `user` is
 * the one who edited the workflow, whose settings replace its defaults.
 */
export function disabledBy(
  workflow: StoredWorkflow,
  globalChoice: ChannelSwitches | undefined,
  workflowChoice: ChannelSwitches | undefined,
  channel: Channel,
): 'subscriber workflow' | 'subscriber global' | 'user' | 'workflow' | undefined {
  if (mergePreferences(workflow, globalChoice, workflowChoice).channels[channel]) return undefined;
  const level = workflow.preferences.user ? 'user' : 'workflow';
  if (isCritical(workflow)) return level;
  if (workflowChoice?.[channel] === false) return 'subscriber workflow';
  return globalChoice?.[channel] === false ? 'subscriber global' : level;
}

const switchesByChannel = (switchOf: (channel: Channel) => boolean) =>
  Object.fromEntries(channels.map((channel) => [channel, switchOf(channel)])) as Record<
    Channel,
    boolean
  >;
