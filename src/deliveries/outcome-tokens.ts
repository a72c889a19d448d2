// Outcomes of channel steps as tokens: `✓ email  ✗ sms  – push  … in_app`.

import { grouped } from '../core/text.ts';
import { percent, stackedBar } from '../output/bars.ts';
import type { Column, Span, Tone } from '../output/result.ts';
import { messageOutcomes, type StepOutcome, stepOutcomes } from '../service/job-outcomes.ts';
import type { MessageStatus } from '../service/schemas/vocabulary.ts';
import type { EventOutcome } from './outcome.ts';
import type { OutcomeCounts } from './summary.ts';
import type { StepVerdict } from './verdict.ts';

const outcomeSigns: Record<StepOutcome, string> = {
  delivered: '✓',
  failed: '✗',
  skipped: '–',
  waiting: '…',
};

/** For terminals without Unicode. */
const asciiSigns: Record<StepOutcome, string> = {
  delivered: '+',
  failed: 'x',
  skipped: '-',
  waiting: '.',
};

export const outcomeTones: Record<StepOutcome, Tone> = {
  delivered: 'good',
  failed: 'bad',
  skipped: 'muted',
  waiting: 'warn',
};

export const eventTones: Record<EventOutcome | 'merged', Tone> = {
  merged: 'warn',
  delivered: 'good',
  undelivered: 'bad',
  unfinished: 'warn',
};

/** A text after the sign of its outcome. */
export const outcomeSpan = (outcome: StepOutcome, text: string, unicode: boolean): Span => ({
  text: `${(unicode ? outcomeSigns : asciiSigns)[outcome]} ${text}`,
  tone: outcomeTones[outcome],
});

/** One token per channel step, in the order of the steps. */
export const outcomeTokens = (verdicts: readonly StepVerdict[], unicode: boolean): Span[] =>
  verdicts.flatMap(({ channel, verdict }, index) => [
    ...(index === 0 ? [] : [{ text: '  ' }]),
    outcomeSpan(verdict, channel, unicode),
  ]);

/** The column of the token of a message, before or instead of its raw status. */
export const messageOutcomeColumn: Column<{ channel: string; status: string }> = {
  field: 'channel',
  header: 'OUTCOME',
  spans: ({ channel, status }, unicode) => [
    Object.hasOwn(messageOutcomes, status)
      ? outcomeSpan(messageOutcomes[status as MessageStatus], channel, unicode)
      : { text: channel },
  ],
};

// Bars of messages by outcome, and the color of a delivery rate.

const blocks: Blocks = { delivered: '█', failed: '▓', skipped: '▒', waiting: '░' };
const asciiBlocks: Blocks = { delivered: '#', failed: 'x', skipped: '-', waiting: '.' };
type Blocks = Record<StepOutcome, string>;

export const chooseGlyphs = (unicode: boolean) => (unicode ? blocks : asciiBlocks);

export const toSegments = (counts: OutcomeCounts, unicode: boolean) =>
  stepOutcomes.map((name) => ({
    count: counts[name],
    glyph: chooseGlyphs(unicode)[name],
    tone: outcomeTones[name],
  }));

/** `█ delivered  ▓ failed`, in the colors of the bars. */
export const legend = (unicode: boolean): Span[] =>
  stepOutcomes.flatMap((name) => [
    { text: '  ' },
    { text: chooseGlyphs(unicode)[name], tone: outcomeTones[name] },
    { text: ` ${name}` },
  ]);

export const messageCount = (counts: OutcomeCounts) =>
  stepOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

/** The part of the messages that arrived, of those that were sent; undefined if none was. */
export const deliveryRate = ({ delivered, failed }: OutcomeCounts): number | undefined =>
  delivered + failed === 0 ? undefined : delivered / (delivered + failed);

/** The same limit as the default of a canary run. */
const goodRate = 0.95;
const fairRate = 0.8;

export function rateTone(rate: number | undefined): Tone {
  if (rate === undefined) return 'muted';
  return rate >= goodRate ? 'good' : rate >= fairRate ? 'warn' : 'bad';
}

// The columns of a table with the messages of each row: their number by outcome, the rate, and a bar.

export const countColumns: readonly Column<OutcomeCounts>[] = stepOutcomes.map((outcome) => ({
  field: outcome,
  header: outcome.toUpperCase(),
  right: true,
  value: (counts) => grouped(counts[outcome]),
  tone: ({ [outcome]: count }) =>
    count === 0
      ? 'muted'
      : outcome === 'failed' || outcome === 'waiting'
        ? outcomeTones[outcome]
        : 'plain',
}));

export const rateColumn: Column<OutcomeCounts> = {
  field: 'rate',
  header: 'RATE',
  right: true,
  value: (counts) => percent(deliveryRate(counts)),
  tone: (counts) => rateTone(deliveryRate(counts)),
};

/** The bar of the row with most messages has `width` cells. */
export function barColumn(rows: readonly OutcomeCounts[], width: number): Column<OutcomeCounts> {
  const max = Math.max(0, ...rows.map(messageCount));
  return {
    field: 'bar',
    header: 'MESSAGES',
    spans: (counts, unicode) => stackedBar(toSegments(counts, unicode), max, width),
    drop: 1,
  };
}

// Messages by channel and outcome, as lines for progress and notes.

export function channelCountLines(channels: ReadonlyMap<string, OutcomeCounts>): string[] {
  const width = Math.max(0, ...[...channels.keys()].map(({ length }) => length));
  return [...channels].map(([channel, counts]) => {
    const parts = stepOutcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `${grouped(counts[outcome])} ${outcome}`);
    return `  ${channel.padEnd(width)}  ${parts.join(', ')}`;
  });
}
