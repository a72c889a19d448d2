// Runs past events through the workflows of a state, each at its own time on a frozen clock, and reads what became of
// them. Providers never fail. Used by `svc workflows replay`.
import { groupBy } from '../core/objects.ts';
import { type FindEvent, stepVerdicts } from '../deliveries/verdict.ts';
import type { ChannelCause, StepOutcome } from '../service/job-outcomes.ts';
import { contextsOfKeys } from '../service/rules/event-contexts.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';
import { eventFinder, serializeActivity } from './api/events.ts';
import { acceptEvent } from './engine/accept-event.ts';
import { runDue } from './engine/run-jobs.ts';
import { openStore } from './state/open-store.ts';
import type { SandboxState } from './state/schema.ts';
import type { Behavior } from './store/dialect.ts';
import { listJobs, type StoredJob } from './store/jobs.ts';
import { messageOfJob, type StoredMessage, sentContent } from './store/messages.ts';
import { searchNotifications } from './store/notifications.ts';
import type { Scope } from './store/scope.ts';

/** An event for one recipient. */
export interface PastEvent {
  workflowId: string;
  subscriberId: string;
  /** Milliseconds since 1970. */
  at: number;
  payload: Record<string, unknown>;
  /** As `tenant:acme`. */
  contextKeys?: readonly string[] | undefined;
}

/** A channel step of an event and its outcome. */
export interface ReplayedStep {
  stepId: string;
  channel: string;
  verdict: StepOutcome;
  cause: ChannelCause | null;
  reason?: string | undefined;
  /** The index of the event whose digest carries the step; of the event itself without a digest. */
  carrier: number;
  /** When the message was sent, also that of the digest: ISO time. */
  at?: string | undefined;
  /** The parts of the message that its recipient or the provider sees; absent for a step that a digest carries. */
  content?: Record<string, unknown> | undefined;
}

/** `rejected`: why the event was not accepted. */
export type ReplayedEvent = { steps: ReplayedStep[] } | { rejected: string };

interface ReplayOptions extends Behavior {
  seed: SandboxState;
  /** In order of time. */
  events: readonly PastEvent[];
  /** How long to wait after the last event for digests and delays, in milliseconds. */
  horizonMs: number;
  /** Called now and then, so that a signal can stop the replay; may throw. */
  pause: () => Promise<void>;
}

export interface Replay {
  /** Events from `start` on, at most `count`. */
  read(start: number, count: number): ReplayedEvent[];
  close(): void;
}

/** Events that are accepted between two pauses. */
const batchSize = 200;

export async function openReplay({
  seed,
  events,
  horizonMs,
  pause,
  ...behavior
}: ReplayOptions): Promise<Replay> {
  const start = events[0]?.at ?? 0;
  const clock = { now: () => start };
  const store = await openStore({ ...behavior, seed, clock, time: start, frozen: true });
  const onInternalError = (error: unknown) => {
    throw error;
  };
  // Nothing writes a workflow or an integration during a replay.
  const reads = {};
  const open = (id: string) => ({ ...store.scope(id), jobsAt: undefined, reads });
  const source = { ...store, scope: open, onInternalError };
  const rejected = new Map<number, string>();
  const accept = (event: PastEvent, index: number) => {
    runDue(source, event.at);
    const { status, error = [] } = store.clock.withTime(event.at, () =>
      acceptEvent(open(store.environmentId), toTrigger(event, index)),
    );
    if (status !== 'processed') rejected.set(index, error.join(', ') || status);
  };
  for (let at = 0; at < events.length; at += batchSize) {
    const batch = events.slice(at, at + batchSize);
    store.sql.transaction(() => {
      for (const [index, event] of batch.entries()) accept(event, at + index);
    });
    await pause();
  }
  const end = (events.at(-1)?.at ?? start) + horizonMs;
  store.sql.transaction(() => {
    runDue(source, end);
    store.clock.set(end);
  });
  return {
    read: (from, count) => {
      const scope = open(store.environmentId);
      const items = readSteps(scope, from, Math.min(count, events.length - from));
      return items.map((steps, index) => {
        const reason = rejected.get(from + index);
        return reason === undefined ? { steps } : { rejected: reason };
      });
    },
    close: store.close,
  };
}

/** Transaction ids are the positions of the events. */
const toTrigger = (
  { workflowId, subscriberId, payload, contextKeys = [] }: PastEvent,
  index: number,
) => ({
  name: workflowId,
  to: subscriberId,
  payload,
  transactionId: String(index),
  ...(contextKeys.length > 0 ? { context: contextsOfKeys(contextKeys) } : {}),
});

function readSteps(scope: Scope, from: number, count: number): ReplayedStep[][] {
  const transactionId = Array.from({ length: count }, (_unused, index) => String(from + index));
  const notifications = searchNotifications(scope, { transactionId }, { limit: count, offset: 0 });
  const ids = notifications.map(({ id }) => id);
  const jobsOf = groupBy(listJobs(scope, ids), ({ notification }) => notification);
  const findEvent = eventFinder(scope);
  const byIndex = new Map(
    serializeActivity(scope, notifications).map((item, at) => {
      const jobs = (jobsOf.get(ids[at] ?? '') ?? []).filter(({ type }) => isChannel(type));
      const verdicts = stepVerdicts(item, findEvent);
      const own = Number(item.transactionId);
      const steps = jobs.map((job, index): ReplayedStep => {
        const { verdict = 'waiting', cause = null, reason, digest } = verdicts[index] ?? {};
        const carrier = digest ? Number(digest.transactionId) : own;
        const carrying =
          carrier === own ? job : carryingJob(scope, item._digestedNotificationId, job, findEvent);
        const message = carrying && messageOfJob(scope, carrying.id);
        return {
          stepId: job.stepId,
          channel: job.type,
          verdict,
          cause,
          reason,
          carrier,
          at: message?.createdAt,
          ...(carrier === own && message ? { content: contentOf(message) } : {}),
        };
      });
      return [own, steps] as const;
    }),
  );
  return transactionId.map((id) => byIndex.get(Number(id)) ?? []);
}

/** The job of the same step in the event whose digest carries it, which another digest can carry in turn. */
function carryingJob(
  scope: Scope,
  notificationId: string | undefined,
  { stepId }: StoredJob,
  findEvent: FindEvent,
): StoredJob | undefined {
  if (notificationId === undefined) return undefined;
  const job = listJobs(scope, [notificationId]).find((other) => other.stepId === stepId);
  if (job?.status !== 'merged') return job;
  const next = findEvent(notificationId)?._digestedNotificationId;
  return next === notificationId ? job : carryingJob(scope, next, job, findEvent);
}

function contentOf(message: StoredMessage): Record<string, unknown> {
  const { subject, sentSubject = subject, title, data, avatar, links, sent = {} } = message;
  const { html: _html, ...parts } = sent;
  const content = {
    subject: sentSubject,
    title,
    body: sentContent(message),
    ...parts,
    cta: message.channel === 'in_app' ? message.cta : undefined,
    links,
    data,
    avatar,
    error: message.errorText,
  };
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}
