// Time spans as people write them, both ways. Knows nothing of options or settings.
import { usageError } from './errors.ts';

const units: readonly [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

/** `30s`, `2m`, `500ms`, `1h30m` in milliseconds. A number needs a unit, except 0. Ends with usage for anything else. */
export function readDuration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    if (Number(text) === 0) return 0;
    throw usageError(`\`${text}\` has no unit: write ${text}ms or ${text}s`);
  }
  const parts = text.match(/\d+(\.\d+)?(ms|s|m|h|d)/g);
  if (!parts || parts.join('') !== text) {
    throw usageError(`\`${text}\` is not a duration such as 30s, 2m or 1h30m`);
  }
  return parts.reduce((sum, part) => {
    const ms = new Map(units).get(part.replace(/[\d.]/g, '')) ?? 0;
    return sum + Number.parseFloat(part) * ms;
  }, 0);
}

/** Milliseconds as `readDuration` takes them: `1h30m`. */
export function durationText(ms: number): string {
  let rest = Math.round(ms);
  const parts = units.map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${name}`;
  });
  return parts.join('') || '0s';
}
