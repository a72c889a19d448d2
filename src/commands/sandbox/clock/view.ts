// How the sandbox's time is told.

import { counted } from '../../../core/counts.ts';
import * as result from '../../../output/result.ts';
import type { Connected } from '../connect.ts';

export interface ClockFacts {
  now: string;
  frozen: boolean;
  /** Milliseconds ahead of the machine. */
  offset: number;
  /** How many jobs came due on the way. */
  ran?: number;
  /** Milliseconds it was moved; less than 0 is back. */
  moved?: number;
}

export const moved = ({ profile, title }: Connected, facts: ClockFacts) =>
  result.report({
    value: { profile, ...facts },
    lines: [
      `It is ${facts.now} in the ${title}${facts.frozen ? ', and stays so' : ''}.`,
      (facts.moved ?? 0) < 0
        ? `Back by ${span(-(facts.moved ?? 0))}; what is newer stays as it is.`
        : ranLine(facts.ran ?? 0),
    ],
    ids: [facts.now],
  });

function ranLine(ran: number): string {
  if (ran === 0) return 'Nothing was due in between.';
  return `${counted(ran, 'job')} came due and ran.`;
}

/** `3d 2h 30m`, to the second. */
function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return named.join(' ') || 'less than a second';
}
