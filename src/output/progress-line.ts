// Shows on a terminal how much a command has read. Nothing with --no-unicode, because the text changes in place.
import type { Context } from '../app/context.ts';
import { counted } from '../core/text.ts';
import { safeText } from './safe-text.ts';
import { truncate } from './table.ts';

const everyMs = 200;
const observedEveryMs = 1_000;

interface ReadingProgress {
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

/** Shows a line on a terminal and refreshes it. Returns a function that clears it. */
export const showProgressLine = (context: Context, line: () => string): (() => void) =>
  showProgressLines(context, () => [line()]);

/** Shows lines on a terminal and refreshes them. Returns a function that clears them. */
export function showProgressLines(
  { host, settings }: Context,
  lines: () => readonly string[],
): () => void {
  const { stderr, clock, env, observer } = host;
  if (observer)
    return clock.every(observedEveryMs, () =>
      observer.progress({ text: safeText(lines().join(' · ')) }),
    );
  if (settings.quiet || !stderr.isTty || env.TERM === 'dumb' || !settings.unicode)
    return () => undefined;
  const print = (text: string) => void stderr.write(text).catch(() => undefined);
  let printedLines = 0;
  /** Moves to the first line that is shown. */
  const clear = () => `${printedLines > 1 ? `\x1b[${printedLines - 1}A` : ''}\r\x1b[J`;
  const stopTimer = clock.every(everyMs, () => {
    const width = Math.max(1, stderr.columns - 1);
    const texts = lines().map((line) => truncate(safeText(line), width));
    print(clear() + texts.join('\n'));
    printedLines = texts.length;
  });
  return () => {
    stopTimer();
    if (printedLines > 0) print(clear());
    printedLines = 0;
  };
}
