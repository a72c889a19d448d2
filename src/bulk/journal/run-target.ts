// Identifies the service and the environment that a run belongs to, without storing the API key.
import { createHash, createHmac } from 'node:crypto';
import { usageError } from '../../core/errors.ts';
import { listText } from '../../core/text.ts';

export interface RunTarget {
  /** Name of the profile that contains the API key; null if the key comes from a variable or an option. */
  profile: string | null;
  /** SHA-256 of the base URL; empty for a run that only validates rows. */
  service: string;
  /** HMAC that detects a different API key; null for a run that only validates rows. Stored under this name. */
  keyMark: string | null;
  /** Environment id from the profile or the service; null if unknown. With it, a new API key of the same environment is accepted. */
  environmentId: string | null;
}

export const hashServiceUrl = (baseUrl: string) =>
  createHash('sha256').update(baseUrl).digest('hex').slice(0, 32);

/**
 * The text from which a run derives its idempotency keys and transaction ids. Runs with the same id but another environment or
 * other arguments have different texts, because services store keys by organization and not by path.
 */
export const hashIdScope = (
  parts: readonly [
    service: string,
    environmentId: string | null,
    command: string,
    args: Record<string, unknown>,
    runId: string,
  ],
) => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** Hashes the API key together with the run id, so that runs with the same key have different hashes. */
export const hashKeyForRun = (runId: string, apiKey: string) =>
  createHmac('sha256', apiKey).update(`run ${runId}`).digest('hex').slice(0, 32);

/** Lists the changes, as texts for a message. Empty if the run belongs to the current service and environment. */
export const listTargetChanges = (earlier: RunTarget, current: RunTarget): string[] => [
  ...(earlier.service === current.service ? [] : ['the service']),
  ...listEnvironmentChanges(earlier, current),
];

function listEnvironmentChanges(earlier: RunTarget, current: RunTarget): string[] {
  if (earlier.keyMark === null || current.keyMark === null || earlier.keyMark === current.keyMark)
    return [];
  const { environmentId } = earlier;
  if (environmentId === null || current.environmentId === null) return ['the API key'];
  if (earlier.service === current.service && environmentId === current.environmentId) return [];
  return ['the environment'];
}

/** Returns a hint how to select the service and key of a run. `replacedKeyAdvice` applies if the key was replaced. */
export function targetHint(
  { profile, environmentId }: RunTarget,
  current: RunTarget,
  replacedKeyAdvice: string,
): string {
  const replacedHint = `If the key was replaced, ${replacedKeyAdvice}.`;
  if (profile === null) {
    return `Its service was set by variables or options. Use the same URL and API key again. ${replacedHint}`;
  }
  const startHint =
    profile === current.profile
      ? `It started when profile ${profile} had another API key.`
      : `It started with profile ${profile}. Use --profile ${profile}, or the new name of that profile.`;
  if (environmentId === null) return `${startHint} ${replacedHint}`;
  return current.environmentId !== null
    ? startHint
    : `${startHint} A new API key of the same environment also works after \`svc login --profile ${profile}\`.`;
}

/** Throws a usage error if the run belongs to another service or environment. */
export function requireSameTarget(
  earlier: RunTarget & { runId: string },
  current: RunTarget,
  action: { verb: string; command: string; ifReplaced: string },
): void {
  const changes = listTargetChanges(earlier, current);
  if (earlier.service === '' || changes.length === 0) return;
  const { runId, profile } = earlier;
  throw usageError(
    `Run ${runId} cannot ${action.verb}: ${listText(changes)} changed since it started.`,
    {
      hint: targetHint(earlier, current, action.ifReplaced),
      ...(profile === null || profile === current.profile
        ? {}
        : { next: [`${action.command} --profile ${profile}`] }),
    },
  );
}
