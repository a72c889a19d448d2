// Shows on a terminal how many items a command has read. Nothing with --no-unicode, because the line changes in place.
import type { Context } from '../../app/context.ts';
import { counted } from '../../core/counts.ts';

const everyMs = 200;

export interface ReadingProgress {
  add(items: number): void;
  /** Clears the line. */
  stop(): void;
}

export function showReading({ host, settings }: Context, start = 0): ReadingProgress {
  const { stderr, clock, env } = host;
  if (settings.quiet || !stderr.isTty || env.TERM === 'dumb' || !settings.unicode)
    return { add: () => undefined, stop: () => undefined };
  const clear = '\r\x1b[K';
  const print = (text: string) => void stderr.write(text).catch(() => undefined);
  let items = start;
  let isShown = false;
  const stopTimer = clock.every(everyMs, () => {
    isShown = true;
    print(`${clear}Reading: ${counted(items, 'item')}`);
  });
  return {
    add: (more) => {
      items += more;
    },
    stop: () => {
      stopTimer();
      if (isShown) print(clear);
    },
  };
}
