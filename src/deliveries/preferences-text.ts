// The settings that a person has chosen, as text: `email off for welcome`.
import type { Preferences } from '../service/schemas/preferences.ts';

/** The channels that are off everywhere, and the workflows with other settings. Empty if everything is on. */
export function chosenPreferences({ global, workflows }: Preferences): string[] {
  const everywhere = Object.entries(global.channels);
  return [
    ...everywhere
      .filter(([, isOn]) => isOn === false)
      .map(([channel]) => `${channel} off for all workflows`),
    ...workflows.flatMap(({ workflow, channels, overrides }) => {
      const own = new Set<string>(overrides.map(({ channel }) => channel));
      const all = new Map(everywhere);
      return Object.entries(channels)
        .filter(([channel, isOn]) => own.has(channel) && isOn !== all.get(channel))
        .map(([channel, isOn]) => `${channel} ${isOn ? 'on' : 'off'} for ${workflow.identifier}`);
    }),
  ];
}
