// Prints lines for people on standard error, except with --quiet or if a program reads the output.
import type { Settings } from '../config/settings.ts';
import type { Line } from '../output/result.ts';
import { safeText } from '../output/safe-text.ts';
import { openStyle, styledLine, wantsColor } from '../output/style.ts';
import type { Host } from '../platform/host.ts';

export interface Notes {
  /** Prints one line. */
  note(text: string): void;
  /** Prints several lines, in color on a terminal. */
  noteLines(lines: readonly Line[]): Promise<void>;
}

export function createNotes(
  { stderr, env }: Pick<Host, 'stderr' | 'env'>,
  settings: Pick<Settings, 'quiet' | 'forPrograms' | 'color'>,
): Notes {
  const isShown = () => !settings.quiet && (stderr.isTty || !settings.forPrograms);
  return {
    note: (text) => {
      if (isShown()) void stderr.write(`${safeText(text)}\n`).catch(() => undefined);
    },
    noteLines: async (lines) => {
      if (!isShown()) return;
      const style = await openStyle(wantsColor({ isTty: stderr.isTty, ...settings.color, env }));
      await stderr
        .write(lines.map((line) => styledLine(line, style)).join(''))
        .catch(() => undefined);
    },
  };
}
