// How deeply data may be nested. Printing, masking and comparing are recursive; far deeper data would end them.
import { SvcError } from './errors.ts';

/** Levels of arrays and objects. Real data has a dozen; jq reads no more than 128 objects. */
const deepest = 120;

/** Whether a value has more levels than can be worked with. */
export function isTooDeep(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (level >= deepest) return true;
  return Object.values(value).some((member) => isTooDeep(member, level + 1));
}

/** Ends with unavailable when a response has more levels than can be worked with. */
export function refuseDeep(value: unknown): void {
  if (isTooDeep(value)) throw tooDeep();
}

/** Called at each level by what walks through a response itself. */
export function refuseLevel(level: number): void {
  if (level > deepest) throw tooDeep();
}

const tooDeep = () =>
  new SvcError('unavailable', `The response is nested too deeply: more than ${deepest} levels.`, {
    hint: 'Check that the base URL is that of the service: `svc profiles show`.',
  });
