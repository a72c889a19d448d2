// Finds the events of a listing that should be finished and are not, or that delivered no message: one item at a time, newest
// first, and in constant memory.
import { idHash } from '../bulk/engine/id-hash.ts';
import { shellWord } from '../core/text.ts';
import { isFinished } from '../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../service/schemas/activity.ts';
import { hasPrimary, isChannel } from '../service/schemas/vocabulary.ts';
import { type FindingKind, findingKinds } from './audit-kinds.ts';
import { failureTexts, rawObject } from './details.ts';
import { latestEnd, openJob, type Person } from './latest-end.ts';
import { isWithoutSteps, jobProgress, recipientOutcome } from './outcome.ts';
import { createRecentKeys } from './stats.ts';
import { countedCause } from './summary.ts';
import {
  channelName,
  type FindEvent,
  failuresWithoutMessage,
  findDigestId,
  recipientOf,
  stepVerdicts,
  verdictMessage,
  workflowIdentifier,
} from './verdict.ts';

export interface Finding {
  kind: FindingKind;
  transactionId: string;
  subscriberId: string;
  workflow: string | null;
  channel: string | null;
  /** As `activity explain` has it. */
  cause: string | null;
  message: string;
  /** When the event was triggered, and since when it is late; ISO times. */
  at: string | null;
  since: string | null;
  /** Of a dead address. */
  providerId: string | null;
}

/** Findings that cannot be decided, and why. */
export const unreadReasons = {
  digest: 'the event with the digest cannot be read',
  wait: 'the service does not say how long they wait',
  people: 'the schedules of too many recipients, or of deleted ones, are needed',
} as const;
export type UnreadReason = keyof typeof unreadReasons;

/** An event that is late or not, depending on its recipient. */
export interface OpenQuestion {
  item: ActivityItem;
  /** The event that waits: the same one, or the one whose digest carries it. */
  carrier: ActivityItem;
  job: Job;
}

interface Verdict {
  findings: Finding[];
  unread?: UnreadReason;
  question?: OpenQuestion;
}

/** Deliveries to look back at, for messages that were sent twice and addresses that work again. */
const maxRecent = 100_000;

/** Causes that a person or the workflow chose: such a message is not expected. */
const choices: ReadonlySet<string> = new Set([
  ...['workflow_preference', 'global_preference', 'workflow_default', 'schedule', 'condition'],
  ...['throttled', 'canceled', 'digest_merged'],
]);

/** How a provider says that an address no longer exists, apart from errors that a wrong integration causes, too. */
const deadAddress =
  /registration-token-not-registered|not ?registered|unregistered|requested entity was not found|invalid_player_ids|no_service|no_team|channel_not_found|channel_is_archived|unknown webhook|status code (?:404|410)\b|\b410 gone\b/i;

interface Limits {
  /** Milliseconds since 1970. */
  now: number;
  graceMs: number;
}

/** Hashes of the messages and addresses of the events that were compared. */
export interface AuditMemory {
  deliveries: readonly number[];
  uses: readonly number[];
}

const noMemory: AuditMemory = { deliveries: [], uses: [] };

export type Audit = ReturnType<typeof createAudit>;

export function createAudit({ now, graceMs }: Limits, memory = noMemory) {
  const deliveries = createRecentKeys(maxRecent, memory.deliveries);
  const uses = createRecentKeys(maxRecent, memory.uses);
  const isLate = (time: number) => time + graceMs < now;

  const finding = (
    item: ActivityItem,
    kind: FindingKind,
    since: number | string | undefined,
    message: string,
    more: Partial<Finding> = {},
  ): Finding => ({
    kind,
    transactionId: item.transactionId,
    subscriberId: recipientOf(item),
    workflow: workflowIdentifier(item) ?? null,
    channel: null,
    cause: null,
    message,
    at: item.createdAt ?? null,
    since: typeof since === 'number' ? new Date(since).toISOString() : (since ?? null),
    providerId: null,
    ...more,
  });

  const overdue = (item: ActivityItem, since: number) => {
    const waiting = stepVerdicts(item).find(({ verdict }) => verdict === 'waiting');
    // The end of a wait differs for each event.
    const text = waiting && verdictMessage({ ...waiting, until: undefined });
    return finding(item, 'overdue', since, text ?? 'A step has not run yet.', {
      channel: waiting?.channel ?? null,
      cause: waiting ? countedCause(waiting) : 'queued',
    });
  };

  const judgeOpen = (question: OpenQuestion, person?: Person): Verdict => {
    const { item, carrier, job } = question;
    const end = latestEnd(carrier, job, person);
    if (end === 'person') return { findings: [], question };
    if (end === undefined) return { findings: [], unread: 'wait' };
    if (!isLate(end)) return { findings: [] };
    return { findings: [item._id === carrier._id ? overdue(item, end) : lost(item, end)] };
  };

  const judgeMerged = (item: ActivityItem, find: FindEvent): Verdict => {
    const stepId = item.jobs?.find(({ status, type }) => status === 'merged' && type === 'digest')
      ?.step._id;
    const seen = new Set([item._id]);
    let carrier = item;
    for (;;) {
      const id = findDigestId(carrier);
      const next = id === undefined || seen.has(id) ? undefined : find(id);
      const isLost = id !== undefined && seen.has(id);
      if (isLost) return { findings: [lost(item, carrier.createdAt)] };
      if (!next) return { findings: [], unread: 'digest' };
      seen.add(id);
      const digests = (next.jobs ?? []).filter(({ type }) => type === 'digest');
      const digest = digests.find(({ step }) => step._id === stepId) ?? digests[0];
      carrier = next;
      if (!digest || (isFinished(digest) && digest.status !== 'merged')) return { findings: [] };
      if (digest.status !== 'merged') return judgeOpen({ item, carrier, job: digest });
    }
  };

  const lost = (item: ActivityItem, since: number | string | undefined) =>
    finding(
      item,
      'lost-in-digest',
      since,
      'The digest that the event was merged into never ended.',
      { cause: 'digest_merged' },
    );

  const silent = (item: ActivityItem): Finding[] => {
    const verdicts = stepVerdicts(item);
    const outcome = recipientOutcome(jobProgress(item), verdicts);
    const reasons = verdicts.length > 0 ? verdicts : failuresWithoutMessage(item);
    const first = reasons.find(({ cause }) => cause !== null && !choices.has(cause));
    const isDelivered = verdicts.some(({ verdict }) => verdict === 'delivered');
    if (outcome === 'waiting' || isDelivered || !first) return [];
    const { channel, cause } = first;
    return [finding(item, 'silent', item.createdAt, verdictMessage(first), { channel, cause })];
  };

  const twice = (item: ActivityItem, job: Job): Finding[] => {
    const key = `${item.transactionId}\n${recipientOf(item)}\n${job.step?._id ?? job._id}`;
    if (job.status !== 'completed' || deliveries.add(idHash(key))) return [];
    const message = `The ${channelName(job.type)} of one step was sent twice.`;
    return [finding(item, 'twice', item.createdAt, message, { channel: job.type })];
  };

  const dead = (item: ActivityItem, job: Job): Finding[] =>
    [...providerResults(job)].flatMap(([providerId, { isSent, reason }]) => {
      // The listing begins with the newest event: an address that has worked since is not dead.
      if (!uses.add(idHash(`${recipientOf(item)}\n${providerId}`))) return [];
      if (isSent || reason === undefined || !deadAddress.test(reason)) return [];
      const message = `The provider ${providerId} does not know the address: ${reason}`;
      const more = { channel: job.type, cause: 'provider_error', providerId };
      return [finding(item, 'dead-addresses', item.createdAt, message, more)];
    });

  return {
    /** Compares an event with those before it: to call in the order of the listing. */
    compare: ({ jobs, ...item }: ActivityItem): Finding[] =>
      (jobs ?? [])
        .filter(({ type }) => isChannel(type))
        .flatMap((job) => [...twice(item, job), ...dead(item, job)]),
    /** `find` returns the event whose digest carries this one. */
    judge(item: ActivityItem, find: FindEvent = () => undefined): Verdict {
      if (isWithoutSteps(item)) return { findings: [] };
      if ((item.jobs ?? []).length === 0) {
        const at = Date.parse(item.createdAt ?? '');
        const text = 'The service accepted the event and created no jobs.';
        return { findings: isLate(at) ? [finding(item, 'without-jobs', at, text)] : [] };
      }
      const job = openJob(item);
      const isMerged = item.jobs?.some(({ status }) => status === 'merged');
      if (job) return judgeOpen({ item, carrier: item, job });
      return isMerged ? judgeMerged(item, find) : { findings: silent(item) };
    },
    /** Decides about an event when its recipient is known. */
    answer: judgeOpen,
    memory: (): AuditMemory => ({ deliveries: deliveries.list(), uses: uses.list() }),
  };
}

/** Whether the addresses of a channel are credentials of a provider. */
const hasCredentials = (channel: string) => channel !== 'in_app' && !hasPrimary(channel);

interface ProviderResult {
  isSent: boolean;
  reason: string | undefined;
}

/** The result of each provider of a push or chat step, from the details in their order. */
function providerResults({ type, providerId, executionDetails }: Job): Map<string, ProviderResult> {
  const results = new Map<string, ProviderResult>();
  if (!hasCredentials(type)) return results;
  let provider: string = providerId;
  for (const detail of executionDetails ?? []) {
    if (/ provider was selected$/.test(detail.detail)) {
      const { providerId: selected } = rawObject(detail);
      provider = typeof selected === 'string' ? selected : (detail.providerId ?? providerId);
      continue;
    }
    const isError = detail.status === 'Failed' && /provider error/i.test(detail.detail);
    if (!isError && detail.detail !== 'Message sent') continue;
    const earlier = results.get(provider);
    const reason = isError ? failureTexts([detail])[0] : undefined;
    results.set(provider, {
      isSent: earlier?.isSent === true || !isError,
      reason: earlier?.reason ?? reason,
    });
  }
  return results;
}

// Groups of findings with the same cause.

type GroupMember = 'kind' | 'workflow' | 'cause' | 'channel' | 'providerId' | 'since' | 'message';

export interface FindingGroup extends Pick<Finding, GroupMember> {
  count: number;
  examples: Pick<Finding, 'transactionId' | 'subscriberId' | 'since'>[];
  next: string[];
}

const maxExamples = 3;
/** Groups beyond this number are only counted. */
const maxGroups = 1_000;

export type GroupEntries = readonly (readonly [key: string, group: FindingGroup])[];

/** `selection`: options that select the same events, for the commands that a group proposes. */
export function createGroups(entries: GroupEntries = [], selection = '') {
  const groups = new Map(entries);
  return {
    add(finding: Finding): void {
      const { kind, workflow, cause, message, since, providerId, channel } = finding;
      const key = JSON.stringify([kind, workflow, cause, channel, providerId]);
      const group = groups.get(key) ?? {
        kind,
        workflow,
        cause,
        channel,
        providerId,
        count: 0,
        since,
        message,
        examples: [],
        next: nextCommands(finding, selection),
      };
      group.count += 1;
      if ((since ?? '') < (group.since ?? '')) group.since = since;
      if (group.examples.length < maxExamples) {
        const { transactionId, subscriberId } = finding;
        group.examples.push({ transactionId, subscriberId, since });
      }
      if (groups.has(key) || groups.size < maxGroups) groups.set(key, group);
    },
    entries: (): GroupEntries => [...groups],
    /** The kinds in their order, the most frequent group first. */
    list: (): FindingGroup[] =>
      [...groups.values()].sort(
        (a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind) || b.count - a.count,
      ),
  };
}

function nextCommands(
  { kind, transactionId, subscriberId, providerId }: Finding,
  selection: string,
): string[] {
  const [subscriber, transaction] = [shellWord(subscriberId), shellWord(transactionId)];
  const explain = `svc activity explain ${subscriber} --transaction ${transaction}`;
  const resend = [
    `svc activity audit${selection} --only ${kind} -o ids > ${kind}.txt`,
    `svc events resend --transactions ${kind}.txt`,
  ];
  switch (kind) {
    case 'overdue':
    case 'silent':
      return [explain, ...resend];
    case 'without-jobs':
    case 'lost-in-digest':
      return resend;
    case 'twice':
      return [`svc activity get ${transaction}`];
    case 'dead-addresses':
      return [
        `svc subscribers credentials delete ${subscriber} ${shellWord(providerId ?? '')}`,
        `svc activity audit${selection} --fix dead-addresses`,
      ];
  }
}
