// The statuses of a job, and what each one means for the message of its step. Servers may add statuses; such a job
// counts as not finished.
import { keysOf } from '../core/objects.ts';
import type { MessageStatus } from './schemas/vocabulary.ts';

/** In the order of counts and legends. */
export const stepOutcomes = ['delivered', 'failed', 'skipped', 'waiting'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

const outcomes = {
  pending: 'waiting',
  queued: 'waiting',
  running: 'waiting',
  completed: 'delivered',
  failed: 'failed',
  delayed: 'waiting',
  canceled: 'skipped',
  // Unless the event whose digest carries the step is known: see `stepVerdicts`.
  merged: 'skipped',
  skipped: 'skipped',
} as const satisfies Record<string, StepOutcome>;
export const jobStatuses = keysOf(outcomes);
export type JobStatus = keyof typeof outcomes;

/** The outcome of the step of a job. For a step that sends nothing, `delivered` means that it has run. */
export const stepOutcome = ({ status }: { status: string }): StepOutcome =>
  Object.hasOwn(outcomes, status) ? outcomes[status as JobStatus] : 'waiting';

/** Whether the job has a final status. */
export const isFinished = (job: { status: string }): boolean => stepOutcome(job) !== 'waiting';

/** The outcome of the step that created a message: a warning means that the subscriber has no address. */
export const messageOutcomes = {
  sent: 'delivered',
  error: 'failed',
  warning: 'skipped',
} as const satisfies Record<MessageStatus, StepOutcome>;

// The execution details that the service writes about a job, and the causes that they name. Texts of other versions
// differ, so causes are found by patterns.

export const detailTexts = {
  stepQueued: 'Step queued',
  messageCreated: 'Message created',
  messageSent: 'Message sent',
  layoutSelected: 'Layout selected',
  // The service writes a space at its end.
  layoutNotFound: 'Layout not found ',

  stepDelayed: 'Step delayed',
  delayFinished: 'Delay is finished',
  invalidDelay: 'Invalid delay configuration',
  waitTooLong: 'Defer duration limit exceeded',
  stepDigested: 'Step digested',
  digestMerged: 'Digest was merged with other digest',
  digestSkipped: 'Digest was skipped, first backoff event',
  digestTriggered: 'Digest triggered events',
  invalidDigest: 'Digest step has neither an amount and unit nor a cron expression',
  throttled: 'Throttle limit exceeded for the given window',
  throttlePast: 'Throttle window date is in the past',

  outsideSchedule: "The step was skipped as it fell outside the subscriber's schedule",
  extendedToSchedule: 'Step was extended to the next available time in the subscriber schedule',
  extendedTooOften:
    'Step was executed due to maximum number of subscriber schedule extensions reached',
  /** Written for a channel step whose `skip` condition skips it. */
  skippedByRule: 'Bridge execution skipped',
  /** Written for filters of a channel step, and for the `skip` condition of a digest, delay or throttle. */
  skippedByCondition: 'Step was skipped based on steps conditions',

  missingEmail: 'Subscriber missing email address',
  missingPhone: 'Subscriber missing phone number',
  noChannel: 'Subscriber does not have a configured channel',
  noChannelInContext: 'Subscriber does not have a configured channel with the given context',
  missingWebhook: 'Webhook URL for the chat channel is missing',
  missingChatPhone: 'Subscriber is missing a phone number',
  noIntegration: 'Subscriber does not have an active integration',
  pushSkipped: 'Some push channels skipped to send the message',
  chatSkipped: 'Some chat channels skipped to send the message',
  allChatFailed: 'All chat channels failed to send the message',
  notSent: 'There was one or more errors when trying to execute the notification',
  providerError: 'Unexpected provider error',
  stepFailed: 'Bridge execution failed',
  /** Of steps that send a request. */
  stepProcessed: 'Step processed',
  httpRequestFailed: 'Action step execution failed',
  responseNoObject: 'HTTP request step received a non-object response',
  responseInvalid: 'Response body schema validation failed',
  haltedByFailure: 'Step was canceled because a previous step failed',
} as const;

export const providerSelected = (name: string) => `${name} provider was selected`;
export const filteredByPreferences = (level: string) => `Step filtered by ${level} preferences`;

/** Why a channel did not deliver. */
export const channelCauses = [
  'workflow_preference',
  'global_preference',
  'workflow_default',
  'schedule',
  'condition',
  'missing_email',
  'missing_phone',
  'missing_channel',
  'no_integration',
  'inactive_integration',
  'no_primary_integration',
  'no_active_integration',
  'provider_error',
  'template_error',
  'digest_waiting',
  'digest_merged',
  'delayed_until',
  'canceled',
  'throttled',
  'halted',
  'http_request_failed',
  'response_invalid',
] as const;
export type ChannelCause = (typeof channelCauses)[number];

/** The causes of a failed message. Other messages are skipped or wait. */
export const failureCauses = [
  'provider_error',
  'template_error',
  'no_active_integration',
  'missing_channel',
  'halted',
  'http_request_failed',
  'response_invalid',
] as const satisfies readonly ChannelCause[];

type Detail = { detail: string };

/** The start of a digest or delay, or of its extension to the schedule. */
export const isWaitStart = ({ detail }: Detail): boolean =>
  /^step (delayed|digested|was extended)/i.test(detail);
export const isThrottled = ({ detail }: Detail): boolean => /^throttle limit/i.test(detail);
export const isMerged = ({ detail }: Detail): boolean => /^digest was merged/i.test(detail);
/** Written for each job that a failed step stops, since version 3.15. */
export const isHaltedByFailure = ({ detail }: Detail): boolean =>
  /canceled because a previous step failed/i.test(detail);

/** Ordered by importance: a job with several destinations can have several of these details. */
export const causesByDetail: readonly [RegExp, ChannelCause][] = [
  [/filtered by subscriber workflow preferences/i, 'workflow_preference'],
  [/filtered by subscriber global preferences/i, 'global_preference'],
  // The user of the service who edited the workflow, not the subscriber.
  [/filtered by (workflow|user) preferences/i, 'workflow_default'],
  [/outside (of )?the (subscriber's )?schedule/i, 'schedule'],
  [/bridge execution skipped|(skipped|filtered) based on .*(condition|filter)/i, 'condition'],
  [/missing e-?mail/i, 'missing_email'],
  [/missing (a )?phone/i, 'missing_phone'],
  [/webhook url .*is missing/i, 'missing_channel'],
  [/ms teams (channel|user) not found/i, 'missing_channel'],
  [/provider error|ms teams/i, 'provider_error'],
  [/action step execution failed/i, 'http_request_failed'],
  [/response body schema validation failed/i, 'response_invalid'],
  [
    /(bridge|step resolver) execution (failed|timeout)|could not be generated|layout .*not found/i,
    'template_error',
  ],
  [/missing the tokens|missing recipient details/i, 'missing_channel'],
  [/does not have a configured channel|no_channel_endpoint_for_subscriber/i, 'missing_channel'],
  [/does not have an active integration/i, 'no_active_integration'],
];

/** The addresses that a message did not reach, by their errors; undefined if it reached all or none. */
export function missedText(
  errors: readonly (string | undefined)[],
  all: number,
): string | undefined {
  if (errors.length === 0 || errors.length === all) return undefined;
  const reasons = [...new Set(errors)].filter(Boolean).join('; ');
  return `not to ${errors.length} of ${all} addresses${reasons && `: ${reasons}`}`;
}
