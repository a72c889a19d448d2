// The names of settings, and their values as text.
import { durationText } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';

const keys = ['output', 'color', 'timeout', 'retries', 'maxWait', 'readOnly'] as const;

/** Checks the name of a setting. Throws a usage error with similar names for an unknown one. */
export function settingKey(name: string): (typeof keys)[number] {
  const found = keys.find((key) => key === name);
  if (found) return found;
  throw usageError(`Unknown setting \`${name}\`. It must be one of: ${keys.join(', ')}.`, {
    suggestion: { input: name, candidates: keys },
  });
}

const durations: readonly string[] = ['timeout', 'maxWait'];

/** The value in the form that `svc config set` accepts. */
export const settingValue = (key: string, value: unknown): unknown =>
  durations.includes(key) && typeof value === 'number' ? durationText(value) : value;
