// Which channels a subscriber is reached by: the levels of preference, later wins. Pure.
import { type Channel, type ChannelSwitches, channels } from '../store/preferences.ts';
import type { StoredWorkflow } from '../store/workflows.ts';

export interface MergedPreference {
  enabled: boolean;
  channels: Record<Channel, boolean>;
  /** Channels that were decided above the workflow's defaults, and by whom. */
  overrides: { channel: Channel; source: 'subscriber' | 'template' }[];
}

type Preferences = StoredWorkflow['preferences'];

/** A critical workflow reaches its subscribers whatever they chose. */
export const isCritical = ({ preferences }: { preferences: Preferences }): boolean =>
  (preferences.user?.all?.readOnly ?? preferences.default?.all?.readOnly) === true;

export function globalSwitches(chosen: ChannelSwitches | undefined): Record<Channel, boolean> {
  const switchOf = (channel: Channel) => chosen?.[channel] ?? true;
  return eachChannel(switchOf);
}

/** Workflow defaults, workflow settings, the subscriber's global choice, then the one here. */
export function mergedPreference(
  workflow: StoredWorkflow,
  chosenGlobally: ChannelSwitches | undefined,
  chosenHere: ChannelSwitches | undefined,
): MergedPreference {
  const { default: defaults, user: settings } = workflow.preferences;
  const enabled = settings?.all?.enabled ?? defaults?.all?.enabled ?? true;
  const heard = !isCritical(workflow);
  const ofSubscriber = (channel: Channel) =>
    heard ? (chosenHere?.[channel] ?? chosenGlobally?.[channel]) : undefined;
  const ofSettings = (channel: Channel) => settings?.channels?.[channel]?.enabled;
  const ofDefaults = (channel: Channel) =>
    settings?.all?.enabled === false ? false : (defaults?.channels?.[channel]?.enabled ?? enabled);
  const decidedBy = (channel: Channel) => {
    if (ofSubscriber(channel) !== undefined) return 'subscriber';
    return ofSettings(channel) === undefined ? undefined : 'template';
  };
  return {
    enabled,
    channels: eachChannel(
      (channel) => ofSubscriber(channel) ?? ofSettings(channel) ?? ofDefaults(channel),
    ),
    overrides: channels.flatMap((channel) => {
      const source = decidedBy(channel);
      return source === undefined ? [] : [{ channel, source }];
    }),
  };
}

/** Whose preferences keep a channel from being used; undefined: nobody's. */
export function switchedOffBy(
  workflow: StoredWorkflow,
  chosenGlobally: ChannelSwitches | undefined,
  chosenHere: ChannelSwitches | undefined,
  channel: Channel,
): 'subscriber workflow' | 'subscriber global' | 'workflow' | undefined {
  if (mergedPreference(workflow, chosenGlobally, chosenHere).channels[channel]) return undefined;
  if (isCritical(workflow)) return 'workflow';
  if (chosenHere?.[channel] === false) return 'subscriber workflow';
  return chosenGlobally?.[channel] === false ? 'subscriber global' : 'workflow';
}

const eachChannel = (switchOf: (channel: Channel) => boolean): Record<Channel, boolean> => ({
  email: switchOf('email'),
  sms: switchOf('sms'),
  in_app: switchOf('in_app'),
  chat: switchOf('chat'),
  push: switchOf('push'),
});
