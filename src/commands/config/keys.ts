// Names of settings as they are typed.
import { durationText } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';

const keys = ['output', 'color', 'timeout', 'retries', 'maxWait', 'readOnly'] as const;

/** The setting of that name, or an error that offers the nearest. */
export function settingKey(typed: string): (typeof keys)[number] {
  const found = keys.find((key) => key === typed);
  if (found) return found;
  throw usageError(`There is no setting \`${typed}\`; there are ${keys.join(', ')}.`, {
    suggestion: { input: typed, candidates: keys },
  });
}

const durations: readonly string[] = ['timeout', 'maxWait'];

/** The value as `svc config set` takes it. */
export const settingValue = (key: string, value: unknown): unknown =>
  durations.includes(key) && typeof value === 'number' ? durationText(value) : value;
