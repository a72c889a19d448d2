// While a run goes on: a bar on a terminal, a plain line every few seconds in a log, nothing when quiet.
import type { Context } from '../../app/context.ts';
import type { RecordSource } from '../../input/records.ts';
import { progressLine } from '../../output/progress.ts';
import { progressBar } from '../../output/progress-bar.ts';
import { safeText } from '../../output/safe-text.ts';
import type { ConcurrencyLimiter } from '../engine/concurrency-limiter.ts';
import type { Stats } from '../engine/stats.ts';

const barEveryMs = 100;
const lineEveryMs = 5_000;

export interface Watch {
  /** Told what the pace of the run is decided by. */
  paced: (pace: ConcurrencyLimiter) => void;
  /** Ends the telling and clears the bar. */
  stop: () => void;
}

export function watchRun(
  { host, preferences }: Context,
  doing: string,
  source: RecordSource,
  tally: Stats,
  take: number | undefined,
): Watch {
  const { stderr, clock, env, shutdownSignal } = host;
  let pace: ConcurrencyLimiter | undefined;
  const paced = (given: ConcurrencyLimiter) => {
    pace = given;
  };
  if (preferences.quiet || (preferences.forPrograms && !stderr.isTty)) {
    return { paced, stop: () => undefined };
  }
  const began = clock.ticks();
  const facts = () => {
    const held = pace?.state();
    return {
      label: safeText(doing),
      rows: tally.newRows(),
      rejected: tally.bad(),
      fraction: shareOf(source, tally, take),
      elapsedMs: clock.ticks() - began,
      ...(held === undefined ? {} : { rateLimitNote: held }),
    };
  };
  const say = (text: string) => void stderr.write(text).catch(() => undefined);
  // A dumb terminal knows no way back to the beginning of a line that is to be cleared.
  const hasBar = stderr.isTty && env.TERM !== 'dumb';
  const clear = hasBar ? '\r\x1b[K' : '';
  const stopTelling = hasBar
    ? clock.every(barEveryMs, () => say(clear + progressBar(facts(), stderr.columns)))
    : clock.every(lineEveryMs, () => say(`${safeText(doing)}: ${progressLine(facts())}\n`));
  const interrupted = () =>
    say(`${clear}Stopping: what is under way finishes first. Once more to stop at once.\n`);
  shutdownSignal.addEventListener('abort', interrupted, { once: true });
  return {
    paced,
    stop() {
      stopTelling();
      shutdownSignal.removeEventListener('abort', interrupted);
      say(clear);
    },
  };
}

/** Of the rows that were asked for, or of the bytes: settled ones, for what is only read may be long under way. */
function shareOf(source: RecordSource, tally: Stats, take: number | undefined): number | undefined {
  const { bytes, total } = source.progress();
  const ofBytes = total ? Math.min(bytes, tally.reached()) / total : undefined;
  if (take === undefined) return ofBytes;
  return Math.min(1, Math.max(tally.rows() / take, ofBytes ?? 0));
}
