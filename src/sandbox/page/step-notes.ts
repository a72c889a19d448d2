// Facts about a step that the responses of the service do not contain, for its timeline: the condition that skipped it,
// and the mistake in its templates.
import { skippedByCondition } from '../engine/skip-rules.ts';
import { jobsOf, type StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';

/** Returns the notes of the steps of notifications, by the id of the job. */
export function stepNotes(scope: Scope, notifications: readonly string[]): Map<string, string> {
  return new Map(
    jobsOf(scope, notifications).flatMap((job) => {
      const note = noteOf(job, scope.compat);
      return note === undefined ? [] : [[job.id, note]];
    }),
  );
}

function noteOf({ details, step }: StoredJob, compat: boolean): string | undefined {
  const noted = details.findLast(({ note }) => note !== undefined);
  if (noted) return noted.note;
  if (!details.some(({ detail }) => detail === skippedByCondition)) return undefined;
  const { skip } = step.controlVariables ?? {};
  if (typeof skip === 'object' && skip !== null && Object.keys(skip).length > 0)
    return `${compat ? 'This condition was false' : 'This condition was true'}: ${JSON.stringify(skip)}`;
  return `These filters did not match: ${JSON.stringify(step.filters)}`;
}
