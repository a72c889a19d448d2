// Workflows and layouts that a command skips because files cannot replace them.
import { counted } from '../../core/text.ts';
import type { ResourceKind } from '../../environment-files/resource.ts';
import { type ExitEnd, exit } from '../../output/result.ts';

export interface SkippedResource {
  kind: ResourceKind;
  id: string;
  reason: string;
}

/** The remedy, for people. */
export const skippedHint =
  'All others were processed. Change the skipped ones where they are defined. To exit with 0, pass the ids of the other workflows to `svc workflows pull` or `svc workflows promote`.';

/** Exits with 3 and lists them. */
export const skippedEnd = (skipped: readonly SkippedResource[]): ExitEnd =>
  exit('partial', {
    isWarning: true,
    message: `Skipped ${counted(skipped.length, 'resource')} that svc cannot keep as files.`,
    hint: skippedHint,
    fieldErrors: skipped.map(({ kind, id, reason }) => ({
      field: `${kind} ${id}`,
      message: reason,
    })),
  });
