// Bars of messages by outcome, and the color of a delivery rate.
import type { OutcomeCounts } from '../../explain/deliveries.ts';
import type { Span, Tone } from '../../output/result.ts';
import { type StepOutcome, stepOutcomes } from '../../service/job-outcomes.ts';
import { outcomeTones } from './outcome-tokens.ts';

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

/** The same limit as the default of a canary run. */
const goodRate = 0.95;
const fairRate = 0.8;

export function rateTone(rate: number | undefined): Tone {
  if (rate === undefined) return 'muted';
  return rate >= goodRate ? 'good' : rate >= fairRate ? 'warn' : 'bad';
}
