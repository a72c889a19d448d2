// Replays events through two versions of the workflows and compares what becomes of them, event by event.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Context } from '../app/context.ts';
import type { PastEvent, ReplayedEvent } from '../sandbox/index.ts';
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

/** Events that are read and compared at a time. */
const batchSize = 200;

/** One version after the other, because two sandboxes at once would take twice the memory. */
export async function replayEvents({
  sandbox,
  before,
  after,
  events,
  onDifference,
  examples,
  ...replay
}: ReplayInput): Promise<ReplayResult> {
  const run = async (
    seed: SandboxState,
    onBatch: (batch: ReplayedEvent[], events: readonly RecordedEvent[], at: number) => void,
  ) => {
    const past: readonly PastEvent[] = events;
    const options = { ...replay, seed, service: before.service, events: past };
    const replayed = await sandbox.openReplay(options);
    try {
      for (let at = 0; at < events.length; at += batchSize) {
        onBatch(replayed.read(at, batchSize), events.slice(at, at + batchSize), at);
        await replay.pause();
      }
    } finally {
      replayed.close();
    }
  };
  const confidence = createConfidence();
  const packed: Buffer[] = [];
  await run(before, (olds, batch, at) => {
    for (const [index, event] of batch.entries())
      confidence.add(event, at + index, olds[index] ?? nothing);
    packed.push(deflateRawSync(JSON.stringify(olds)));
  });
  const causes = createCauses(before.environments[0] ?? empty, after.environments[0] ?? empty);
  const comparison = createComparison(causes, examples);
  await run(after, (nows, batch) => {
    const olds: ReplayedEvent[] = JSON.parse(`${inflateRawSync(packed.shift() ?? '')}`);
    for (const [index, event] of batch.entries())
      for (const difference of comparison.add(
        event,
        olds[index] ?? nothing,
        nows[index] ?? nothing,
      ))
        onDifference?.(difference);
  });
  return { ...comparison.result(), confidence: confidence.result() };
}

const nothing: ReplayedEvent = { steps: [] };
const empty = { name: 'Development' };
