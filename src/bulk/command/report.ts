// The report of a run: the summary as data, the lines for a terminal, and the exit code.

import type { Propose } from '../../config/propose.ts';
import type { ExitReason, SvcError } from '../../core/errors.ts';
import { keysOf } from '../../core/objects.ts';
import { counted, grouped, listText } from '../../core/text.ts';
import { exit, type ReportResult, report } from '../../output/result.ts';
import { canaryReason } from '../engine/canary.ts';
import { comparedIds, type Reason, type RowSample, type Summary } from '../engine/stats.ts';
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
  propose: Propose;
  /** Returns the command that sends the rejected rows again after they are fixed. */
  retryCommand: (rejects: string) => string;
  /** The command only compares. */
  isCheck?: boolean;
  /** Advice for rejected rows. Default: fix them. */
  rejectsAdvice?: string;
  /** A run whose rows are all absent ends with `notFound`. */
  absentIsNotFound?: boolean;
  /** Label for rows with unknown outcome. Default: not listed in the response. */
  unknownLabel?: string;
  /** The rule for rows with the id of an earlier row. */
  repeatedIdsRule?: string;
  /** The rows of the input, if a person declined to send those after the canary; NaN if they cannot be counted. */
  declinedOf?: number;
  /** Whether a problem affects all rows. */
  isBlocked?: boolean;
  /** The sentence for a cause of the canary. */
  causeText?: ((cause: string) => string) | undefined;
  /** Advice for an input that could not be read to its end. */
  repeatAdvice?: string;
  /** Proposed after a run that changed something. */
  nextStep?: { label: string; command: (runId: string) => string };
}

const successLabels = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  same: 'the same',
  different: 'different',
  missing: 'missing',
  subscribed: 'subscribed',
  triggered: 'triggered',
  cancelled: 'cancelled',
  notPending: 'had nothing left to cancel',
  marked: 'marked',
  deleted: 'deleted',
  unsubscribed: 'removed',
  added: 'added',
  removed: 'removed',
  erased: 'erased',
  absent: 'already absent',
} as const;

export function runReport(ended: EndedRun, texts: ReportTexts): ReportResult {
  const { summary, cause, resumable } = ended;
  const resume = texts.propose(`svc runs resume ${summary.runId}`);
  const { runId, rejects: _none, resumed: _new, alreadyFinished: _no, ...compared } = summary;
  const exitReason = texts.isBlocked && !cause ? 'usage' : chooseExitReason(summary, cause, texts);
  return report({
    value: texts.isCheck ? compared : summary,
    lines: [
      ...summaryLines(ended, texts),
      ...(summary.problems ?? []).map((problem) => `Problem: ${problem}`),
      ...canaryLines(summary),
      ...rejectsLines(ended, texts),
      ...resumeLines(ended, resume),
      ...nextStepLines(summary, texts),
    ],
    ids: texts.isCheck ? [] : [runId],
    end: cause
      ? {
          type: 'error',
          cause: resumable
            ? addNextCommand(cause, resume)
            : addRepeatAdvice(cause, exitReason, texts),
        }
      : exit(exitReason, createFailure(ended, texts, resume)),
  });
}

function nextStepLines(summary: Summary, { nextStep, pastVerb, propose }: ReportTexts): string[] {
  const isDone = successCounts(summary).some(({ count }) => count > 0);
  if (!nextStep || pastVerb === 'Checked' || summary.stopped !== null || !isDone) return [];
  return [`${nextStep.label}: ${propose(nextStep.command(summary.runId))}`];
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
  keysOf(successLabels)
    .filter((state) => summary[state] !== undefined)
    .map((state) => ({ label: successLabels[state], count: summary[state] ?? 0 }));

function chooseExitReason(
  summary: Summary,
  cause: SvcError | undefined,
  texts: ReportTexts,
): ExitReason {
  const { stopped, failed, invalid, unknown, requests, emptyRows = 0 } = summary;
  const rows = summary.rows - emptyRows;
  if (cause && !isInputBroken(cause)) return cause.exitReason;
  if (stopped && ['interrupted', 'terminated', 'hangup'].includes(stopped.reason))
    return stopped.reason as ExitReason;
  if (stopped?.reason === canaryReason) return 'undelivered';
  const bad = failed + invalid + unknown;
  if (bad === 0 && stopped === null && texts.absentIsNotFound && isAllAbsent(summary))
    return 'notFound';
  if (bad === 0 && stopped === null && hasDifferences(summary)) return 'different';
  if (bad === 0 && stopped === null) return summary.problems ? 'partial' : 'ok';
  // After --max-errors the remaining rows may be valid.
  if (bad < rows || (stopped && !cause)) return 'partial';
  return requests === 0 ? 'usage' : 'refused';
}

const hasDifferences = ({ different = 0, missing = 0, extra = 0 }: Summary) =>
  different + missing + extra > 0;

const isAllAbsent = ({ rows, emptyRows = 0, absent }: Summary) =>
  rows > emptyRows && absent === rows - emptyRows;

/** The outcome in sentences; the first begins with the reason of an early stop. */
function summaryLines(ended: EndedRun, texts: ReportTexts): string[] {
  const { summary } = ended;
  const { place, reasons = [], unknownLabel } = texts;
  const start = stopText(ended);
  const pastVerb =
    start === undefined ? texts.pastVerb : `${start}: ${texts.pastVerb.toLowerCase()}`;
  const { rows, failed, invalid, unknown, replayed, seconds, rowsPerSecond } = summary;
  const { emptyRows } = summary;
  const emptyRowsLines =
    emptyRows === undefined ? [] : [`Skipped ${counted(emptyRows, 'empty row')}.`];
  const duration = `in ${seconds} s (${grouped(rowsPerSecond)}/s)`;
  if (texts.pastVerb === 'Checked') {
    return [
      `${pastVerb} ${counted(rows, 'row')} ${duration}; nothing was sent.`,
      ...emptyRowsLines,
      ...repeatedIdsLines(summary, texts),
      ...(invalid === 0 ? [] : [`Invalid: ${grouped(invalid)}.`]),
      ...sampledReasonLines(reasons),
    ];
  }
  const successes = successCounts(summary);
  const untouched = (summary.unchanged ?? 0) + (texts.absentIsNotFound ? (summary.absent ?? 0) : 0);
  const done = successes.reduce((sum, { count }) => sum + count, 0) - untouched;
  if (texts.declinedOf !== undefined)
    return [declinedText(done, texts.declinedOf - rows), ...sampledReasonLines(reasons)];
  const parts = successes.map(({ label, count }) => `${grouped(count)} ${label}`);
  const bad = [
    ...(invalid === 0 ? [] : [`${grouped(invalid)} invalid`]),
    ...(failed === 0
      ? []
      : [`${grouped(failed)} ${texts.isCheck ? 'not comparable' : 'rejected by the service'}`]),
    ...(unknown === 0
      ? []
      : [`${grouped(unknown)} ${unknownLabel ?? 'not listed in the response'}`]),
  ];
  return [
    `${pastVerb} ${grouped(done)} of ${counted(rows, 'row')}${place === undefined ? '' : ` ${place}`} ${duration}${parts.length > 1 ? `: ${parts.join(', ')}` : ''}.`,
    ...(replayed > 0
      ? [`Already sent by an earlier start of this run: ${grouped(replayed)}.`]
      : []),
    ...sentAgainLines(summary),
    ...emptyRowsLines,
    ...repeatedIdsLines(summary, texts),
    ...(summary.extra === undefined ? [] : [`Not in the file: ${grouped(summary.extra)}.`]),
    ...(bad.length === 0 ? [] : [`Rejected: ${bad.join(', ')}.`]),
    ...sampledReasonLines(reasons),
  ];
}

const declinedText = (sent: number, left: number) =>
  Number.isNaN(left)
    ? `Stopped. ${grouped(sent)} sent; the other rows not sent.`
    : `Stopped. ${grouped(sent)} of ${grouped(sent + left)} sent; ${grouped(left)} not sent.`;

const maxRanges = 10;

/** Names the rows whose events may run twice. */
function sentAgainLines({ sentAgain }: Summary): string[] {
  if (!sentAgain) return [];
  const { events, rows } = sentAgain;
  const more = rows.length > maxRanges ? `, and ${rows.length - maxRanges} more ranges` : '';
  return [
    `Sent again: ${counted(events, 'event')} (rows ${rows.slice(0, maxRanges).join(', ')}${more}). They were in flight when the run was killed, the service did not list them within 5 s, and it has no idempotency keys: they may run twice.`,
  ];
}

/** Names the first repeated ids, with the rule for them. */
function repeatedIdsLines(
  { repeatedIds, duplicates }: Summary,
  { repeatedIdsRule, pastVerb }: ReportTexts,
): string[] {
  if (!repeatedIds || (duplicates === 0 && pastVerb !== 'Checked')) return [];
  const { examples, isComplete } = repeatedIds;
  const exampleTexts = examples.map(
    ({ id, lines: [first, line] }) => `${id} (lines ${first} and ${line})`,
  );
  const more = duplicates > examples.length ? ', …' : '';
  const rows = `${counted(duplicates, 'row')} ${duplicates === 1 ? 'has' : 'have'}`;
  return [
    ...(duplicates === 0
      ? []
      : [
          `Repeated ids: ${rows} the id of an earlier row: ${exampleTexts.join(', ')}${more}. ${repeatedIdsRule}`,
        ]),
    ...(isComplete
      ? []
      : [
          `Only the first ${grouped(comparedIds.usual)} ids were compared. --check-duplicates id compares ${grouped(comparedIds.most)}.`,
        ]),
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
    ...(isAllAbsent(ended.summary) ? ['None of the ids exists.'] : []),
    ...stoppedLines(ended),
    ...canaryLines(ended.summary),
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
        message: `${grouped(count)} × ${texts.causeText?.(cause) ?? cause}`,
      })),
    ],
    hint: hints.join(' '),
    next: resumeCommands(ended, resume),
  };
}

export const reasonLines = (reasons: readonly Reason[]): string[] =>
  reasons.map(({ text, count }) => `  ${grouped(count)} × ${text}`);

/** Each reason with its first rows below it. */
const sampledReasonLines = (reasons: readonly Reason[]): string[] =>
  reasons.flatMap((reason) => [
    ...reasonLines([reason]),
    ...(reason.samples ?? []).map(sampleText),
  ]);

/** `    line 41, p0040: person40.example`. */
function sampleText({ line, id, value }: RowSample): string {
  const name = [`line ${line}`, ...(id ? [id] : [])].join(', ');
  return `    ${name}${value === undefined || value === id ? '' : `: ${value || 'empty'}`}`;
}

const canaryLines = ({ canary }: Summary): string[] =>
  canary === undefined ? [] : [`Canary: ${canaryText(canary)}.`];

function rejectsLines(
  { summary, resumable }: EndedRun,
  { retryCommand, rejectsAdvice }: ReportTexts,
): string[] {
  const { rejects, failed, invalid, unknown } = summary;
  if (rejects === null) return [];
  const files = summary.rejectsFiles ?? [rejects];
  if (!resumable)
    return files.map(
      (file) => `${rejectsAdvice ?? 'Fix the rejected rows, then run'}: ${retryCommand(file)}`,
    );
  const count = failed + invalid + unknown;
  const rows = count === 1 ? 'The rejected row is' : `The ${grouped(count)} rejected rows are`;
  const fix = rejectsAdvice ?? (count === 1 ? 'Fix it' : 'Fix them');
  return [`${rows} in ${listText(files)}. ${fix} once the resumed run has finished.`];
}

const signals: Record<string, string> = {
  interrupted: 'Interrupted',
  terminated: 'Terminated',
  hangup: 'Terminal closed',
};

/** Why and where a run stopped early; undefined if it did not. The reason of an error is in its own message. */
function stopText({ summary: { stopped }, cause }: EndedRun): string | undefined {
  if (stopped === null) return undefined;
  const { reason, line } = stopped;
  const stop =
    reason === canaryReason
      ? 'Stopped early because the canary did not pass'
      : (signals[reason] ?? `Stopped early${cause ? '' : ` (${reason})`}`);
  // A resumed run may stop before it reads a line.
  return `${stop}${line ? ` after line ${line}` : ''}`;
}

/** For the error of a run. */
function stoppedLines(ended: EndedRun): string[] {
  const { rows } = ended.summary;
  const text = stopText(ended);
  return text === undefined ? [] : [`${text}: ${counted(rows, 'row')} finished.`];
}

const isCanaryStop = ({ summary: { stopped }, resumable }: EndedRun) =>
  stopped?.reason === canaryReason && resumable;

/** An error of the run has the command in its own text. */
const resumeCommands = (ended: EndedRun, resume: string): string[] => {
  if (ended.summary.stopped === null || !ended.resumable || ended.cause) return [];
  return isCanaryStop(ended) ? [resume, `${resume} --skip-canary`] : [resume];
};

const resumeLines = (ended: EndedRun, resume: string): string[] =>
  resumeCommands(ended, resume).map(
    (command, index) => `${index === 0 ? 'Resume' : 'Send the other rows anyway'}: ${command}`,
  );
