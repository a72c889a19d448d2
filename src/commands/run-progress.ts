// While a run goes on: a bar on a terminal, a plain line every few seconds in a log, nothing when quiet.
import type { Context } from '../context.ts';
import type { RecordSource } from '../input/records.ts';
import { progressBar, progressLine } from '../output/progress.ts';
import type { Tally } from '../runs/tally.ts';

const barEveryMs = 100;
const lineEveryMs = 5_000;

/** Starts telling; returns what stops it and clears the bar. */
export function watchRun(
  { world, preferences }: Context,
  doing: string,
  source: RecordSource,
  tally: Tally,
  began: number,
): () => void {
  const { stderr, clock } = world;
  if (preferences.quiet || (preferences.forPrograms && !stderr.isTty)) return () => undefined;
  const facts = () => ({
    doing,
    rows: tally.rows(),
    bad: tally.bad(),
    ...source.progress(),
    elapsedMs: clock.now() - began,
  });
  const say = (text: string) => void stderr.write(text).catch(() => undefined);
  if (!stderr.isTty)
    return clock.every(lineEveryMs, () => say(`${doing}: ${progressLine(facts())}\n`));
  const stop = clock.every(barEveryMs, () =>
    say(`\r\x1b[K${progressBar(facts(), stderr.columns)}`),
  );
  return () => {
    stop();
    say('\r\x1b[K');
  };
}
