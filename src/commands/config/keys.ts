// The names of settings, and their values as text.
import { globalOptions } from '../../cli/globals.ts';
import { type SettingName, settingKeys } from '../../config/settings.ts';
import { durationText, readDuration } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';

/** Checks the name of a setting. Throws a usage error with similar names for an unknown one. */
export function settingKey(name: string): SettingName {
  const setting = settingKeys.find((key) => key === name);
  if (setting) return setting;
  throw usageError(`Unknown setting \`${name}\`. It must be one of: ${settingKeys.join(', ')}.`, {
    suggestion: { input: name, candidates: settingKeys },
  });
}

/** The value in the form that `svc config set` accepts; empty if it is not set. */
export const settingValue = (key: SettingName, value: unknown): unknown =>
  globalOptions[key].read === readDuration && typeof value === 'number'
    ? durationText(value)
    : (value ?? '');
