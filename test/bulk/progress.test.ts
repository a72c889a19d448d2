// The progress of a run on terminals of several widths, on an emulated screen, and in a log.
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/app/context.ts';
import { showProgress } from '../../src/bulk/command/progress.ts';
import type { ConcurrencyLimiter } from '../../src/bulk/engine/concurrency-limiter.ts';
import { createStats } from '../../src/bulk/engine/stats.ts';
import { onScreen } from '../support/screen.ts';
import { openSource } from './run-import.ts';

interface Terminal {
  columns: number;
  isTty?: boolean;
  unicode?: boolean;
}

/** The progress of an import on this terminal, with a clock that the test advances. */
function openProgress({ columns, isTty = true, unicode = true }: Terminal) {
  let ms = 0;
  let written = '';
  const ticks: { every: number; tick: () => void }[] = [];
  const stderr = {
    isTty,
    columns,
    write: async (text: string) => {
      written += text;
    },
  };
  const clock = {
    ticks: () => ms,
    every: (every: number, tick: () => void) => {
      ticks.push({ every, tick });
      return () => undefined;
    },
  };
  const host = { stderr, clock, env: {}, shutdownSignal: new AbortController().signal };
  const settings = { quiet: false, forPrograms: false, unicode };
  const stats = createStats({ successStates: ['created', 'updated'], ticks: clock.ticks });
  const { source } = openSource((async function* () {})());
  source.progress = () => ({ bytes: 30_000, total: 30_000 });
  const progress = showProgress(
    { host, settings } as unknown as Context,
    'Importing in Production (profile live)',
    source,
    stats,
    undefined,
  );
  progress.onLimiterCreated({ describeLimit: () => 'rate limit, 9s' } as ConcurrencyLimiter);
  let rounds = 0;
  const pass = (seconds: number, eachSecond: () => void = () => undefined) => {
    for (const end = ms + seconds * 1_000; ms < end; ) {
      ms += 100;
      if (ms % 1_000 === 0) eachSecond();
      for (const { every, tick } of ticks) if (ms % every === 0) tick();
    }
  };
  /** Imports 1,000 rows a second, of which 10 are invalid. */
  const importFor = (seconds: number) =>
    pass(seconds, () => {
      rounds += 1;
      stats.addOutcomes({ created: 990, invalid: 10 });
      stats.updateReachedByte(rounds * 1_000);
    });
  return { progress, pass, importFor, written: () => written };
}

/** Returns what a terminal receives until the run stops. */
function run(terminal: Terminal) {
  const { progress, importFor, written } = openProgress(terminal);
  importFor(13);
  const last = written();
  progress.stop();
  return { last, written: written() };
}

describe('the progress of a run', () => {
  it.each([
    [60, 'Importing in Production (profile live) ████░░░░░░ 43%'],
    [80, 'Importing in Production (profile live) ████░░░░░░ 43%  13,000 rows  ETA 17s'],
    [
      120,
      'Importing in Production (profile live) ████░░░░░░ 43%  13,000 rows  ETA 17s  130 rejected (1.0%)  rate limit, 9s',
    ],
    [
      140,
      'Importing in Production (profile live) ████░░░░░░ 43%  13,000 rows  1,000/s ██████  ETA 17s  130 rejected (1.0%)  rate limit, 9s',
    ],
  ])(
    'is one line on a terminal of %i columns, and is cleared at the end',
    async (columns, line) => {
      const { last, written } = run({ columns });
      const { lines, wrapped, styled } = await onScreen(last, { columns });
      expect(lines).toEqual([line]);
      expect({ wrapped: wrapped.includes(true), styled }).toEqual({ wrapped: false, styled: [] });
      expect((await onScreen(written, { columns })).lines).toEqual([]);
    },
  );

  it('is a line of ASCII characters every five seconds with --no-unicode', async () => {
    const { written } = run({ columns: 60, unicode: false });
    expect(written).not.toMatch(/[^\x20-\x7e\n]/);
    const { lines, wrapped } = await onScreen(written.replaceAll('\n', '\r\n'), { columns: 60 });
    expect(wrapped).not.toContain(true);
    expect(lines).toEqual([
      'Importing in Production (profile live): 16%  5,000 rows',
      '  1,000/s  ETA 26s  50 rejected (1.0%)  rate limit, 9s',
      'Importing in Production (profile live): 33%  10,000 rows',
      '  1,000/s  ETA 21s  100 rejected (1.0%)  rate limit, 9s',
    ]);
  });

  it('is a complete line every five seconds in a log', () => {
    const { written } = run({ columns: 60, isTty: false });
    const label = 'Importing in Production (profile live)';
    expect(written.trimEnd().split('\n')).toEqual([
      `${label}: 16%  5,000 rows  1,000/s  ETA 26s  50 rejected (1.0%)  rate limit, 9s`,
      `${label}: 33%  10,000 rows  1,000/s  ETA 21s  100 rejected (1.0%)  rate limit, 9s`,
    ]);
  });

  it('shows what a canary waits for, and does not count this time for rate and ETA', async () => {
    const { progress, pass, importFor, written } = openProgress({ columns: 80 });
    importFor(10);
    progress.pause();
    progress.showWait(() => 'Canary: 7 of 10 events finished');
    pass(60);
    const waiting = await onScreen(written(), { columns: 80 });
    expect(waiting.lines).toEqual(['Canary: 7 of 10 events finished']);
    progress.showWait(undefined);
    expect((await onScreen(written(), { columns: 80 })).lines).toEqual([]);
    pass(60);
    expect((await onScreen(written(), { columns: 80 })).lines).toEqual([]);
    progress.resume();
    importFor(3);
    expect((await onScreen(written(), { columns: 80 })).lines).toEqual([
      'Importing in Production (profile live) ████░░░░░░ 43%  13,000 rows  ETA 17s',
    ]);
  });

  it('shows in a log what a canary waits for', () => {
    const { progress, pass, written } = openProgress({ columns: 60, isTty: false });
    progress.pause();
    progress.showWait(() => 'Canary: 7 of 10 events finished');
    pass(10);
    expect(written()).toBe('Canary: 7 of 10 events finished\n'.repeat(2));
  });
});
