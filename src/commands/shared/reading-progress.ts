// Shows on a terminal how much a command has read. Nothing with --no-unicode, because the line changes in place.
import type { Context } from '../../app/context.ts';
import { counted } from '../../core/counts.ts';
import { safeText } from '../../output/safe-text.ts';
import { truncate } from '../../output/table.ts';

const everyMs = 200;
const observedEveryMs = 1_000;

export interface ReadingProgress {
  add(items: number): void;
  /** Clears the line. */
  stop(): void;
}

export function showReading(context: Context, start = 0): ReadingProgress {
  let items = start;
  const stop = showProgressLine(context, () => `Reading: ${counted(items, 'item')}`);
  return {
    add: (more) => {
      items += more;
    },
    stop,
  };
}

/** Shows the line on a terminal and refreshes it. Returns a function that clears it. */
export function showProgressLine({ host, settings }: Context, line: () => string): () => void {
  const { stderr, clock, env, observer } = host;
  if (observer)
    return clock.every(observedEveryMs, () => observer.progress({ text: safeText(line()) }));
  if (settings.quiet || !stderr.isTty || env.TERM === 'dumb' || !settings.unicode)
    return () => undefined;
  const clear = '\r\x1b[K';
  const print = (text: string) => void stderr.write(text).catch(() => undefined);
  let isShown = false;
  const stopTimer = clock.every(everyMs, () => {
    isShown = true;
    print(clear + truncate(safeText(line()), Math.max(1, stderr.columns - 1)));
  });
  return () => {
    stopTimer();
    if (isShown) print(clear);
  };
}
