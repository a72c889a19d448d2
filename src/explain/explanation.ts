// The explanation of an event for one subscriber: what the command prints.

import type { ChannelCause, StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem, TopicOfEvent } from '../service/schemas/activity.ts';
import type { EventCause } from './causes.ts';
import { isWithoutSteps } from './event-outcome.ts';
import { detailText } from './failure-reason.ts';
import { channelName, verdictMessage } from './messages.ts';
import { nextCommands } from './next-commands.ts';
import { type Subject, workflowIdentifier } from './subject.ts';
import {
  type FindEvent,
  failuresWithoutMessage,
  type StepVerdict,
  stepVerdicts,
} from './verdict.ts';

export interface ChannelExplanation {
  channel: string;
  verdict: StepOutcome;
  cause: ChannelCause | null;
  message: string;
  /** Execution details; entries that begin with `now:` are settings of today. */
  evidence: string[];
  /** Commands to run next. */
  next: string[];
}

export interface Explanation {
  transactionId: string | null;
  workflow: string | null;
  at: string | null;
  /** Why no event was found, or the cause of the first channel that did not deliver. */
  cause: ChannelCause | EventCause | null;
  message: string;
  channels: ChannelExplanation[];
}

/** The verdicts of the channels that were asked about. */
export const chosenVerdicts = ({ item, channels }: Subject, findEvent?: FindEvent): StepVerdict[] =>
  stepVerdicts(item, findEvent).filter(({ channel }) => channels?.includes(channel) ?? true);

/** `now` returns the evidence from settings of today. */
export function explainEvent(
  subject: Subject,
  verdicts: readonly StepVerdict[],
  now: (verdict: StepVerdict) => readonly string[],
): Explanation {
  const { item } = subject;
  const channels = verdicts.map((verdict) => ({
    channel: verdict.channel,
    verdict: verdict.verdict,
    cause: verdict.cause,
    message: verdictMessage(verdict),
    evidence: [...listEvidence(item, verdict), ...now(verdict)],
    next: nextCommands(subject, verdict),
  }));
  const first = [...channels, ...failuresWithoutMessage(item)].find(
    ({ verdict }) => verdict !== 'delivered',
  );
  return {
    transactionId: item.transactionId,
    workflow: workflowIdentifier(item) ?? null,
    at: item.createdAt ?? null,
    cause: isWithoutSteps(item) ? 'no_steps' : (first?.cause ?? null),
    message: summary(subject, channels),
    channels,
  };
}

function listEvidence(item: ActivityItem, { detail }: StepVerdict): string[] {
  const time = detail?.createdAt === undefined ? '' : `${detail.createdAt} `;
  return [
    ...(detail ? [`${time}${detailText(detail)}`] : []),
    ...(item.topics ?? []).flatMap(conditionLine),
    ...(item.critical === true
      ? ['critical: this workflow ignores preferences and the schedule of subscribers']
      : []),
  ];
}

/** The service triggers the event only for subscriptions whose condition is met. */
function conditionLine({ preferenceEvaluation }: TopicOfEvent): string[] {
  const { result, subscriptionIdentifier, condition } = preferenceEvaluation ?? {};
  if (condition === undefined || condition === null) return [];
  const met = result === false ? 'was not met' : 'was met';
  return [`the condition of the subscription \`${subscriptionIdentifier}\` ${met}`];
}

const outcomes: Record<StepOutcome, string> = {
  delivered: 'was delivered',
  skipped: 'was skipped',
  failed: 'failed',
  waiting: 'is waiting',
};

function summary({ subscriberId, item }: Subject, channels: readonly ChannelExplanation[]): string {
  const workflow = workflowIdentifier(item) ?? 'the workflow';
  const where = `of ${workflow} for ${subscriberId}`;
  const undelivered = channels.filter(({ verdict }) => verdict !== 'delivered');
  const [first, ...others] = undelivered;
  if (isWithoutSteps(item))
    return `Workflow ${workflow} had no active step, so the event for ${subscriberId} sent nothing.`;
  if ((item.jobs ?? []).length === 0) return `The event ${where} has not been processed yet.`;
  if (channels.length === 0)
    return [
      `The event ${where} has no step that sends a message.`,
      ...failuresWithoutMessage(item).map(verdictMessage),
    ].join(' ');
  if (!first) return `Every message ${where} was delivered.`;
  if (others.length > 0) {
    const hasOneReason = others.every((other) => other.message === first.message);
    const counts = `${channels.length - undelivered.length} of ${channels.length} messages`;
    return `${counts} ${where} were delivered.${hasOneReason ? ` ${first.message}` : ''}`;
  }
  return `The ${channelName(first.channel)} ${where} ${outcomes[first.verdict]}. ${first.message}`;
}
