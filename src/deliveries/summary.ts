// The deliveries of many events: the outcome of each recipient, and counts by channel and by reason. An event can be
// added again; its latest state counts. Only the verdicts of an event are kept, so that a large run fits into memory.
import type { ChannelCause, StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { type JobProgress, jobProgress, noStepsText, recipientOutcome } from './outcome.ts';
import {
  carriedVerdicts,
  failuresWithoutMessage,
  type JudgedEvent,
  judgedEvent,
  recipientOf,
  type StepVerdict,
  verdictMessage,
} from './verdict.ts';

export type OutcomeCounts = Record<StepOutcome, number>;

export const noOutcomes = (): OutcomeCounts => ({
  delivered: 0,
  failed: 0,
  skipped: 0,
  waiting: 0,
});

/** The outcome of one event for one recipient. */
export interface Recipient {
  transactionId: string;
  subscriberId: string;
  outcome: StepOutcome;
  messages: OutcomeCounts;
  /** Why messages were not delivered. */
  causes: readonly ChannelCause[];
}

export interface DeliverySummary {
  recipients: number;
  /** Recipients for whom every job has a final status. */
  finished: number;
  /** Events that are not in the activity, although the service accepted them. */
  missing: number;
  outcomes: OutcomeCounts;
  /** Recipients with a failed message who also got a delivered message. */
  partlyDelivered: number;
  channels: ReadonlyMap<string, OutcomeCounts>;
  /** Why messages were not delivered, most frequent first. */
  reasons: readonly DeliveryReason[];
  causes: readonly { cause: string; count: number }[];
  /** When the first step that waits for a time is due; undefined if none does. */
  nextDueAt: string | undefined;
}

interface KeptEvent extends JudgedEvent {
  id: string | undefined;
  progress: JobProgress;
  /** Whether its digest can carry steps of other events. */
  hasDigest: boolean;
  subscriberId: string;
  /** The failed steps, if the event has no messages. */
  failures: readonly StepVerdict[];
}

/** Different verdicts to look for. */
const maxShared = 1_000;
/** `trim` limits an event to the steps that count. */
export function createDeliveries(trim = (item: ActivityItem): ActivityItem => item) {
  const byTransaction = new Map<string, KeptEvent[]>();
  const byId = new Map<KeptEvent['id'], KeptEvent>();
  const shared = new Map<string, readonly StepVerdict[]>();

  /** Most recipients have the same verdicts as others, which are kept once. */
  const share = (verdicts: readonly StepVerdict[]): readonly StepVerdict[] => {
    const key = JSON.stringify(verdicts);
    const kept = shared.get(key) ?? verdicts;
    if (shared.size < maxShared) shared.set(key, kept);
    return kept;
  };

  const keep = (item: ActivityItem): KeptEvent => {
    const event = keptEvent(trim(item), share);
    if (event.hasDigest) byId.set(event.id, event);
    return event;
  };

  const finalVerdicts = (event: JudgedEvent) => carriedVerdicts(event, (id) => byId.get(id));
  const finalOutcome = (event: KeptEvent) => recipientOutcome(event.progress, finalVerdicts(event));

  return {
    add(item: ActivityItem): void {
      const event = keep(item);
      const others = byTransaction
        .get(event.transactionId)
        ?.filter(({ id, subscriberId }) => id !== event.id || subscriberId !== event.subscriberId);
      // A list of one takes less memory if it is not made by adding to an empty one.
      byTransaction.set(event.transactionId, others?.length ? [...others, event] : [event]);
    },
    /** Adds an event of another run whose digest carries steps of these events. */
    addDigest: (item: ActivityItem): void => void keep(item),
    /** The ids of events whose digests carry steps, and that are not known. */
    unknownDigests(): string[] {
      const events = [...[...byTransaction.values()].flat(), ...byId.values()];
      const ids = new Set(events.flatMap(({ digestId }) => digestId ?? []));
      return [...ids].filter((id) => !byId.has(id));
    },
    /** The transactions of other runs whose digests are not finished. */
    openDigests(): string[] {
      const digests = [...byId.values()].filter(
        (digest) => !byTransaction.has(digest.transactionId) && finalOutcome(digest) === 'waiting',
      );
      return [...new Set(digests.map(({ transactionId }) => transactionId))];
    },
    /** The verdicts of an event, with those of its digest. */
    verdictsOf: (item: ActivityItem) => finalVerdicts(judgedEvent(item)),
    /** The number of recipients of an event that are known. */
    recipientsOf: (transactionId: string) => byTransaction.get(transactionId)?.length ?? 0,
    /** Whether the event has a recipient that is not finished, or none yet. */
    isOpen(transactionId: string): boolean {
      const events = byTransaction.get(transactionId) ?? [];
      return events.length === 0 || events.some((event) => finalOutcome(event) === 'waiting');
    },
    *recipients(): Generator<Recipient, void, void> {
      for (const events of byTransaction.values())
        for (const event of events) {
          const verdicts = finalVerdicts(event);
          const messages = noOutcomes();
          for (const { verdict } of verdicts) messages[verdict] += 1;
          yield {
            transactionId: event.transactionId,
            subscriberId: event.subscriberId,
            outcome: recipientOutcome(event.progress, verdicts),
            messages,
            causes: [...verdicts, ...event.failures].flatMap(({ cause }) => cause ?? []),
          };
        }
    },
    /** Counts these events. The service rejected `rejected` of them, which have no activity. */
    summary(transactionIds: readonly string[], rejected: number): DeliverySummary {
      const outcomes = noOutcomes();
      const channels = new Map<string, OutcomeCounts>();
      const reasons = createReasonCounts();
      let recipients = 0;
      let absent = 0;
      let partlyDelivered = 0;
      let nextDueAt: string | undefined;
      for (const transactionId of transactionIds) {
        const events = byTransaction.get(transactionId) ?? [];
        if (events.every(({ progress }) => progress === 'none')) absent += 1;
        const empty = events.filter(({ progress }) => progress === 'empty').length;
        reasons.add(eventReason('no_steps', noStepsText, empty));
        recipients += Math.max(1, events.length);
        if (events.length === 0) outcomes.waiting += 1;
        for (const event of events) {
          const verdicts = finalVerdicts(event);
          const outcome = recipientOutcome(event.progress, verdicts);
          outcomes[outcome] += 1;
          if (outcome === 'failed' && verdicts.some(({ verdict }) => verdict === 'delivered'))
            partlyDelivered += 1;
          for (const { channel, verdict, until } of verdicts) {
            if (verdict === 'waiting' && (until ?? '~') < (nextDueAt ?? '~')) nextDueAt = until;
            const counts = channels.get(channel) ?? noOutcomes();
            counts[verdict] += 1;
            channels.set(channel, counts);
          }
          for (const verdict of [...verdicts, ...event.failures])
            if (verdict.verdict !== 'delivered') reasons.add(verdictReason(verdict));
        }
      }
      const never = Math.min(rejected, absent);
      outcomes.waiting -= never;
      outcomes.failed += never;
      reasons.add(eventReason('rejected', 'rejected by the service', never));
      reasons.add(eventReason('queued', 'the event is not in the activity yet', absent - never));
      return {
        recipients,
        finished: recipients - outcomes.waiting,
        missing: absent - never,
        outcomes,
        partlyDelivered,
        channels,
        reasons: reasons.byText(),
        causes: reasons.byCause(),
        nextDueAt,
      };
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;

function keptEvent(
  item: ActivityItem,
  share: (verdicts: readonly StepVerdict[]) => readonly StepVerdict[],
): KeptEvent {
  const withoutDetail = ({ detail: _detail, ...verdict }: StepVerdict): StepVerdict => verdict;
  const { transactionId, digestId, verdicts } = judgedEvent(item);
  // With a spread, V8 describes the members of each object on their own, which takes 400 bytes.
  return {
    id: item._id,
    transactionId,
    subscriberId: recipientOf(item),
    progress: jobProgress(item),
    hasDigest: item.jobs?.some(({ type }) => type === 'digest') === true,
    digestId,
    verdicts: share(verdicts.map(withoutDetail)),
    failures: share(failuresWithoutMessage(item).map(withoutDetail)),
  };
}

// Counts why messages were not delivered, by the text for people and by cause.

export interface DeliveryReason {
  text: string;
  count: number;
  isWaiting: boolean;
}

interface Reason extends DeliveryReason {
  /** As in `svc activity explain` and `svc activity stats`. */
  cause: string;
  /** Reasons with the same key differ only in their times. The latest one is shown. */
  key: string;
  until?: string | undefined;
}

/** A step that waits only for its turn has no cause. */
export const countedCause = ({ cause }: StepVerdict): string => cause ?? 'queued';

/** A reason of whole events, which have no step. */
const eventReason = (cause: string, text: string, count: number): Reason => ({
  cause,
  text,
  count,
  isWaiting: cause === 'queued',
  key: cause,
});

/** Which digest carries a step does not count. */
function verdictReason({ digest: _digest, ...verdict }: StepVerdict): Reason {
  const { channel, until } = verdict;
  return {
    cause: countedCause(verdict),
    text: `${channel} ${verdict.verdict}: ${verdictMessage(verdict)}`,
    count: 1,
    isWaiting: verdict.verdict === 'waiting',
    key: `${channel}: ${verdictMessage({ ...verdict, until: undefined })}`,
    until,
  };
}

function createReasonCounts() {
  const byKey = new Map<string, Reason>();
  const all = () => [...byKey.values()].sort((a, b) => b.count - a.count);
  return {
    add(reason: Reason) {
      if (reason.count === 0) return;
      const previous = byKey.get(reason.key) ?? { ...reason, count: 0 };
      const latest = (reason.until ?? '') > (previous.until ?? '') ? reason : previous;
      byKey.set(reason.key, { ...latest, count: previous.count + reason.count });
    },
    /** Most frequent first. */
    byText: (): DeliveryReason[] =>
      all().map(({ text, count, isWaiting }) => ({ text, count, isWaiting })),
    byCause(): { cause: string; count: number }[] {
      const counts = new Map<string, number>();
      for (const { cause, count } of all()) counts.set(cause, (counts.get(cause) ?? 0) + count);
      return [...counts]
        .map(([cause, count]) => ({ cause, count }))
        .sort((a, b) => b.count - a.count);
    },
  };
}
