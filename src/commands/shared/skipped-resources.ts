// Workflows and layouts that a command skips because they cannot be files.
import { counted } from '../../core/counts.ts';
import { type ExitEnd, exit } from '../../output/result.ts';

export interface SkippedResource {
  kind: 'workflow' | 'layout';
  id: string;
  reason: string;
}

/** Exits with 3 and lists them. */
export const skippedEnd = (skipped: readonly SkippedResource[]): ExitEnd =>
  exit('partial', {
    message: `Skipped ${counted(skipped.length, 'resource')}.`,
    fieldErrors: skipped.map(({ kind, id, reason }) => ({
      field: `${kind} ${id}`,
      message: reason,
    })),
  });
