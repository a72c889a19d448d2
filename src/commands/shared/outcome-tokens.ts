// Outcomes of channel steps as tokens: `✓ email  ✗ sms  – push  … in_app`.
import type { StepVerdict } from '../../explain/verdict.ts';
import type { Column, Span, Tone } from '../../output/result.ts';
import { messageOutcomes, type StepOutcome } from '../../service/job-outcomes.ts';
import type { MessageStatus } from '../../service/schemas/vocabulary.ts';

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
