// Facts about a step that the responses of the service do not contain, for its timeline: the condition that skipped it,
// and the mistake in its templates.
import { isChannel } from '../../api/schemas/vocabulary.ts';
import { skippedByCondition, skippedByRule } from '../engine/skip-rules.ts';
import { jobsOf, type StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';

/** Returns the notes of the steps of notifications, by the id of the job. */
export function stepNotes(scope: Scope, notifications: readonly string[]): Map<string, string> {
  return new Map(
    jobsOf(scope, notifications).flatMap((job) => {
      const note = noteOf(scope, job);
      return note === undefined ? [] : [[job.id, note]];
    }),
  );
}

function noteOf({ dialect }: Scope, { type, details, step }: StoredJob): string | undefined {
  const noted = details.findLast(({ note }) => note !== undefined);
  if (noted) return noted.note;
  const has = (text: string) => details.some(({ detail }) => detail === text);
  if (has(isChannel(type) ? skippedByRule : skippedByCondition))
    return `${dialect.isSkipToRun ? 'This condition was false' : 'This condition was true'}: ${JSON.stringify(step.controlVariables?.skip)}`;
  return has(skippedByCondition)
    ? `These filters did not match: ${JSON.stringify(step.filters)}`
    : undefined;
}
