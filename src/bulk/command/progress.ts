// Shows the progress of a run: a bar on a terminal, a line every few seconds in a log or with --no-unicode (for screen
// readers), nothing with --quiet.
import type { Context } from '../../app/context.ts';
import { wrapMessage } from '../../core/text.ts';
import type { RecordSource } from '../../input/records.ts';
import { createRateHistory, progressBar, progressLine } from '../../output/progress.ts';
import { observedEveryMs } from '../../output/progress-line.ts';
import { safeJson, safeText } from '../../output/safe-text.ts';
import { truncate } from '../../output/table.ts';
import type { ConcurrencyLimiter } from '../engine/concurrency-limiter.ts';
import type { RunOptions } from '../engine/run-options.ts';
import type { Stats } from '../engine/stats.ts';

const barEveryMs = 100;
const lineEveryMs = 5_000;
const stopping =
  'Stopping after the requests in flight finish. Press Ctrl-C again to stop immediately.';

export type ShowWait = (text: (() => string) | undefined) => void;

export interface ProgressDisplay {
  /** Sets the limiter whose state the progress line shows. */
  onLimiterCreated: (limiter: ConcurrencyLimiter) => void;
  /** Clears the bar and prints nothing until `resume`. This time does not count for rate and ETA. */
  pause: () => void;
  /** While paused, shows what the run waits for; undefined clears it, before other output. */
  showWait: ShowWait;
  resume: () => void;
  /** Stops the output and clears the bar. */
  stop: () => void;
}

export function showProgress(
  { host, settings }: Context,
  doing: string,
  source: RecordSource,
  stats: Stats,
  take: number | undefined,
): ProgressDisplay {
  const { stderr, clock, env, shutdownSignal, observer } = host;
  let limiter: ConcurrencyLimiter | undefined;
  const onLimiterCreated = (created: ConcurrencyLimiter) => {
    limiter = created;
  };
  const isSilent = settings.quiet || (settings.forPrograms && !stderr.isTty);
  if (isSilent && !observer) {
    const noOutput = () => undefined;
    return {
      onLimiterCreated,
      pause: noOutput,
      showWait: noOutput,
      resume: noOutput,
      stop: noOutput,
    };
  }
  const startedAt = clock.ticks();
  let pausedAt: number | undefined;
  let pausedMs = 0;
  let waitText: (() => string) | undefined;
  const rates = createRateHistory();
  const progressData = () => {
    const limit = limiter?.describeLimit();
    const elapsedMs = clock.ticks() - startedAt - pausedMs;
    const rows = stats.rowsOfProcess();
    const rejected = stats.unsuccessfulRows();
    rates.add(elapsedMs, rows);
    const fraction = completedFraction(source, stats, take);
    return {
      label: safeText(doing),
      rows,
      rejected,
      errorRate: rejected / Math.max(1, stats.rows()),
      fraction,
      leftMs: fraction && fraction < 1 ? (elapsedMs * (1 - fraction)) / fraction : undefined,
      rowsPerSecond: rates.now(),
      ratesOverTime: rates.overTime(),
      ...(limit === undefined ? {} : { rateLimitNote: limit }),
    };
  };
  const print = (text: string) => {
    if (!isSilent) void stderr.write(text).catch(() => undefined);
  };
  const wrapped = (text: string) =>
    `${(stderr.isTty ? wrapMessage(text, stderr.columns) : [text]).join('\n')}\n`;
  // A dumb terminal cannot clear a line, and a screen reader reads a line that changes again and again.
  const hasBar = stderr.isTty && env.TERM !== 'dumb' && settings.unicode;
  const clear = hasBar ? '\r\x1b[K' : '';
  const bar = () =>
    waitText
      ? truncate(safeText(waitText()), Math.max(1, stderr.columns - 1))
      : progressBar(progressData(), stderr.columns);
  const line = () =>
    wrapped(
      waitText ? safeText(waitText()) : `${safeText(doing)}: ${progressLine(progressData())}`,
    );
  const show = () => {
    if (pausedAt !== undefined && !waitText) return;
    if (!observer) return print(hasBar ? clear + bar() : line());
    const { fraction } = progressData();
    // Of the whole run, also if another process has begun it. A file can become longer while it is read.
    const rows = stats.rows();
    const total = fraction ? Math.max(rows, Math.round(rows / fraction)) : undefined;
    observer.progress({ rows, total, text: line().trimEnd() });
  };
  const everyMs = observer ? observedEveryMs : hasBar ? barEveryMs : lineEveryMs;
  const stopTimer = clock.every(everyMs, show);
  const onShutdown = () => print(`${clear}${wrapped(stopping)}`);
  shutdownSignal.addEventListener('abort', onShutdown, { once: true });
  return {
    onLimiterCreated,
    pause() {
      pausedAt = clock.ticks();
      print(clear);
    },
    showWait(text) {
      waitText = text;
      if (text === undefined) print(clear);
    },
    resume() {
      if (pausedAt !== undefined) pausedMs += clock.ticks() - pausedAt;
      pausedAt = undefined;
    },
    stop() {
      stopTimer();
      shutdownSignal.removeEventListener('abort', onShutdown);
      print(clear);
    },
  };
}

/** The finished part, by rows if --take limits them, otherwise by bytes. Rows that are read but not finished do not count. */
function completedFraction(
  source: RecordSource,
  stats: Stats,
  take: number | undefined,
): number | undefined {
  const { bytes, total } = source.progress();
  const byteFraction = total ? Math.min(bytes, stats.reachedByte()) / total : undefined;
  if (take === undefined) return byteFraction;
  return Math.min(1, Math.max(stats.rows() / take, byteFraction ?? 0));
}

/** Prints one JSON line for each finished row with `-o ndjson`. */
export function createRowEvents({ settings, host }: Context) {
  if (settings.output !== 'ndjson') return undefined;
  let lines: string[] = [];
  const add = (event: object) => {
    const row = JSON.stringify(event);
    lines.push(`${host.stdout.isTty ? safeJson(row) : row}\n`);
  };
  const onRowFinished: NonNullable<RunOptions['onRowFinished']> = (
    { number, record, id },
    outcome,
  ) => {
    const { state } = outcome;
    const error = 'reason' in outcome ? { error: outcome.reason } : {};
    add({
      row: number,
      line: record.line,
      ...(id === undefined ? {} : { id }),
      result: state,
      ...('fields' in outcome ? { fields: outcome.fields } : {}),
      ...error,
    });
  };
  return {
    add,
    onRowFinished,
    /** Prints the collected lines. A closed pipe does not stop the run. */
    flush: async () => {
      const text = lines.join('');
      lines = [];
      await host.stdout.write(text).catch(() => undefined);
    },
  };
}
