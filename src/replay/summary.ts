// The result of a replay: a table by workflow and channel, and the kinds of change with examples.
import type { ReplayedEvent } from '../sandbox/index.ts';
import type { FindCause } from './causes.ts';
import { compareEvent, type StepComparison, type StepResult, stepResults } from './differences.ts';
import type { RecordedEvent } from './events.ts';

export type ResultCounts = Record<StepResult, number>;

/** The steps of a channel of a workflow. `events`: those that have such a step. */
export interface ResultRow extends ResultCounts {
  workflow: string;
  channel: string;
  events: number;
}

/** A difference of one step of an event. */
export interface Difference {
  workflow: string;
  step: string;
  channel: string;
  result: StepResult;
  cause: string;
  transactionId: string;
  subscriberId: string;
  createdAt: string;
  /** The parts of the message that differ. */
  parts: readonly string[];
  shiftMs: number;
  /** Why the step is not delivered in the replay of the changed workflows, or was not in that of the present ones. */
  reason: string | null;
}

export interface Example extends Difference {
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/** Differences of one kind in the same step, with the same cause. */
export interface ChangeGroup {
  workflow: string;
  step: string;
  channel: string;
  result: StepResult;
  cause: string;
  steps: number;
  examples: Example[];
}

const noCounts = (): ResultCounts => ({ same: 0, changed: 0, gained: 0, lost: 0, moved: 0 });

export interface Comparison {
  totals: ResultCounts;
  rows: ResultRow[];
  /** The most frequent first. */
  groups: ChangeGroup[];
}

/** `examples`: how many are kept of each group. */
export function createComparison(findCause: FindCause, examples: number) {
  const totals = noCounts();
  const rows = new Map<string, ResultRow>();
  const groups = new Map<string, ChangeGroup>();
  const rowOf = (workflow: string, channel: string) => {
    const key = `${workflow}\0${channel}`;
    const row = rows.get(key) ?? { workflow, channel, events: 0, ...noCounts() };
    rows.set(key, row);
    return row;
  };
  const addToGroup = (example: Example) => {
    const { workflow, step, channel, result, cause } = example;
    const key = [workflow, step, result, cause].join('\0');
    const group = groups.get(key) ?? {
      ...{ workflow, step, channel, result, cause },
      ...{ steps: 0, examples: [] },
    };
    groups.set(key, group);
    group.steps += 1;
    if (group.examples.length < examples) group.examples.push(example);
  };
  return {
    /** Returns the differences of the event. */
    add(event: RecordedEvent, before: ReplayedEvent, after: ReplayedEvent): Difference[] {
      const comparisons = compareEvent(before, after);
      const channels = new Set<string>();
      return comparisons.flatMap((comparison) => {
        const { channel, result } = comparison;
        const row = rowOf(event.workflowId, channel);
        if (channels.size < channels.add(channel).size) row.events += 1;
        row[result] += 1;
        totals[result] += 1;
        if (result === 'same') return [];
        const cause = findCause(event.workflowId, comparison);
        const difference = toDifference(event, comparison, cause);
        addToGroup({
          ...difference,
          before: comparison.before?.content,
          after: comparison.after?.content,
        });
        return [difference];
      });
    },
    result: (): Comparison => ({
      totals,
      rows: [...rows.values()].sort((a, b) =>
        `${a.workflow}\0${a.channel}` < `${b.workflow}\0${b.channel}` ? -1 : 1,
      ),
      groups: [...groups.values()].sort((a, b) => b.steps - a.steps),
    }),
  };
}

function toDifference(
  { workflowId, transactionId, subscriberId, at }: RecordedEvent,
  { stepId, channel, result, parts, shiftMs, before, after }: StepComparison,
  cause: string,
): Difference {
  const missing = result === 'lost' ? after : result === 'gained' ? before : undefined;
  return {
    workflow: workflowId,
    step: stepId,
    channel,
    result,
    cause,
    transactionId,
    subscriberId,
    createdAt: new Date(at).toISOString(),
    parts,
    shiftMs,
    reason: missing?.reason ?? missing?.cause ?? null,
  };
}

/** A limit such as `20` or `5%` of all compared steps. */
export type Limit = { rows: number } | { percent: number };

export const isWithin = (limit: Limit, count: number, totals: ResultCounts): boolean => {
  const all = stepResults.reduce((sum, result) => sum + totals[result], 0);
  return 'rows' in limit ? count <= limit.rows : count * 100 <= limit.percent * all;
};
