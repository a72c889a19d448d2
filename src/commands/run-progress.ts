// While a run goes on: a bar on a terminal, a plain line every few seconds in a log, nothing when quiet.
import type { Context } from '../context.ts';
import type { RecordSource } from '../input/records.ts';
import { progressBar, progressLine } from '../output/progress.ts';
import type { Pace } from '../runs/pace.ts';
import type { Tally } from '../runs/tally.ts';

const barEveryMs = 100;
const lineEveryMs = 5_000;

export interface Watch {
  /** Told what the pace of the run is decided by. */
  paced: (pace: Pace) => void;
  /** Ends the telling and clears the bar. */
  stop: () => void;
}

export function watchRun(
  { world, preferences }: Context,
  doing: string,
  source: RecordSource,
  tally: Tally,
): Watch {
  const { stderr, clock, env } = world;
  let pace: Pace | undefined;
  const paced = (given: Pace) => {
    pace = given;
  };
  if (preferences.quiet || (preferences.forPrograms && !stderr.isTty)) {
    return { paced, stop: () => undefined };
  }
  const began = clock.now();
  const facts = () => {
    const held = pace?.state();
    return {
      doing,
      rows: tally.newRows(),
      bad: tally.bad(),
      ...source.progress(),
      elapsedMs: clock.now() - began,
      ...(held === undefined ? {} : { pace: held }),
    };
  };
  const say = (text: string) => void stderr.write(text).catch(() => undefined);
  // A dumb terminal knows no way back to the beginning of a line that is to be cleared.
  if (!stderr.isTty || env.TERM === 'dumb') {
    const stop = clock.every(lineEveryMs, () => say(`${doing}: ${progressLine(facts())}\n`));
    return { paced, stop };
  }
  const stopBar = clock.every(barEveryMs, () =>
    say(`\r\x1b[K${progressBar(facts(), stderr.columns)}`),
  );
  return {
    paced,
    stop() {
      stopBar();
      say('\r\x1b[K');
    },
  };
}
