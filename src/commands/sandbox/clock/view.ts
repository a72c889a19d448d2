// How the sandbox's time is told.
import * as result from '../../../output/result.ts';

export interface ClockFacts {
  now: string;
  frozen: boolean;
  /** Milliseconds ahead of the machine. */
  offset: number;
  /** How many jobs came due on the way. */
  ran?: number;
}

export const moved = (profile: string, facts: ClockFacts) =>
  result.report({
    value: { profile, ...facts },
    lines: [
      `It is ${facts.now} in the sandbox of profile ${profile}${facts.frozen ? ', and stays so' : ''}.`,
      ranLine(facts.ran ?? 0),
    ],
    ids: [facts.now],
  });

function ranLine(ran: number): string {
  if (ran === 0) return 'Nothing was due in between.';
  return ran === 1 ? '1 job came due and ran.' : `${ran} jobs came due and ran.`;
}
