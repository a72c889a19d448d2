// The result of a command that moved the sandbox's clock.
import { counted } from '../../../core/text.ts';
import * as result from '../../../output/result.ts';
import type { ClockMove } from '../../../sandbox/control/client.ts';
import type { ConnectedSandbox } from '../connect.ts';

export const reportMove = ({ profile, title }: ConnectedSandbox, move: ClockMove) =>
  result.report({
    value: { profile, ...move },
    lines: [
      `It is ${move.now} in the ${title}${move.frozen ? ', and the clock is frozen' : ''}.`,
      move.movedMs < 0
        ? `Moved back by ${formatSpan(-move.movedMs)}. Newer data is unchanged.`
        : jobsLine(move.jobsRun),
    ],
    ids: [move.now],
  });

const jobsLine = (jobsRun: number): string =>
  jobsRun === 0 ? 'No jobs were due in between.' : `Ran ${counted(jobsRun, 'job')} that came due.`;

/** `3d 2h 30m`, rounded to seconds. */
function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const nonZero = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return nonZero.join(' ') || 'less than a second';
}
