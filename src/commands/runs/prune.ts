import type { StoredRunDetails } from '../../bulk/journal/run-store.ts';
import { command } from '../../cli/command.ts';
import { duration, flag } from '../../cli/options.ts';
import { durationText, unitMs } from '../../core/durations.ts';
import { counted } from '../../core/text.ts';
import * as result from '../../output/result.ts';

const defaultAgeMs = 30 * unitMs.d;

export const prune = command({
  summary: 'Remove old runs with their journals and rejects',
  details:
    'Removes finished runs whose journal has not changed for 30 days. The newest 10 runs are kept. Because the clock of a machine can be wrong, svc removes a run only if at least three other runs started more than 30 days after it. With --older-than, only the clock counts, also for the newest runs. A run in progress, or started by another machine or container, is never removed. A run that can still be resumed, or whose journal cannot be read, is kept unless --include-resumable is given. A rejects file outside the folder of the run (--rejects) is kept. --dry-run lists the runs and removes none.',
  options: {
    olderThan: duration(
      '--older-than <duration>',
      'Remove all runs older than this, also the newest',
    ),
    includeResumable: flag('--include-resumable', 'Also remove runs that can still be resumed'),
  },
  output:
    '{removed, dryRun}, where removed lists the ids of the removed runs or, with --dry-run, of the runs that would be removed.',
  examples: {
    'svc runs prune --dry-run': 'List the runs that would be removed',
    'svc runs prune --older-than 7d --include-resumable --yes':
      'Remove all runs older than a week without asking',
  },
  fields: ['removed', 'dryRun'],
  writes: false,
  tool: 'write',
  offline: true,
  localOnly: true,
  localDryRun: true,
  async run(context, { options: { olderThan, includeResumable = false } }) {
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const { findOldRuns } = await import('../../bulk/journal/run-store.ts');
    const { host, globals } = context;
    const store = openRunStore(host);
    const now = host.clock.now();
    const writtenAt = ({ runId }: StoredRunDetails) => store.writtenAt(runId) ?? now;
    const isOld = (run: StoredRunDetails) =>
      // The time of a file can be a fraction of a millisecond ahead of the clock.
      Math.max(0, now - writtenAt(run)) >= (olderThan ?? defaultAgeMs);
    const runs = store.list().map((run) => ({ ...run, writtenAt: writtenAt(run) }));
    const chosen = (olderThan === undefined ? findOldRuns(runs, now, defaultAgeMs) : runs)
      .filter(({ manifest }) => !store.isFromOtherHost(manifest))
      .filter((run) => run.state !== 'running' && (includeResumable || !isResumable(run)))
      .filter(isOld);
    const age = `older than ${durationText(olderThan ?? defaultAgeMs)}`;
    const dryRun = globals.dryRun !== undefined;
    if (chosen.length > 0) await context.confirm(...confirmation(chosen, age));
    const removed = chosen.filter((run) => dryRun || store.removeIf(run.runId, () => isOld(run)));
    const ids = removed.map(({ runId }) => runId);
    return result.report({
      value: { removed: ids, dryRun },
      lines: reportLines(removed, age, dryRun),
      ids,
    });
  },
});

/**
 * Whether `svc runs resume` can continue the run. A run from standard input has no file to read again. A damaged
 * journal can be moved away before the run is resumed.
 */
const isResumable = ({ state, manifest }: StoredRunDetails) =>
  state === 'unreadable' || (state === 'stopped' && manifest.file !== null);

/** The question, and a warning if it includes runs that can still be resumed. */
function confirmation(chosen: readonly StoredRunDetails[], age: string): [string, string?] {
  const resumable = chosen.filter(isResumable).length;
  const whose = chosen.length === 1 ? 'its journal' : 'their journals';
  const action = `Remove ${counted(chosen.length, 'run')} ${age} with ${whose} and rejects`;
  if (resumable === 0) return [action];
  const which = chosen.length === 1 ? 'It' : `${resumable} of them`;
  return [action, `${which} can still be resumed.`];
}

function reportLines(removed: readonly StoredRunDetails[], age: string, dryRun: boolean): string[] {
  if (removed.length === 0) return [`No runs ${age} to remove.`];
  return [
    `${dryRun ? 'Would remove' : 'Removed'} ${counted(removed.length, 'run')} ${age}:`,
    ...removed.map(
      ({ runId, command: line, state, rows }) =>
        `  ${runId}  ${line}, ${state}, ${counted(rows, 'row')}`,
    ),
  ];
}
