// The sign of each outcome of a channel step: `✓ email  ✗ sms  – push  … in_app`.
import type { StepOutcome } from '../service/job-status.ts';

export const outcomeSigns: Record<StepOutcome, string> = {
  delivered: '✓',
  failed: '✗',
  skipped: '–',
  waiting: '…',
};

/** For terminals without Unicode. */
export const asciiSigns: Record<StepOutcome, string> = {
  delivered: '+',
  failed: 'x',
  skipped: '-',
  waiting: '.',
};
