// The verdict of each channel step of an event, from its jobs and execution details alone, and its sentence. A step that
// was merged into a digest has the verdict of the event whose digest carries it.
import {
  type ChannelCause,
  detailTexts,
  isHaltedByFailure,
  isMerged,
  isThrottled,
  isWaitStart,
  missedText,
  type StepOutcome,
} from '../service/job-outcomes.ts';
import type { ActivityItem, ExecutionDetail, Job } from '../service/schemas/activity.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';
import {
  detailText,
  dueTime,
  failureTexts,
  findCause,
  rawObject,
  scheduleText,
} from './details.ts';

export interface StepVerdict {
  channel: string;
  verdict: StepOutcome;
  cause: ChannelCause | null;
  /** The event whose digest carries the step. */
  digest?: { transactionId: string; at: string } | undefined;
  /** For the message: the reason of a failure, the end of a wait, the hours of a schedule. */
  reason?: string | undefined;
  until?: string | undefined;
  /** The id of the integration that can become the primary one. */
  integrationId?: string | undefined;
  stepId?: string | undefined;
  /** The detail that the verdict is based on. */
  detail?: ExecutionDetail | undefined;
}

/** Some servers omit the list. */
const listDetails = ({ executionDetails }: Partial<Job>): ExecutionDetail[] =>
  executionDetails ?? [];

/** An event with the verdicts of its own jobs. */
export interface JudgedEvent {
  transactionId: string;
  createdAt?: string | undefined;
  /** The event whose digest carries a step of this one. */
  digestId: string | undefined;
  verdicts: readonly StepVerdict[];
}

/** The verdicts of the channel steps, in order; a workflow can have several steps of one channel. */
export function judgedEvent(item: ActivityItem): JudgedEvent {
  // Some servers send null.
  const jobs = item.jobs ?? [];
  return {
    transactionId: item.transactionId,
    createdAt: item.createdAt,
    digestId: findDigestId(item),
    verdicts: jobs.flatMap((job, index) =>
      isChannel(job.type)
        ? [{ channel: job.type, stepId: job.step?._id, ...toVerdict(job, jobs.slice(0, index)) }]
        : [],
    ),
  };
}

/** The id of the event whose digest carries a step of this one. */
export const findDigestId = ({ _digestedNotificationId: id, jobs }: ActivityItem) =>
  jobs?.some(({ status }) => status === 'merged') ? id : undefined;

/** A digest can be merged into another one in turn. Servers that name events in a circle end here, too. */
const maxDigests = 10;

/**
 * The verdicts of an event, where a step that a digest carries has the verdict of the same step of the event with the
 * digest. Without that event, the step counts as skipped.
 */
export function carriedVerdicts(
  { digestId, verdicts }: JudgedEvent,
  find: (notificationId: string) => JudgedEvent | undefined,
  depth = 0,
): readonly StepVerdict[] {
  const main = digestId === undefined || depth === maxDigests ? undefined : find(digestId);
  if (!main) return verdicts;
  const carried = carriedVerdicts(main, find, depth + 1);
  const digest = { transactionId: main.transactionId, at: main.createdAt ?? '' };
  return verdicts.map((verdict) => {
    if (verdict.cause !== 'digest_merged') return verdict;
    const sameChannel = carried.filter(({ channel }) => channel === verdict.channel);
    const step = sameChannel.find(({ stepId }) => stepId === verdict.stepId) ?? sameChannel[0];
    return step ? { digest, ...step } : verdict;
  });
}

/** Returns an event by its `_id`; undefined if it is not known. */
export type FindEvent = (notificationId: string) => ActivityItem | undefined;

/** The verdicts of the channel steps of an event, with those of its digest if that event is known. */
export const stepVerdicts = (
  item: ActivityItem,
  findEvent: FindEvent = () => undefined,
): readonly StepVerdict[] =>
  carriedVerdicts(judgedEvent(item), (id) => {
    const main = findEvent(id);
    return main && judgedEvent(main);
  });

type Outcome = Omit<StepVerdict, 'channel' | 'stepId'>;

/** The failed steps of an event without messages, such as an HTTP request. */
export const failuresWithoutMessage = ({ jobs }: ActivityItem): StepVerdict[] =>
  !jobs || jobs.some(({ type }) => isChannel(type))
    ? []
    : jobs
        .filter(({ status }) => status === 'failed')
        .map((job) => ({ channel: job.type, ...toVerdict(job, []) }));

function toVerdict(job: Job, earlier: readonly Job[]): Outcome {
  const details = listDetails(job);
  switch (job.status) {
    case 'completed':
      return {
        verdict: 'delivered',
        cause: null,
        detail: details.at(-1),
        reason: missedAddresses(details),
      };
    case 'failed':
      return explained(job, 'failed') ?? unnamedFailure(job);
    case 'canceled':
    case 'skipped':
      return explained(job, 'skipped') ?? stoppedBefore(job, earlier);
    case 'merged':
      return merged([...earlier, job]);
    default:
      return notFinished(job, earlier);
  }
}

/** A message can have several addresses, such as device tokens; its step completes if it reaches one of them. */
function missedAddresses(details: readonly ExecutionDetail[]): string | undefined {
  const sent = details.filter(({ detail }) => detail === detailTexts.messageSent);
  const failed = details.filter(
    ({ detail, status }) => detail === detailTexts.providerError && status === 'Failed',
  );
  return missedText(failed.map(findReason), sent.length + failed.length);
}

function explained(job: Job, verdict: StepOutcome): Outcome | undefined {
  const explained = findCause(listDetails(job));
  if (!explained) return undefined;
  const { cause, detail } = explained;
  const { schedule, timezone } = rawObject(detail);
  const reason = cause === 'schedule' ? scheduleText(schedule, timezone) : findReason(detail);
  return { verdict, cause, detail, reason };
}

/** A failure in words of the service that svc does not know: the provider failed if it got a message. */
function unnamedFailure(job: Job): Outcome {
  const details = listDetails(job);
  const wasCreated = details.some(({ detail }) => detail === detailTexts.messageCreated);
  const otherCause = job.type === 'http_request' ? 'http_request_failed' : 'template_error';
  return {
    verdict: 'failed',
    cause: wasCreated ? 'provider_error' : otherCause,
    reason: failureTexts(details).join('; ') || undefined,
    detail: details.at(-1),
  };
}

/** A step that never ran: an earlier step throttled the event or failed, or the event was canceled. */
function stoppedBefore(job: Job, earlier: readonly Job[]): Outcome {
  const failure = findDetail([job], isHaltedByFailure);
  if (failure) return halted(earlier) ?? { verdict: 'skipped', cause: 'halted', detail: failure };
  const throttle = findDetail(earlier, isThrottled);
  if (throttle)
    return { verdict: 'skipped', cause: 'throttled', detail: throttle, until: dueTime(throttle) };
  return (
    halted(earlier) ?? { verdict: 'skipped', cause: 'canceled', detail: listDetails(job).at(-1) }
  );
}

function halted(earlier: readonly Job[]): Outcome | undefined {
  const failed = earlier.findLast(({ status }) => status === 'failed');
  if (!failed) return undefined;
  const { type } = failed;
  const details = listDetails(failed);
  return {
    verdict: 'skipped',
    cause: 'halted',
    reason: `${type}: ${failureTexts(details).join('; ')}`,
    detail: details.findLast(({ status }) => status === 'Failed') ?? details.at(-1),
  };
}

const merged = (jobs: readonly Job[]): Outcome => ({
  verdict: 'skipped',
  cause: 'digest_merged',
  detail: findDetail(jobs, isMerged),
});

/** Waits for an earlier digest or delay. After one of these fails, the service leaves the later steps pending. */
function notFinished(job: Job, earlier: readonly Job[]): Outcome {
  const { status } = job;
  const waiting = earlier.findLast((job) => job.status === 'delayed');
  if (!waiting) {
    const blocked = earlier.filter(({ type }) => !isChannel(type));
    return (
      (status === 'pending' ? halted(blocked) : undefined) ?? {
        verdict: 'waiting',
        cause: null,
        reason: status,
        detail: listDetails(job).at(-1),
      }
    );
  }
  return {
    verdict: 'waiting',
    cause: waiting.type === 'digest' ? 'digest_waiting' : 'delayed_until',
    until: waitEnd(waiting),
    detail: waitStart(waiting),
  };
}

const waitStart = (job: Job) => listDetails(job).findLast(isWaitStart);

/** When a digest or delay ends, as ISO text; undefined if the service does not say. */
export function waitEnd(job: Job): string | undefined {
  const started = waitStart(job);
  return (started && dueTime(started)) ?? job.digest?.timed?.untilDate;
}

const findDetail = (jobs: readonly Job[], matches: (detail: ExecutionDetail) => boolean) =>
  jobs.flatMap(listDetails).findLast(matches);

/** The reason in the raw text of a failure; undefined if the detail has none. */
function findReason(entry: ExecutionDetail): string | undefined {
  const text = detailText(entry);
  return text.startsWith(`${entry.detail}: `) ? text.slice(entry.detail.length + 2) : undefined;
}

export const workflowIdentifier = ({ template }: ActivityItem): string | undefined =>
  template?.triggers?.[0]?.identifier;

export const recipientOf = ({ subscriber, _subscriberId }: ActivityItem): string =>
  subscriber?.subscriberId ?? _subscriberId;

// One sentence for each verdict, for people. Times are ISO times.

const channelNames: Record<string, string> = {
  in_app: 'in-app notification',
  email: 'e-mail',
  sms: 'SMS',
  chat: 'chat message',
  push: 'push notification',
  tool: 'message to a tool',
};

export const channelName = (channel: string) =>
  (Object.hasOwn(channelNames, channel) ? channelNames[channel] : undefined) ?? channel;

const adjectives: Record<string, string> = { in_app: 'in-app', email: 'e-mail', sms: 'SMS' };

/** The channel before a noun: `e-mail integration`. */
export const channelAdjective = (channel: string) =>
  (Object.hasOwn(adjectives, channel) ? adjectives[channel] : undefined) ?? channel;

type Texts = Record<ChannelCause, (verdict: StepVerdict & { name: string }) => string>;

const because = (reason: string | undefined) => (reason === undefined ? '' : `: ${reason}`);
const until = (time: string | undefined) => (time === undefined ? '' : ` until ${time}`);

const texts: Texts = {
  workflow_preference: ({ name }) => `The subscriber turned off ${name} for this workflow`,
  global_preference: ({ name }) => `The subscriber turned off ${name} for all workflows`,
  workflow_default: ({ name }) => `The workflow had ${name} turned off`,
  schedule: ({ reason }) => `The step ran outside the subscriber's schedule${because(reason)}`,
  condition: () => 'The conditions of the step skipped it',
  missing_email: () => 'The subscriber had no e-mail address',
  missing_phone: () => 'The subscriber had no phone number',
  missing_channel: ({ channel }) =>
    channel === 'push'
      ? 'The subscriber had no device token for push'
      : `The subscriber had no ${channel} channel`,
  no_integration: ({ name }) => `No integration existed for ${name}`,
  inactive_integration: ({ name }) => `Every integration for ${name} was inactive`,
  no_primary_integration: ({ name }) => `No integration for ${name} was primary`,
  no_active_integration: ({ name, reason }) =>
    `No active integration could deliver ${name}${because(reason)}`,
  provider_error: ({ reason }) => `The provider returned an error${because(reason)}`,
  template_error: ({ reason }) => `The content could not be rendered${because(reason)}`,
  digest_waiting: (verdict) => `The event waits in a digest${until(verdict.until)}`,
  digest_merged: ({ reason }) =>
    `The event was merged into the digest of ${reason ?? 'an earlier event'}`,
  delayed_until: (verdict) => `The event waits in a delay${until(verdict.until)}`,
  canceled: () => 'The event was canceled before this step ran',
  throttled: (verdict) =>
    `The workflow is throttled${verdict.until === undefined ? '' : `: no more events pass until ${verdict.until}`}`,
  halted: ({ reason }) => `An earlier step failed and stopped the workflow${because(reason)}`,
  http_request_failed: ({ reason }) => `The HTTP request failed${because(reason)}`,
  response_invalid: ({ reason }) =>
    `The response to the HTTP request does not match the schema of the step${because(reason)}`,
};

/** The message of a verdict, as a sentence or two. */
export function verdictMessage(verdict: StepVerdict): string {
  const { digest } = verdict;
  if (digest === undefined) return ownMessage(verdict);
  const where = `In the digest of ${digest.at || digest.transactionId}`;
  if (verdict.verdict === 'waiting') return `${where}, waiting${until(verdict.until)}.`;
  const why = verdict.cause === null ? '' : ` ${ownMessage(verdict)}`;
  return `${where}, ${verdict.verdict}.${why}`;
}

function ownMessage(verdict: StepVerdict): string {
  const { cause, verdict: word, channel, reason } = verdict;
  if (cause !== null)
    return sentence(texts[cause]({ ...verdict, name: channelAdjective(channel) }));
  if (word === 'delivered')
    return sentence(
      `The ${channelName(channel)} was sent${reason === undefined ? '' : `, but ${reason}`}`,
    );
  return sentence(`The step has not run yet${reason === undefined ? '' : ` (${reason})`}`);
}

/** Causes that are not those of a step. */
const otherCauses: Readonly<Record<string, string>> = {
  queued: 'The step has not run yet.',
  rejected: 'The service rejected the event.',
  no_steps: 'The workflow has no active step.',
};

/** A sentence for a cause that messages of any channel can have, such as `queued`. */
export function causeSentence(cause: string): string {
  if (!Object.hasOwn(texts, cause)) return otherCauses[cause] ?? cause;
  const own = cause as ChannelCause;
  const anyChannel = { verdict: 'skipped', channel: 'such', name: 'the channel' } as const;
  return sentence(texts[own]({ ...anyChannel, cause: own }));
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);
