// Transactions whose cancellation answered `false`. The service creates jobs after it has accepted an event, so it
// may only be too early: looks at the activity and cancels again, with growing pauses, until each one is decided.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import { SvcError } from '../../core/errors.ts';
import { createSightings, type Stage } from './job-stages.ts';

export interface Doubt {
  id: string;
  /** An earlier attempt may have canceled it, although its response was lost. */
  uncertain: boolean;
  /** How long the service may take to show and finish its jobs. */
  waitMs: number;
}

export type Verdict = { state: 'cancelled' | 'notPending' } | { state: 'unknown'; why: string };

export interface CancelTools<D extends Doubt> {
  /** The activity of these transactions, page by page. */
  activity: (ids: readonly string[]) => AsyncIterable<{ items: readonly ActivityItem[] }>;
  cancel: (id: string) => Promise<{ value: unknown; uncertain?: boolean | undefined }>;
  /** Which of the transactions without jobs were never triggered, as far as that is known. */
  untriggered?: (absent: readonly D[]) => ReadonlySet<D>;
  /** Called once, before the first pause, with the number of undecided transactions. */
  waiting?: (count: number) => void;
  clock: { ticks(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  signal: AbortSignal;
}

const firstPauseMs = 250;
const longestPauseMs = 4_000;
/** Transactions in one request for the activity, and the length of their ids in its address. */
const groupSize = 50;
const groupLength = 6_000;
/** Cancellations in flight. */
const atOnce = 16;

interface Open<D> {
  doubt: D;
  uncertain: boolean;
  stage: Stage;
}

/** Yields every transaction once, as soon as its outcome is known or its time is over. */
export async function* cancelAgain<D extends Doubt>(
  doubts: readonly D[],
  tools: CancelTools<D>,
): AsyncGenerator<{ doubt: D; verdict: Verdict }, void, void> {
  const { clock, signal } = tools;
  const began = clock.ticks();
  let open: Open<D>[] = doubts.map((doubt) => ({
    doubt,
    uncertain: doubt.uncertain,
    stage: 'absent',
  }));
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    let left: Open<D>[] = [];
    const failures: SvcError[] = [];
    for (const group of groupsOf(open)) {
      const round = await oneRound(group, tools);
      failures.push(...round.failures);
      yield* round.decided;
      left.push(...round.left);
    }
    const never = neverTriggered(left, tools);
    for (const { doubt } of never) yield { doubt, verdict: { state: 'notPending' } };
    left = left.filter((one) => !never.has(one));
    const elapsed = clock.ticks() - began;
    const isOver = ({ doubt }: Open<D>) => elapsed >= doubt.waitMs;
    if (failures[0] && left.some(isOver)) throw failures[0];
    for (const one of left.filter(isOver)) yield { doubt: one.doubt, verdict: gaveUp(one) };
    open = left.filter((one) => !isOver(one));
    if (open.length === 0) return;
    if (pause === firstPauseMs) tools.waiting?.(open.length);
    const next = open.reduce((least, { doubt }) => Math.min(least, doubt.waitMs), pause + elapsed);
    await clock.sleep(Math.min(pause, next - elapsed), signal);
  }
}

/** Looks at a group once and cancels again what may still be canceled. A service that fails for now decides nothing. */
async function oneRound<D extends Doubt>(group: readonly Open<D>[], tools: CancelTools<D>) {
  const decided: { doubt: D; verdict: Verdict }[] = [];
  const left: Open<D>[] = [];
  const failures: SvcError[] = [];
  const unlessFailing = async (act: () => Promise<void>, otherwise: readonly Open<D>[]) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof SvcError) || error.exitReason !== 'unavailable') throw error;
      failures.push(error);
      left.push(...otherwise);
    }
  };
  const again: Open<D>[] = [];
  await unlessFailing(async () => {
    const sightings = createSightings();
    for await (const { items } of tools.activity(group.map(({ doubt }) => doubt.id)))
      for (const item of items) sightings.add(item);
    for (const one of group) {
      const { stage, canceled } = sightings.of(one.doubt.id);
      one.stage = stage;
      if (stage === 'absent') left.push(one);
      else if (stage === 'finished') {
        const state = one.uncertain && canceled ? 'cancelled' : 'notPending';
        decided.push({ doubt: one.doubt, verdict: { state } });
      } else again.push(one);
    }
  }, group);
  const cancelOnce = async (one: Open<D>) => {
    const { value, uncertain = false } = await tools.cancel(one.doubt.id);
    one.uncertain ||= uncertain;
    if (value === true) decided.push({ doubt: one.doubt, verdict: { state: 'cancelled' } });
    else if (one.stage === 'merged' && !one.uncertain)
      decided.push({ doubt: one.doubt, verdict: { state: 'notPending' } });
    else left.push(one);
  };
  for (let from = 0; from < again.length; from += atOnce) {
    const some = again.slice(from, from + atOnce);
    await Promise.all(some.map((one) => unlessFailing(() => cancelOnce(one), [one])));
  }
  return { decided, left, failures };
}

function neverTriggered<D extends Doubt>(
  left: readonly Open<D>[],
  { untriggered }: CancelTools<D>,
): ReadonlySet<Open<D>> {
  const absent = left.filter(({ stage }) => stage === 'absent');
  if (!untriggered || absent.length === 0) return new Set();
  const known = untriggered(absent.map(({ doubt }) => doubt));
  return new Set(absent.filter(({ doubt }) => known.has(doubt)));
}

const gaveUp = ({ stage }: Pick<Open<Doubt>, 'stage'>): Verdict => ({
  state: 'unknown',
  why:
    stage === 'absent'
      ? 'the service did not show this transaction'
      : 'some of its jobs had not finished',
});

/** Groups that fit into the address of one request each. */
function groupsOf<D extends Doubt>(open: readonly Open<D>[]): Open<D>[][] {
  const groups: Open<D>[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const one of open) {
    const more = encodeURIComponent(one.doubt.id).length;
    const last = groups.at(-1);
    if (last && last.length < groupSize && length + more <= groupLength) {
      last.push(one);
      length += more;
    } else {
      groups.push([one]);
      length = more;
    }
  }
  return groups;
}
