// The end of a run: its summary for programs, a few lines for a person, and its ending.
import { type Ending, SvcError } from '../errors.ts';
import { grouped } from '../output/progress.ts';
import { type ReportResult, report } from '../output/result.ts';
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

export function runReport({ summary, cause, resumable }: Ended, { did }: RunWords): ReportResult {
  const resume = `svc runs resume ${summary.runId}`;
  return report({
    value: summary,
    lines: [...linesOf(summary, did), ...(resumable ? [`Go on: ${resume}`] : [])],
    ids: [summary.runId],
    ending: endingOf(summary, cause),
    ...(cause ? { cause: resumable ? withNext(cause, resume) : cause } : {}),
  });
}

const withNext = ({ ending, message, facts }: SvcError, next: string) =>
  new SvcError(ending, message, { ...facts, next: [...(facts.next ?? []), next] });

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

function linesOf(summary: Summary, did: string): string[] {
  const { rows, failed, invalid, skipped, unknown, seconds, rowsPerSecond, rejects, stopped } =
    summary;
  if (did === 'Checked') {
    return [
      `Checked ${grouped(rows)} rows in ${seconds} s (${grouped(rowsPerSecond)}/s); nothing was sent.`,
      ...(invalid === 0 ? [] : [`Not valid: ${grouped(invalid)}.`]),
      ...(rejects === null ? [] : [`Mend and run again: ${rejects}`]),
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
    `${did} ${grouped(done)} of ${grouped(rows)} rows in ${seconds} s (${grouped(rowsPerSecond)}/s)${parts.length > 1 ? `: ${parts.join(', ')}` : ''}.`,
    ...(skipped === 0 ? [] : [`Checked and not sent: ${grouped(skipped)}.`]),
    ...(bad.length === 0 ? [] : [`Rejected: ${bad.join(', ')}.`]),
    ...(rejects === null ? [] : [`Mend and run again: ${rejects}`]),
    ...(stopped === null
      ? []
      : [
          `Stopped early${stopped.line === undefined ? '' : ` at line ${stopped.line}`}: ${stopped.reason}`,
        ]),
  ];
}
