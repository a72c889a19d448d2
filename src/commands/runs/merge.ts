import { existsSync } from 'node:fs';
import path from 'node:path';
import { bulkOptions } from '../../bulk/command/options.ts';
import { resolveRunId } from '../../bulk/command/resolve-run.ts';
import type { MergedRuns } from '../../bulk/journal/merge-runs.ts';
import { command } from '../../cli/command.ts';
import { forceOption, rest, text } from '../../cli/options.ts';
import type { ExitReason } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { chooseOutputFile } from '../../platform/files/output-file.ts';

export const merge = command({
  summary: 'Sum up the runs of several machines and join their rejected rows',
  details:
    'Copy the folders of the runs to one machine first; `svc runs show <run-id>` prints the folder of a run. The command does not change the folders. The runs must have the same command, service, environment, options and input file. For runs with --shard, every shard must occur at most once; missing shards are reported.\n\nThe exit code is 3 if rows were rejected, a run has not finished or processed only a part of the input (--skip, --take), or a shard is missing.',
  arguments: {
    folders: rest(
      '<run-folder...>',
      'Folders of the runs; last is the newest run of the selected profile',
      'files',
    ),
  },
  options: {
    rejects: text('--rejects <file>', 'Write the rejected rows of all runs to this file', {
      complete: 'files',
    }),
    ...forceOption,
  },
  output:
    '{runs, command, rows, created, updated, failed, invalid, …, seconds, rowsPerSecond, rejects, unfinished, missingShards, limited}: the sums of the runs; seconds is the time of the slowest run, unfinished lists runs that stopped early, missingShards lists shards without a run, limited lists runs with --skip or --take.',
  exitCodes: ['partial', 'refused'],
  examples: {
    'svc runs merge last': 'The sums of one run of this machine',
    'svc runs merge "$(svc runs show last --jq .folder)" --rejects all.csv':
      'With the rejected rows of all given runs in one file',
  },
  fields: [
    ...['runs', 'command', 'rows', 'created', 'updated', 'subscribed', 'triggered', 'cancelled'],
    ...['notPending', 'marked', 'failed', 'invalid', 'skipped', 'unknown', 'duplicates', 'batches'],
    ...['requests', 'retries', 'seconds', 'rowsPerSecond', 'rejects', 'unfinished'],
    ...['missingShards', 'limited'],
  ],
  writes: false,
  tool: 'write',
  offline: true,
  localOnly: true,
  async run(context, { args, options }) {
    const { host } = context;
    const { mergeRuns, readCopiedRun } = await import('../../bulk/journal/merge-runs.ts');
    const inFolder = (file: string) => path.resolve(host.cwd, file);
    const { rejects, force } = options;
    const target = rejects === undefined ? undefined : chooseOutputFile(host, rejects, { force });
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(host);
    const runs = args.folders.map((folder) =>
      readCopiedRun(
        folder === 'last' && !existsSync(inFolder(folder))
          ? store.runFolder(resolveRunId(context, store, folder))
          : inFolder(folder),
      ),
    );
    const { optionsWith } = await import('../../bulk/command/options.ts');
    const merged = mergeRuns(runs, new Set([...optionsWith('changeable', bulkOptions), 'shard']));
    const { joinRejects } = await import('../../bulk/journal/merge-runs.ts');
    const hasRejects = target !== undefined && joinRejects(target.path, runs, target);
    return report(merged, hasRejects ? target.path : null);
  },
});

function report(merged: MergedRuns, rejects: string | null) {
  const { runs, command: name, counts, rows, totals, unfinished, missingShards, limited } = merged;
  const { milliseconds, ...requests } = totals;
  const { failed = 0, invalid = 0, skipped = 0, unknown = 0, ...successes } = counts;
  const seconds = Math.round(milliseconds) / 1000;
  const bad = failed + invalid + unknown;
  const isComplete = unfinished.length === 0 && missingShards.length === 0 && limited.length === 0;
  const [problem, ...otherProblems] = [
    ...(bad === 0 ? [] : [`Rejected: ${invalid} invalid, ${failed} failed, ${unknown} unknown.`]),
    ...(unfinished.length === 0 ? [] : [`Not finished: ${unfinished.join(', ')}.`]),
    ...(missingShards.length === 0 ? [] : [`Missing shards: ${missingShards.join(', ')}.`]),
    ...(limited.length === 0
      ? []
      : [`Only a part of the input (--skip, --take): ${limited.join(', ')}.`]),
  ];
  const done = Object.entries(successes).map(([state, count]) => `${count} ${state}`);
  return result.report({
    value: {
      runs,
      command: name,
      rows,
      ...successes,
      failed,
      invalid,
      skipped,
      unknown,
      ...requests,
      seconds,
      rowsPerSecond: seconds > 0 ? Math.round(rows / seconds) : rows,
      rejects,
      unfinished,
      missingShards,
      limited,
    },
    lines: [
      `${counted(runs.length, 'run')} of svc ${name}: ${counted(rows, 'row')} in ${seconds} s.`,
      ...(done.length === 0 ? [] : [`Successful: ${done.join(', ')}.`]),
      ...(problem === undefined ? [] : [problem]),
      ...otherProblems,
      ...(rejects === null ? [] : [`Rejected rows: ${rejects}`]),
    ],
    ids: runs,
    end: result.exit(
      chooseExitReason(bad, rows, isComplete),
      problem === undefined ? undefined : { message: problem, hint: otherProblems.join(' ') },
    ),
  });
}

function chooseExitReason(bad: number, rows: number, isComplete: boolean): ExitReason {
  if (bad === 0 && isComplete) return 'ok';
  return bad > 0 && bad === rows && isComplete ? 'refused' : 'partial';
}
