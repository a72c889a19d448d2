// Compares two replays of an event: for each channel step, whether its message is the same, changed, gained,
// lost, or moved to another time or digest.
import { compare } from '../environment/compare.ts';
import type { ReplayedEvent, ReplayedStep } from '../sandbox/index.ts';

export const stepResults = ['same', 'changed', 'gained', 'lost', 'moved'] as const;
export type StepResult = (typeof stepResults)[number];

export interface StepComparison {
  stepId: string;
  channel: string;
  result: StepResult;
  /** The parts of the message that differ, such as `subject` or `cta.redirect.url`. */
  parts: readonly string[];
  /** By how many milliseconds the message is later; negative if earlier. */
  shiftMs: number;
  /** Whether another event's digest carries it, or none does any more. */
  isInOtherDigest: boolean;
  before: ReplayedStep | undefined;
  after: ReplayedStep | undefined;
}

/** Messages that are this much earlier or later have moved. */
const movedMs = 60_000;

export function compareEvent(before: ReplayedEvent, after: ReplayedEvent): StepComparison[] {
  const [old, now] = [stepsOf(before), stepsOf(after)];
  const ids = [...new Set([...old, ...now].map(({ stepId }) => stepId))];
  const find = (steps: readonly ReplayedStep[], id: string) =>
    steps.find(({ stepId }) => stepId === id);
  return ids.map((id) => compareStep(id, find(old, id), find(now, id)));
}

const stepsOf = (event: ReplayedEvent) => ('steps' in event ? event.steps : []);

function compareStep(
  stepId: string,
  before: ReplayedStep | undefined,
  after: ReplayedStep | undefined,
): StepComparison {
  const [wasSent, isSent] = [before, after].map((step) => step?.verdict === 'delivered');
  const areBoth = wasSent && isSent;
  const isInOtherDigest = areBoth === true && before?.carrier !== after?.carrier;
  const shiftMs = areBoth ? Date.parse(after?.at ?? '') - Date.parse(before?.at ?? '') || 0 : 0;
  const parts =
    areBoth && before?.content && after?.content
      ? compare(steady(before.content), steady(after.content)).map(({ path }) => path)
      : [];
  const isMoved = isInOtherDigest || Math.abs(shiftMs) > movedMs;
  return {
    stepId,
    channel: (after ?? before)?.channel ?? '',
    result:
      wasSent && !isSent
        ? 'lost'
        : isSent && !wasSent
          ? 'gained'
          : parts.length > 0
            ? 'changed'
            : isMoved
              ? 'moved'
              : 'same',
    parts,
    shiftMs,
    isInOtherDigest,
    before,
    after,
  };
}

/** Ids and times, which differ each time a message is rendered. */
const unsteady =
  /\b[0-9a-f]{24}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/gi;

function steady(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(unsteady, '…');
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, steady(inner)]));
}
