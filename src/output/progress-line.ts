// Shows on a terminal what a command does, in place: one line, or a frame of several. Nothing with --no-unicode, because a
// screen reader reads a text that changes again and again.
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import type { Context } from '../app/context.ts';
import { counted } from '../core/text.ts';
import { safeText } from './safe-text.ts';
import { truncate } from './table.ts';

const everyMs = 200;
export const observedEveryMs = 1_000;

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

/** Whether a text on standard error can be replaced. A dumb terminal cannot move its cursor. */
export const canRedraw = ({ host: { stderr, env, observer }, settings }: Context): boolean =>
  !observer && !settings.quiet && stderr.isTty && env.TERM !== 'dumb' && settings.unicode;

/** Shows a line on a terminal and refreshes it. Returns a function that clears it. */
export function showProgressLine(context: Context, line: () => string): () => void {
  const { observer, clock } = context.host;
  if (observer)
    return clock.every(observedEveryMs, () => observer.progress({ text: safeText(line()) }));
  if (!canRedraw(context)) return () => undefined;
  const frames = showFrames(context, () => [safeText(line())]);
  return () => frames.stop();
}

export interface Frames {
  /** Draws a frame at once. */
  draw(): void;
  /** Clears the frame. With `last`, these lines stay instead. */
  stop(last?: readonly string[]): void;
}

/** Shows lines with their colors on a terminal and refreshes them. A frame is never larger than the terminal. */
export function showFrames({ host }: Context, lines: () => readonly string[]): Frames {
  const { stderr, clock } = host;
  const print = (text: string) => void stderr.write(text).catch(() => undefined);
  let frame: readonly string[] = [];
  /** Moves to the first line that is shown; a terminal that became narrower has broken the lines. */
  const toStart = () => {
    const above = heightOf(frame, stderr.columns) - 1;
    return `\r${above > 0 ? `\x1b[${above}A` : ''}`;
  };
  const draw = () => {
    const next = fitFrame(lines(), stderr);
    // Clearing line by line does not flicker.
    print(`${toStart()}${next.map((line) => `${line}\x1b[K`).join('\n')}\x1b[J`);
    frame = next;
  };
  const stopTimer = clock.every(everyMs, draw);
  return {
    draw,
    stop(last) {
      stopTimer();
      const kept = last === undefined ? '' : `${fitFrame(last, stderr).join('\x1b[K\n')}\x1b[K\n`;
      if (frame.length > 0 || kept !== '') print(`${toStart()}${kept}\x1b[J`);
      frame = [];
    },
  };
}

// Fits lines with colors into a terminal.

/** Lines of the terminal that they occupy, also after it became narrower. */
export const heightOf = (lines: readonly string[], columns: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);

/** The lines below a frame: when the next step is due, and the keys. */
const footLines = 4;

/**
 * The lines that fit. The last column stays empty, because a character there can break the line. If there are too many
 * lines, those above the foot are left out. A line that is cut loses its colors.
 */
export function fitFrame(
  lines: readonly string[],
  { columns, rows }: { columns: number; rows: number },
): string[] {
  const width = Math.max(1, columns - 1);
  const height = Math.max(1, rows - 1);
  const foot = Math.max(1, Math.min(footLines, Math.floor(height / 2)));
  const fitting =
    lines.length <= height ? lines : [...lines.slice(0, height - foot), ...lines.slice(-foot)];
  return fitting.map((line) =>
    stringWidth(line) <= width ? line : truncate(stripVTControlCharacters(line), width),
  );
}
