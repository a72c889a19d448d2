// How well the emulator reproduces the service: what the service did, compared with the replay of the same workflows.

import type { ReplayedEvent, ReplayedStep } from '../sandbox/index.ts';
import type { ChannelCause } from '../service/job-outcomes.ts';
import type { ObservedStep, RecordedEvent, StepState } from './events.ts';

export interface Confidence {
  /** Steps that both have finished. */
  steps: number;
  reproduced: number;
  /** Steps that the service or the replay had not finished: they are not compared. */
  unfinished: number;
  /** Why the others differ, the most frequent reason first. */
  reasons: { reason: string; steps: number }[];
}

/** The share of the steps, from 0 to 1. Without steps, nothing speaks against the emulator. */
export const rateOf = ({ steps, reproduced }: Confidence): number =>
  steps === 0 ? 1 : reproduced / steps;

export function createConfidence() {
  let [steps, reproduced, unfinished] = [0, 0, 0];
  const reasons = new Map<string, number>();
  const differs = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return {
    add({ observed }: RecordedEvent, index: number, replayed: ReplayedEvent): void {
      const found = 'steps' in replayed ? replayed.steps : [];
      for (const [at, seen] of observed.entries()) {
        const step = found[at];
        const state = step === undefined ? undefined : stateOf(step, index);
        if (seen.state === 'waiting' || state === 'waiting') {
          unfinished += 1;
          continue;
        }
        steps += 1;
        if (step?.channel === seen.channel && state === seen.state) reproduced += 1;
        else differs(reasonOf(seen, state, step));
      }
    },
    result: (): Confidence => ({
      steps,
      reproduced,
      unfinished,
      reasons: [...reasons]
        .map(([reason, count]) => ({ reason, steps: count }))
        .sort((a, b) => b.steps - a.steps),
    }),
  };
}

const stateOf = ({ verdict, carrier }: ReplayedStep, index: number): StepState =>
  carrier === index ? verdict : 'merged';

const preferences: readonly (ChannelCause | null)[] = [
  'workflow_preference',
  'global_preference',
  'schedule',
];
const addresses: readonly (ChannelCause | null)[] = [
  'missing_email',
  'missing_phone',
  'missing_channel',
];

function reasonOf(
  { state, cause }: ObservedStep,
  replayed: StepState | undefined,
  step: ReplayedStep | undefined,
): string {
  if (cause === 'provider_error' || cause === 'http_request_failed')
    return 'a provider failed, which it does not in a replay';
  if (cause === 'canceled') return 'the event was canceled';
  const causes = [cause, step?.cause ?? null];
  if (causes.some((name) => preferences.includes(name)))
    return 'the preferences of the recipient have changed since, or were changed';
  if (causes.some((name) => addresses.includes(name)))
    return 'the addresses of the recipient have changed since, or were changed';
  if (replayed === undefined) return 'the workflow had other steps then';
  const named = (name: StepState, why: ChannelCause | null | undefined) =>
    why ? `${name} (${why})` : name;
  return `${named(state, cause)} by the service, ${named(replayed, step?.cause)} in the replay`;
}
