// The end of a run: its summary for programs, a few lines for a person, and its ending.
import type { Ending, SvcError } from '../errors.ts';
import { grouped } from '../output/progress.ts';
import { type ReportResult, report } from '../output/result.ts';
import type { Summary } from '../runs/tally.ts';

export interface Ended {
  summary: Summary;
  cause: SvcError | undefined;
}

export function runReport({ summary, cause }: Ended, did: string): ReportResult {
  return report({
    value: summary,
    lines: linesOf(summary, did),
    ids: [summary.runId],
    ending: endingOf(summary, cause),
    ...(cause ? { cause } : {}),
  });
}

function endingOf(
  { stopped, rows, created, updated, failed, invalid, unknown }: Summary,
  cause: SvcError | undefined,
): Ending {
  if (cause) return cause.ending;
  if (stopped && ['interrupted', 'terminated', 'hangup'].includes(stopped.reason))
    return stopped.reason as Ending;
  if (stopped) return 'partial';
  const bad = failed + invalid + unknown;
  if (bad === 0) return 'ok';
  return created + updated === 0 && bad === rows ? 'refused' : 'partial';
}

function linesOf(summary: Summary, did: string): string[] {
  const {
    rows,
    created,
    updated,
    failed,
    invalid,
    unknown,
    seconds,
    rowsPerSecond,
    rejects,
    stopped,
  } = summary;
  const bad = [
    ...(invalid === 0 ? [] : [`${grouped(invalid)} not valid`]),
    ...(failed === 0 ? [] : [`${grouped(failed)} refused by the service`]),
    ...(unknown === 0 ? [] : [`${grouped(unknown)} not named in the answer`]),
  ];
  return [
    `${did} ${grouped(created + updated)} of ${grouped(rows)} rows in ${seconds} s (${grouped(rowsPerSecond)}/s): ${grouped(created)} created, ${grouped(updated)} updated.`,
    ...(bad.length === 0 ? [] : [`Rejected: ${bad.join(', ')}.`]),
    ...(rejects === null ? [] : [`Mend and import again: ${rejects}`]),
    ...(stopped === null
      ? []
      : [
          `Stopped early${stopped.line === undefined ? '' : ` at line ${stopped.line}`}: ${stopped.reason}`,
        ]),
  ];
}
