// The report of a run: the summary as data, the lines for a terminal, and the exit code.

import type { FollowUps } from '../../config/follow-up.ts';
import { counted, grouped } from '../../core/counts.ts';
import type { ExitReason, SvcError } from '../../core/errors.ts';
import { listText } from '../../core/text.ts';
import { exit, type ReportResult, report } from '../../output/result.ts';
import { canaryReason } from '../engine/canary.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Summary } from '../engine/stats.ts';
import { canaryText } from './canary.ts';

export interface EndedRun {
  summary: Summary;
  cause: SvcError | undefined;
  /** Whether it stopped early and its input can be read again. */
  resumable: boolean;
}

export interface ReportTexts {
  /** `Imported`. */
  pastVerb: string;
  /** The target, such as `in Production (profile live)`. */
  place?: string;
  /** Why rows were rejected, most frequent first. */
  reasons?: readonly Reason[];
  followUps: FollowUps;
  /** Returns the command that sends the rejected rows again after they are fixed. */
  retryCommand: (rejects: string) => string;
  /** Advice for rejected rows. Default: fix them. */
  rejectsAdvice?: string;
  /** Label for rows with unknown outcome. Default: not listed in the response. */
  unknownLabel?: string;
  /** Whether a problem affects all rows. */
  isBlocked?: boolean;
  /** Advice for an input that could not be read to its end. */
  repeatAdvice?: string;
}

/** Labels of the success states for the terminal. */
const successLabels = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  subscribed: 'subscribed',
  triggered: 'triggered',
  cancelled: 'cancelled',
  notPending: 'had nothing left to cancel',
  marked: 'marked',
  deleted: 'deleted',
  unsubscribed: 'removed',
  absent: 'already absent',
} as const;

export function runReport(ended: EndedRun, texts: ReportTexts): ReportResult {
  const { summary, cause, resumable } = ended;
  const resume = texts.followUps.line(`svc runs resume ${summary.runId}`);
  const exitReason = texts.isBlocked && !cause ? 'usage' : chooseExitReason(summary, cause);
  return report({
    value: summary,
    lines: [
      ...summaryLines(summary, texts),
      ...(summary.problems ?? []).map((problem) => `Problem: ${problem}`),
      ...canaryLines(summary),
      ...rejectsLines(ended, texts),
      ...stoppedLines(ended, resume),
      ...skipCanaryLines(ended, resume),
    ],
    ids: [summary.runId],
    end: cause
      ? {
          kind: 'error',
          cause: resumable
            ? addNextCommand(cause, resume)
            : addRepeatAdvice(cause, exitReason, texts),
        }
      : exit(exitReason, createFailure(ended, texts, resume)),
  });
}

const addNextCommand = (error: SvcError, next: string) =>
  error.with({ next: [...(error.details.next ?? []), next] });

/** Fixing a broken input changes the file, so the run cannot be resumed; the advice is to repeat the command. */
function addRepeatAdvice(
  cause: SvcError,
  exitReason: ExitReason,
  { repeatAdvice }: ReportTexts,
): SvcError {
  if (!isInputBroken(cause)) return cause;
  const hint = [cause.details.hint, repeatAdvice].filter(Boolean).join(' ');
  return cause.with({ exitReason, ...(hint ? { hint } : {}) });
}

/** Whether the run stopped because its input cannot be read further. */
export const isInputBroken = (cause: SvcError | undefined) => cause?.exitReason === 'partial';

const successCounts = (summary: Summary) =>
  (Object.keys(successLabels) as (keyof typeof successLabels)[])
    .filter((state) => summary[state] !== undefined)
    .map((state) => ({ label: successLabels[state], count: summary[state] ?? 0 }));

function chooseExitReason(summary: Summary, cause: SvcError | undefined): ExitReason {
  const { stopped, failed, invalid, unknown, requests, emptyRows = 0 } = summary;
  const rows = summary.rows - emptyRows;
  if (cause && !isInputBroken(cause)) return cause.exitReason;
  if (stopped && ['interrupted', 'terminated', 'hangup'].includes(stopped.reason))
    return stopped.reason as ExitReason;
  if (stopped?.reason === canaryReason) return 'undelivered';
  const bad = failed + invalid + unknown;
  if (bad === 0 && stopped === null) return summary.problems ? 'partial' : 'ok';
  // After --max-errors the remaining rows may be valid.
  if (bad < rows || (stopped && !cause)) return 'partial';
  return requests === 0 ? 'usage' : 'refused';
}

function summaryLines(summary: Summary, texts: ReportTexts): string[] {
  const { pastVerb, place, reasons = [], unknownLabel } = texts;
  const { rows, failed, invalid, unknown, replayed, seconds, rowsPerSecond } = summary;
  const { emptyRows } = summary;
  const emptyRowsLines =
    emptyRows === undefined ? [] : [`Skipped ${counted(emptyRows, 'empty row')}.`];
  const duration = `in ${seconds} s (${grouped(rowsPerSecond)}/s)`;
  if (pastVerb === 'Checked') {
    return [
      `Checked ${counted(rows, 'row')} ${duration}; nothing was sent.`,
      ...emptyRowsLines,
      ...(invalid === 0 ? [] : [`Invalid: ${grouped(invalid)}.`]),
      ...reasonLines(reasons),
    ];
  }
  const successes = successCounts(summary);
  const done = successes.reduce((sum, { count }) => sum + count, 0) - (summary.unchanged ?? 0);
  const parts = successes.map(({ label, count }) => `${grouped(count)} ${label}`);
  const bad = [
    ...(invalid === 0 ? [] : [`${grouped(invalid)} invalid`]),
    ...(failed === 0 ? [] : [`${grouped(failed)} rejected by the service`]),
    ...(unknown === 0
      ? []
      : [`${grouped(unknown)} ${unknownLabel ?? 'not listed in the response'}`]),
  ];
  return [
    `${pastVerb} ${grouped(done)} of ${counted(rows, 'row')}${place === undefined ? '' : ` ${place}`} ${duration}${parts.length > 1 ? `: ${parts.join(', ')}` : ''}.`,
    ...(replayed > 0
      ? [`Already sent by an earlier start of this run: ${grouped(replayed)}.`]
      : []),
    ...emptyRowsLines,
    ...(bad.length === 0 ? [] : [`Rejected: ${bad.join(', ')}.`]),
    ...reasonLines(reasons),
  ];
}

/** The error on standard error, for output formats where standard output contains only the summary. */
function createFailure(ended: EndedRun, texts: ReportTexts, resume: string) {
  const { rows, failed, invalid, unknown } = ended.summary;
  const bad = failed + invalid + unknown;
  const { problems = [] } = ended.summary;
  const [message = '', ...hints] = [
    ...(bad === 0
      ? []
      : [
          `${grouped(bad)} of ${counted(rows, 'row')} ${bad === unknown ? (texts.unknownLabel ?? 'rejected') : 'rejected'}.`,
        ]),
    ...(bad === 0 ? problems.slice(0, 1) : []),
    ...canaryLines(ended.summary),
    ...stoppedLines(ended, resume),
    ...rejectsLines(ended, texts),
  ];
  const causes = isCanaryStop(ended) ? (ended.summary.canary?.reasons ?? []) : [];
  // Not in the hint: the advice for rejected rows does not solve a problem of the workflow.
  const details = [
    ...reasonLines(texts.reasons ?? []),
    ...(bad === 0 ? problems.slice(1) : problems).map((problem) => `Problem: ${problem}`),
  ];
  return {
    message,
    fieldErrors: [
      ...details.map((line) => ({ field: '', message: line.trim() })),
      ...causes.map(({ cause, count }) => ({
        field: 'canary',
        message: `${grouped(count)} × ${cause}`,
      })),
    ],
    hint: hints.join(' '),
    ...(isCanaryStop(ended) ? { next: [resume, `${resume} --skip-canary`] } : {}),
  };
}

export const reasonLines = (reasons: readonly Reason[]): string[] =>
  reasons.map(({ text, count }) => `  ${grouped(count)} × ${text}`);

const canaryLines = ({ canary, stopped }: Summary): string[] =>
  canary === undefined
    ? []
    : [
        `${stopped?.reason === canaryReason ? 'The canary did not pass' : 'Canary'}: ${canaryText(canary)}.`,
      ];

function rejectsLines(
  { summary, cause, resumable }: EndedRun,
  { retryCommand, rejectsAdvice, followUps }: ReportTexts,
): string[] {
  const { rejects, failed, invalid, unknown, runId } = summary;
  if (rejects === null) return [];
  const files = summary.rejectsFiles ?? [rejects];
  if (!resumable)
    return files.map(
      (file) => `${rejectsAdvice ?? 'Fix the rejected rows, then run'}: ${retryCommand(file)}`,
    );
  const advice = rejectsAdvice ?? 'Fix them';
  const then = `${advice} once the resumed run has finished.${cause ? '' : ` Resume the run: ${followUps.line(`svc runs resume ${runId}`)}`}`;
  const count = grouped(failed + invalid + unknown);
  return [`Rejected so far: ${count}, in ${listText(files)}. ${then}`];
}

/** Omits the reason and the resume command if the error or the rejects lines already contain them. */
function stoppedLines({ summary, cause, resumable }: EndedRun, resume: string): string[] {
  const { stopped, rows, rejects } = summary;
  if (stopped === null) return [];
  const reason =
    stopped.reason === canaryReason ? ' because the canary did not pass' : ` (${stopped.reason})`;
  // A resumed run may stop before it reads a line.
  const line = stopped.line ? `, read up to line ${stopped.line}` : '';
  const isResumeShown = cause !== undefined || rejects !== null || !resumable;
  return [
    `Stopped early${cause ? '' : reason}: ${counted(rows, 'row')} ${stopped.reason === canaryReason ? 'sent' : 'finished'}${line}.`,
    ...(isResumeShown ? [] : [`Resume: ${resume}`]),
  ];
}

const isCanaryStop = ({ summary: { stopped }, resumable }: EndedRun) =>
  stopped?.reason === canaryReason && resumable;

const skipCanaryLines = (ended: EndedRun, resume: string): string[] =>
  isCanaryStop(ended) ? [`Send the other rows anyway: ${resume} --skip-canary`] : [];
