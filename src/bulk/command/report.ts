// The end of a run: its summary for programs, a few lines for a person, and its ending.
import { type ExitReason, SvcError } from '../../core/errors.ts';
import { counted, grouped } from '../../output/progress.ts';
import { type ReportResult, report } from '../../output/result.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Summary } from '../engine/stats.ts';

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
  /** The command that takes rejected rows again once they are fixed. */
  mend: (rejects: string) => string;
  /** What to do with rejected rows, when it is not to fix them. */
  redo?: string;
  /** What rows of an unknown outcome are, when it is not that the response does not name them. */
  unknown?: string;
  /** What to do once a broken input is fixed. */
  repeat?: string;
}

/** The words of success, as a person reads them. */
const successes = {
  created: 'created',
  updated: 'updated',
  subscribed: 'subscribed',
  triggered: 'triggered',
  cancelled: 'cancelled',
  notPending: 'had nothing left to cancel',
  marked: 'marked',
} as const;

export function runReport(ended: Ended, words: RunWords): ReportResult {
  const { summary, cause, resumable } = ended;
  const resume = `svc runs resume ${summary.runId}`;
  const exitReason = exitReasonOf(summary, cause);
  return report({
    value: summary,
    lines: [
      ...linesOf(summary, words),
      ...rejectsLines(ended, words),
      ...stoppedLines(ended, resume),
    ],
    ids: [summary.runId],
    exitReason,
    failure: failureOf(ended, words, resume),
    ...(cause
      ? { cause: resumable ? withNext(cause, resume) : advised(cause, exitReason, words) }
      : {}),
  });
}

const withNext = ({ exitReason, message, details }: SvcError, next: string) =>
  new SvcError(exitReason, message, { ...details, next: [...(details.next ?? []), next] });

/** A broken input is another file once it is fixed, so its run cannot be resumed. */
function advised(cause: SvcError, exitReason: ExitReason, { repeat }: RunWords): SvcError {
  if (!isBroken(cause)) return cause;
  const hint = [cause.details.hint, repeat].filter(Boolean).join(' ');
  return new SvcError(exitReason, cause.message, { ...cause.details, ...(hint ? { hint } : {}) });
}

/** What ended the run is its input, which cannot be read further. */
export const isBroken = (cause: SvcError | undefined) => cause?.exitReason === 'partial';

const goodOf = (summary: Summary) =>
  (Object.keys(successes) as (keyof typeof successes)[])
    .filter((word) => summary[word] !== undefined)
    .map((word) => ({ word: successes[word], count: summary[word] ?? 0 }));

function exitReasonOf(summary: Summary, cause: SvcError | undefined): ExitReason {
  const { stopped, rows, failed, invalid, unknown, requests } = summary;
  if (cause && !isBroken(cause)) return cause.exitReason;
  if (stopped && ['interrupted', 'terminated', 'hangup'].includes(stopped.reason))
    return stopped.reason as ExitReason;
  const bad = failed + invalid + unknown;
  if (bad === 0 && stopped === null) return 'ok';
  // --max-errors stopped it: the rest may be right.
  if (bad < rows || (stopped && !cause)) return 'partial';
  return requests === 0 ? 'usage' : 'refused';
}

function linesOf(summary: Summary, words: RunWords): string[] {
  const { did, place, reasons = [], unknown: named } = words;
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
    ...(unknown === 0 ? [] : [`${grouped(unknown)} ${named ?? 'not named in the answer'}`]),
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
    ...(bad === 0
      ? []
      : [
          `${grouped(bad)} of ${counted(rows, 'row')} ${bad === unknown ? (words.unknown ?? 'rejected') : 'rejected'}.`,
        ]),
    ...stoppedLines(ended, resume),
    ...rejectsLines(ended, words),
  ];
  const why = reasonLines(words.reasons ?? []);
  return {
    message,
    fieldErrors: why.map((line) => ({ field: '', message: line.trim() })),
    hint: hints.join(' '),
  };
}

export const reasonLines = (reasons: readonly Reason[]): string[] =>
  reasons.map(({ why, count }) => `  ${grouped(count)} × ${why}`);

function rejectsLines({ summary, cause, resumable }: Ended, { mend, redo }: RunWords): string[] {
  const { rejects, failed, invalid, unknown, runId } = summary;
  if (rejects === null) return [];
  const files = summary.rejectsFiles ?? [rejects];
  if (!resumable)
    return files.map((file) => `${redo ?? 'Fix the rejected rows, then run'}: ${mend(file)}`);
  const what = redo ?? 'Fix them';
  const then = cause
    ? `${what} once the resumed run has finished.`
    : `Resume the run first: svc runs resume ${runId}; then ${what.toLowerCase()}.`;
  const count = grouped(failed + invalid + unknown);
  return [`Rejected so far: ${count}, in ${files.join(' and ')}. ${then}`];
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
