// Whose a run is: the service and the environment that its key opens, told apart without keeping the key.
import { createHash, createHmac } from 'node:crypto';
import { usageError } from '../../core/errors.ts';

export interface RunIdentity {
  /** The profile that its key came from; null when it came from elsewhere. */
  profile: string | null;
  /** SHA-256 of the service's address; empty when nothing is sent. */
  service: string;
  /** Tells the key from another one and is of no use for anything else; null when nothing is sent. */
  keyMark: string | null;
  /** What the profile knows of its environment, so that a key that took the place of another is known too. */
  environmentId: string | null;
}

export const serviceTag = (baseUrl: string) =>
  createHash('sha256').update(baseUrl).digest('hex').slice(0, 32);

/** Of the same key another one in each run. */
export const markOfKey = (runId: string, apiKey: string) =>
  createHmac('sha256', apiKey).update(`run ${runId}`).digest('hex').slice(0, 32);

/** What is not as it was, in words; empty when a run belongs to what is chosen now. */
export const otherThan = (before: RunIdentity, now: RunIdentity): string[] => [
  ...(before.service === now.service ? [] : ['the service']),
  ...environmentThan(before, now),
];

function environmentThan(before: RunIdentity, now: RunIdentity): string[] {
  if (before.keyMark === null || now.keyMark === null || before.keyMark === now.keyMark) return [];
  const { environmentId } = before;
  if (environmentId === null || now.environmentId === null) return ['the API key'];
  if (before.service === now.service && environmentId === now.environmentId) return [];
  return ['the environment'];
}

/** How to choose what a run belongs to; `otherwise` is the way when its key was replaced and nobody can tell. */
export function backTo(
  { profile, environmentId }: RunIdentity,
  now: RunIdentity,
  otherwise: string,
): string {
  const untold = `Where that key was replaced: ${otherwise}.`;
  if (profile === null) {
    return `Its service came from variables or options: give the same address and key again. ${untold}`;
  }
  const began =
    profile === now.profile
      ? `It began when profile ${profile} had another key.`
      : `It began with profile ${profile}: give --profile ${profile}, or what that is called now.`;
  if (environmentId === null) return `${began} ${untold}`;
  return now.environmentId !== null
    ? began
    : `${began} A new key of its environment will do, once \`svc login --profile ${profile}\` has stored it.`;
}

/** Refuses to do to a run what belongs to the environment it was sent to, anywhere else. */
export function refuseElsewhere(
  before: RunIdentity & { runId: string },
  now: RunIdentity,
  what: { cannot: string; line: string; otherwise: string },
): void {
  const other = otherThan(before, now);
  if (before.service === '' || other.length === 0) return;
  const { runId, profile } = before;
  throw usageError(
    `Run ${runId} cannot ${what.cannot}: ${other.join(', ')} changed since it began.`,
    {
      hint: backTo(before, now, what.otherwise),
      ...(profile === null || profile === now.profile
        ? {}
        : { next: [`${what.line} --profile ${profile}`] }),
    },
  );
}
