// Counts of outcomes, from groups of recipients, and their tokens and bars.

import { type EventOutcome, eventOutcome } from '../../deliveries/outcome.ts';
import { messageCount } from '../../deliveries/outcome-tokens.ts';
import { noOutcomes, type OutcomeCounts } from '../../deliveries/summary.ts';
import {
  failuresWithoutMessage,
  type StepVerdict,
  stepVerdicts,
  verdictMessage,
} from '../../deliveries/verdict.ts';
import { channelCauses, type StepOutcome, stepOutcomes } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { maxGrouped, type OutcomeGroup, partSize } from '../store/page-overview.ts';
import { stepTitle } from './message-names.ts';

const eventOutcomes = ['delivered', 'undelivered', 'unfinished'] as const;

/** Why messages of a channel were not delivered. */
export interface CountedReason {
  /** `email.missing_email` */
  key: string;
  sentence: string;
  outcome: StepOutcome;
  count: number;
}

export interface Counts {
  recipients: number;
  messages: OutcomeCounts;
  channels: ReadonlyMap<string, OutcomeCounts>;
  /** By hour or event. */
  keys: ReadonlyMap<string, OutcomeCounts>;
  workflows: ReadonlyMap<string, OutcomeCounts>;
  /** Without waiting steps; the most frequent first. */
  reasons: readonly CountedReason[];
}

const reasonKey = ({ channel, cause, verdict }: StepVerdict) => `${channel}.${cause ?? verdict}`;

interface Judged {
  outcome: EventOutcome;
  verdicts: readonly StepVerdict[];
}

/** The outcome and the verdicts of one recipient of a group. */
export function judgeGroup({ jobs, carried }: Pick<OutcomeGroup, 'jobs' | 'carried'>): Judged {
  const item = toItem(jobs, carried !== undefined);
  const main = carried && toItem(carried, false);
  const verdicts = stepVerdicts(item, () => main);
  return {
    outcome: eventOutcome(item, verdicts),
    verdicts: [...verdicts, ...failuresWithoutMessage(item)],
  };
}

/** An item with only what outcomes are derived from. The place of a step stands for its id. */
const toItem = (jobs: OutcomeGroup['jobs'], isCarried: boolean) =>
  ({
    _digestedNotificationId: isCarried ? 'digest' : undefined,
    transactionId: '',
    jobs: jobs.map(([type, status, details], position) => ({
      type,
      status,
      step: { _id: String(position) },
      executionDetails: (details ?? []).map(([detail, state, raw]) => ({
        detail,
        status: state,
        raw,
      })),
    })),
  }) as unknown as ActivityItem;

/**
 * Whether a recipient has an outcome: `undelivered` as a whole, or in one step: `email.failed`, `any.waiting`,
 * `email.missing_email`.
 */
export function hasOutcome({ outcome, verdicts }: Judged, wanted: string): boolean {
  const [channel, result] = wanted.split('.');
  if (result === undefined) return outcome === wanted;
  return verdicts.some(
    (step) =>
      (channel === 'any' || step.channel === channel) &&
      (step.verdict === result || step.cause === result),
  );
}

/** The outcomes of `hasOutcome` that can be chosen, with the one that an address names. */
export function outcomeChoices(chosen: string | undefined) {
  const choices: { value: string; text: string }[] = [
    ...eventOutcomes.map((value) => ({ value, text: value })),
    ...stepOutcomes.map((outcome) => ({ value: `any.${outcome}`, text: `a step ${outcome}` })),
  ];
  if (chosen === undefined || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, text: outcomeText(chosen) }];
}

/** `E-mail failed`, or the sentence of the cause. */
export function outcomeText(outcome: string): string {
  const [channel = '', result = ''] = outcome.split('.');
  const cause = channelCauses.find((name) => name === result);
  return cause === undefined
    ? `${stepTitle(channel)} ${result}`
    : verdictMessage({ channel, cause, verdict: 'failed' });
}

export function countGroups(groups: readonly OutcomeGroup[]): Counts {
  const messages = noOutcomes();
  const channels = new Map<string, OutcomeCounts>();
  const keys = new Map<string, OutcomeCounts>();
  const workflows = new Map<string, OutcomeCounts>();
  const reasons = new Map<string, CountedReason>();
  let recipients = 0;
  for (const group of groups) {
    const { count } = group;
    const { verdicts } = judgeGroup(group);
    recipients += count;
    for (const step of verdicts) {
      messages[step.verdict] += count;
      const parts = [
        [channels, step.channel],
        [keys, group.key],
        [workflows, group.workflow],
      ] as const;
      for (const [map, key] of parts) {
        const counts = map.get(key) ?? noOutcomes();
        counts[step.verdict] += count;
        map.set(key, counts);
      }
      if (step.verdict === 'delivered' || step.verdict === 'waiting') continue;
      const key = reasonKey(step);
      const reason = reasons.get(key);
      if (reason) reason.count += count;
      else {
        const sentence = verdictMessage({ ...step, digest: undefined });
        reasons.set(key, { key, sentence, outcome: step.verdict, count });
      }
    }
  }
  return {
    recipients,
    messages,
    channels,
    keys,
    workflows,
    reasons: [...reasons.values()].sort((a, b) => b.count - a.count),
  };
}

/** The limit of the numbers, if they reach it. */
export const CountLimit = ({ counts: { recipients } }: { counts: Counts }) =>
  recipients <= maxGrouped - partSize ? null : (
    <p class="none">
      The numbers count at most {maxGrouped.toLocaleString('en')} recipients, the newest ones.
    </p>
  );

interface ReasonsProps {
  counts: Counts;
  max: number;
  /** The address of the list with this reason. */
  linkTo: (key: string) => string;
}

export const Reasons = ({ counts, max, linkTo }: ReasonsProps) => (
  <ul class="numbers">
    {counts.reasons.slice(0, max).map(({ key, sentence, outcome, count }) => (
      <li>
        <a href={linkTo(key)}>
          <b class={outcome}>{count.toLocaleString('en')}</b>
          <span dir="auto">{sentence}</span>
        </a>
      </li>
    ))}
  </ul>
);

/** `✓ 30 In-app`, `✗ 26 E-mail`: the channels of the event with their outcomes. */
export const ChannelTokens = ({ channels }: { channels: Counts['channels'] }) => (
  <span class="tokens">
    {[...channels].flatMap(([channel, counts]) =>
      stepOutcomes
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => (
          <span class={`token ${outcome}`}>
            {counts[outcome].toLocaleString('en')} {stepTitle(channel)}
            <span class="hidden"> {outcome}</span>
          </span>
        )),
    )}
  </span>
);

interface BarProps {
  counts: OutcomeCounts;
  label: string;
}

/** A part that exists is at least so wide, in percent, so that a single failure is red. */
const minPart = 1.5;

/** Messages by outcome as a bar. The numbers beside it say the same. */
export const Bar = ({ counts, label }: BarProps) => {
  const total = messageCount(counts);
  const parts = stepOutcomes.filter((outcome) => counts[outcome] > 0);
  const wanted = parts.map((outcome) => Math.max((100 * counts[outcome]) / total, minPart));
  const sum = wanted.reduce((all, part) => all + part, 0);
  const scale = 100 / Math.max(sum, 1e-9);
  let x = 0;
  return (
    <svg class="bar" role="img" aria-label={label} preserveAspectRatio="none">
      {parts.map((outcome, index) => {
        const part = (wanted[index] ?? 0) * scale;
        x += part;
        return <rect class={outcome} x={percent(x - part)} width={percent(part)} height="100%" />;
      })}
    </svg>
  );
};

export const percent = (value: number) => `${Number(value.toFixed(2))}%`;

/** `30 delivered, 2 failed` */
export const countsText = (counts: OutcomeCounts): string =>
  stepOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome].toLocaleString('en')} ${outcome}`)
    .join(', ') || 'no messages';
