// The progress of a run as text: a bar for a terminal, a plain line for a log.

export interface ProgressFacts {
  /** What is done: `Importing`. */
  doing: string;
  rows: number;
  bad: number;
  /** What is settled of the whole, from 0 to 1, when the whole is known. */
  share: number | undefined;
  elapsedMs: number;
  /** What the service's rate limit makes the run do, when it does. */
  pace?: string;
}

const barWidth = 24;

/** `Importing ███████░░░ 42% 41,000 rows 8,100/s ETA 7s 3 failed`, cut to the width. */
export function progressBar(facts: ProgressFacts, width: number): string {
  const { share } = facts;
  const done = share === undefined ? 0 : Math.round(share * barWidth);
  const bar = share === undefined ? '' : `${'█'.repeat(done)}${'░'.repeat(barWidth - done)} `;
  const line = `${facts.doing} ${bar}${progressLine(facts)}`;
  return line.length > width - 1 ? progressLine(facts).slice(0, Math.max(0, width - 1)) : line;
}

/** The same without a bar. */
export function progressLine(facts: ProgressFacts): string {
  const { rows, bad, share, elapsedMs, pace } = facts;
  const perSecond = elapsedMs > 0 ? Math.round((rows * 1000) / elapsedMs) : 0;
  const left = share && share < 1 ? Math.ceil((elapsedMs * (1 - share)) / share / 1000) : undefined;
  const parts = [
    ...(share === undefined ? [] : [`${Math.floor(share * 100)}%`]),
    `${grouped(rows)} rows`,
    `${grouped(perSecond)}/s`,
    ...(left === undefined ? [] : [`ETA ${span(left)}`]),
    ...(bad === 0 ? [] : [`${grouped(bad)} rejected`]),
    ...(pace === undefined ? [] : [pace]),
  ];
  return parts.join('  ');
}

/** `1,234,567`. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** `1 row`, `2,000 rows`. */
export const counted = (count: number, word: string) =>
  `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;

const span = (seconds: number) =>
  seconds < 60
    ? `${seconds}s`
    : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
