// The clock of a sandbox, as people read it.
import { durationText, unitMs } from '../../../core/durations.ts';
import { counted } from '../../../core/text.ts';
import * as result from '../../../output/result.ts';
import { wholeTime } from '../../../output/style.ts';
import type { ClockMove, ClockState } from '../../../sandbox/control/client.ts';
import type { ConnectedSandbox } from '../connect.ts';

/** `28 Nov 2026 13:18:34, frozen, 3h ahead of this machine`. */
export function clockText({ now, frozen, offset }: ClockState): string {
  const ahead = roundedText(Math.abs(offset));
  return [
    wholeTime(now),
    ...(frozen ? ['frozen'] : []),
    ...(ahead === '0s' ? [] : [`${ahead} ${offset > 0 ? 'ahead of' : 'behind'} this machine`]),
  ].join(', ');
}

/** The result of a command that moved the clock. */
export const reportMove = ({ profile, title }: ConnectedSandbox, move: ClockMove) =>
  result.report({
    value: { profile, ...move },
    lines: [
      `It is ${wholeTime(move.now)} in the ${title}${move.frozen ? ', and the clock is frozen' : ''}.`,
      move.movedMs < 0
        ? `Moved back by ${roundedText(-move.movedMs)}. Newer data is unchanged.`
        : jobsLine(move.jobsRun),
    ],
    ids: [move.now],
  });

const jobsLine = (jobsRun: number): string =>
  jobsRun === 0 ? 'No jobs were due in between.' : `Ran ${counted(jobsRun, 'job')} that came due.`;

const roundedText = (ms: number) => durationText(Math.round(ms / unitMs.s) * unitMs.s);
