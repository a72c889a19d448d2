// Compares the preferences in a response of the service with the request. The service ignores changes for
// critical workflows and responds with 200.
import { asObject } from '../../core/objects.ts';

export type Channels = Readonly<Record<string, boolean>>;

/** A preference in a response. Some servers omit channels that the workflow does not use. */
export interface AppliedPreference {
  channels?: unknown;
  isCritical: boolean;
}

export const isUnchanged = (
  asked: Channels,
  { channels, isCritical }: AppliedPreference,
): boolean => isCritical || !hasChannels(channels, asked);

/** Whether the channels that a response contains have the values of the request. */
export function hasChannels(applied: unknown, asked: Channels): boolean {
  const values = asObject(applied);
  return Object.entries(asked).every(
    ([channel, isOn]) => typeof values[channel] !== 'boolean' || values[channel] === isOn,
  );
}
