// Replays events through two versions of the workflows and compares what becomes of them, event by event.
import type { Context } from '../app/context.ts';
import type { PastEvent } from '../sandbox/index.ts';
import type { SandboxState } from '../sandbox/state/schema.ts';
import { createCauses } from './causes.ts';
import { type Confidence, createConfidence } from './confidence.ts';
import type { RecordedEvent } from './events.ts';
import { type Comparison, createComparison, type Difference } from './summary.ts';

type Sandbox = Awaited<ReturnType<Context['sandbox']>>;

export interface ReplayInput {
  sandbox: Sandbox;
  /** With the present workflows, and with those to compare. */
  before: SandboxState;
  after: SandboxState;
  /** In order of time. */
  events: readonly RecordedEvent[];
  /** How long digests and delays may last after the last event, in milliseconds. */
  horizonMs: number;
  /** The number of examples for each kind of change. */
  examples: number;
  /** Called now and then, so that a signal can stop the replay. */
  pause: () => Promise<void>;
  onDifference?: (difference: Difference) => void;
}

export interface ReplayResult extends Comparison {
  confidence: Confidence;
}

/** Events that are compared between two pauses. */
const batchSize = 200;

export async function replayEvents({
  sandbox,
  before,
  after,
  events,
  onDifference,
  examples,
  ...replay
}: ReplayInput): Promise<ReplayResult> {
  const { openReplay } = sandbox;
  const past: readonly PastEvent[] = events;
  const old = await openReplay({ ...replay, seed: before, service: before.service, events: past });
  try {
    const now = await openReplay({ ...replay, seed: after, service: before.service, events: past });
    try {
      const confidence = createConfidence();
      const causes = createCauses(before.environments[0] ?? empty, after.environments[0] ?? empty);
      const comparison = createComparison(causes, examples);
      for (let at = 0; at < events.length; at += batchSize) {
        const [olds, nows] = [old.read(at, batchSize), now.read(at, batchSize)];
        for (const [index, event] of events.slice(at, at + batchSize).entries()) {
          const [first, second] = [olds[index], nows[index]];
          if (!first || !second) continue;
          confidence.add(event, at + index, first);
          for (const difference of comparison.add(event, first, second)) onDifference?.(difference);
        }
        await replay.pause();
      }
      return { ...comparison.result(), confidence: confidence.result() };
    } finally {
      now.close();
    }
  } finally {
    old.close();
  }
}

const empty = { name: 'Development' };
