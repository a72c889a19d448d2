// The end of a run: its summary for programs, a few lines for a person, and its ending.
import { type Ending, SvcError } from '../errors.ts';
import { counted, grouped } from '../output/progress.ts';
import { type ReportResult, report } from '../output/result.ts';
import type { Reason } from '../runs/reasons.ts';
import type { Summary } from '../runs/tally.ts';

export interface Ended {
  summary: Summary;
  cause: SvcError | undefined;
  /** It ended early and its input can be read again. */
  resumable: boolean;
}

export interface RunWords {
  /** `Imported`. */
  did: string;
  /** Where the run writes: `in Production (profile live)`. */
  place?: string;
  /** Why rows were rejected, the most frequent reasons first. */
  reasons?: readonly Reason[];
  /** The command that takes mended rejects. */
  mend: (rejects: string) => string;
  /** What to do once a broken input is mended. */
  repeat?: string;
}

/** The words of success, as a person reads them. */
const successes = {
  created: 'created',
  updated: 'updated',
  subscribed: 'subscribed',
  triggered: 'triggered',
  cancelled: 'cancelled',
  notWaiting: 'had nothing waiting',
  marked: 'marked',
} as const;

export function runReport(ended: Ended, words: RunWords): ReportResult {
  const { summary, cause, resumable } = ended;
  const resume = `svc runs resume ${summary.runId}`;
  return report({
    value: summary,
    lines: [
      ...linesOf(summary, words),
      ...rejectsLines(ended, words),
      ...stoppedLines(ended, resume),
    ],
    ids: [summary.runId],
    ending: endingOf(summary, cause),
    failure: failureOf(ended, words, resume),
    ...(cause ? { cause: resumable ? withNext(cause, resume) : advised(cause, words) } : {}),
  });
}

const withNext = ({ ending, message, facts }: SvcError, next: string) =>
  new SvcError(ending, message, { ...facts, next: [...(facts.next ?? []), next] });

/** A broken input is another file once it is mended: no run goes on with it. */
function advised(cause: SvcError, { repeat }: RunWords): SvcError {
  if (!isBroken(cause) || repeat === undefined) return cause;
  const hint = [cause.facts.hint, repeat].filter(Boolean).join(' ');
  return new SvcError(cause.ending, cause.message, { ...cause.facts, hint });
}

/** What ended the run is its input, which cannot be read further. */
export const isBroken = (cause: SvcError | undefined) => cause?.ending === 'partial';

const goodOf = (summary: Summary) =>
  (Object.keys(successes) as (keyof typeof successes)[])
    .filter((word) => summary[word] !== undefined)
    .map((word) => ({ word: successes[word], count: summary[word] ?? 0 }));

function endingOf(summary: Summary, cause: SvcError | undefined): Ending {
  const { stopped, rows, failed, invalid, unknown, skipped } = summary;
  if (cause) return cause.ending;
  if (stopped && ['interrupted', 'terminated', 'hangup'].includes(stopped.reason))
    return stopped.reason as Ending;
  if (stopped) return 'partial';
  const bad = failed + invalid + unknown;
  if (bad === 0) return 'ok';
  return bad === rows && skipped === 0 ? 'refused' : 'partial';
}

function linesOf(summary: Summary, { did, place, reasons = [] }: RunWords): string[] {
  const { rows, failed, invalid, skipped, unknown, seconds, rowsPerSecond } = summary;
  const pace = `in ${seconds} s (${grouped(rowsPerSecond)}/s)`;
  if (did === 'Checked') {
    return [
      `Checked ${counted(rows, 'row')} ${pace}; nothing was sent.`,
      ...(invalid === 0 ? [] : [`Not valid: ${grouped(invalid)}.`]),
      ...reasonLines(reasons),
    ];
  }
  const good = goodOf(summary);
  const done = good.reduce((sum, { count }) => sum + count, 0);
  const parts = good.map(({ word, count }) => `${grouped(count)} ${word}`);
  const bad = [
    ...(invalid === 0 ? [] : [`${grouped(invalid)} not valid`]),
    ...(failed === 0 ? [] : [`${grouped(failed)} refused by the service`]),
    ...(unknown === 0 ? [] : [`${grouped(unknown)} not named in the answer`]),
  ];
  return [
    `${did} ${grouped(done)} of ${counted(rows, 'row')}${place === undefined ? '' : ` ${place}`} ${pace}${parts.length > 1 ? `: ${parts.join(', ')}` : ''}.`,
    ...(skipped === 0 ? [] : [`Checked and not sent: ${grouped(skipped)}.`]),
    ...(bad.length === 0 ? [] : [`Rejected: ${bad.join(', ')}.`]),
    ...reasonLines(reasons),
  ];
}

/** What is told on standard error beside a summary for programs. */
function failureOf(ended: Ended, words: RunWords, resume: string) {
  const { rows, failed, invalid, unknown } = ended.summary;
  const bad = failed + invalid + unknown;
  const [message = '', ...hints] = [
    ...(bad === 0 ? [] : [`${grouped(bad)} of ${counted(rows, 'row')} rejected.`]),
    ...stoppedLines(ended, resume),
    ...rejectsLines(ended, words),
  ];
  const why = reasonLines(words.reasons ?? []);
  return {
    message,
    details: why.map((line) => ({ field: '', message: line.trim() })),
    hint: hints.join(' '),
  };
}

const longestReason = 160;

export const reasonLines = (reasons: readonly Reason[]): string[] =>
  reasons.map(({ why, count }) => `  ${grouped(count)} × ${shortened(why)}`);

const shortened = (why: string) =>
  why.length > longestReason ? `${why.slice(0, longestReason)}…` : why;

function rejectsLines({ summary, cause, resumable }: Ended, { mend }: RunWords): string[] {
  const { rejects, failed, invalid, unknown, runId } = summary;
  if (rejects === null) return [];
  if (!resumable) return [`Mend them, then: ${mend(rejects)}`];
  const then = cause
    ? 'Mend them once the run has gone on.'
    : `Go on first: svc runs resume ${runId}; then mend them.`;
  return [`Rejected so far: ${grouped(failed + invalid + unknown)}, in ${rejects}. ${then}`];
}

/** An error is told with its reason, and with what goes on, where errors are told. */
function stoppedLines({ summary, cause, resumable }: Ended, resume: string): string[] {
  const { stopped, rows, rejects } = summary;
  if (stopped === null) return [];
  const why = cause ? '' : ` (${stopped.reason})`;
  const line = stopped.line === undefined ? '' : `, read as far as line ${stopped.line}`;
  const isSaid = cause !== undefined || rejects !== null || !resumable;
  return [
    `Stopped early${why}: ${counted(rows, 'row')} settled${line}.`,
    ...(isSaid ? [] : [`Go on: ${resume}`]),
  ];
}
