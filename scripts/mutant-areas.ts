// The code of mutation tests, by area, with the tests that must notice a change there.
import { existsSync, readdirSync } from 'node:fs';

export interface MutantArea {
  /** Paths of files. */
  code: readonly string[];
  /** Patterns of test files. */
  tests: readonly string[];
  /** UTC by default, which hides a time that is read in the wrong zone. */
  timeZone?: string;
  /** Every change that survives is explained in bench/mutants.md: another survivor fails. Other areas only list theirs. */
  isComplete?: boolean;
  /** The tests replace modules, so the code is not loaded before them. They import it first. */
  replacesModules?: boolean;
  /** Leaves out the texts of the help in files of commands. */
  skipsHelp?: boolean;
}

const files = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}.ts`);
const allFiles = (folder: string) => readdirSync(folder).map((name) => `${folder}/${name}`);

const journalTests = [
  ...['disk', 'disk-errors', 'disk-order', 'journal', 'ledger', 'ledger-state', 'lock', 'manifest'],
  ...['join-rejects', 'merge-runs', 'publish-rejects', 'read-lines', 'rejects-format'],
  ...['rejects-path', 'run-folders', 'run-order', 'run-removal', 'stored-run', 'read-range'],
  ...['run-store', 'run-target', 'sent-transactions', 'stored-paths', 'transaction-id-file'],
].map((name) => `test/bulk/${name}.test.ts`);

/** The text of the progress of a run. */
const progressTest = 'test/commands/runs/progress-verbs.test.ts';
const exportCode = files('src/bulk/journal', 'export-file');

export const mutantAreas: Readonly<Record<string, MutantArea>> = {
  retries: {
    code: ['src/api/retry.ts'],
    tests: ['test/api/retry*.test.ts'],
    isComplete: true,
    timeZone: 'America/New_York',
  },
  masking: { code: ['src/output/mask.ts'], tests: ['test/output/mask*.test.ts'], isComplete: true },
  paging: {
    code: files('src/api', 'paginate', 'pages-by-cursor', 'pages-by-position', 'cycle-guard'),
    tests: [
      'test/api/{page-requests,paginate,paginate-by-path,cycle-guard,inconsistent-paging,deleted-items,not-offered}.test.ts',
    ],
    isComplete: true,
  },
  journal: {
    code: allFiles('src/bulk/journal').filter((file) => !exportCode.includes(file)),
    tests: journalTests,
    replacesModules: true,
    isComplete: true,
  },
  files: {
    code: files('src/platform/files', 'atomic-write', 'folder'),
    tests: ['test/platform/atomic-write.test.ts', ...journalTests],
    replacesModules: true,
    isComplete: true,
  },
  exports: {
    code: exportCode,
    tests: [
      'test/commands/{activity,subscribers}/export.test.ts',
      'test/commands/{resumed-exports,output-files}.test.ts',
    ],
    isComplete: true,
  },
  mcp: { code: allFiles('src/mcp'), tests: ['test/mcp/*.test.ts'], isComplete: true },
  resend: {
    code: files('src/commands/events', 'resend', 'resend-transactions', 'resent-events'),
    tests: [
      'test/commands/events/{resend,resend-again,resend-report,resend-transactions}.test.ts',
      progressTest,
    ],
    skipsHelp: true,
    isComplete: true,
  },
  canary: {
    code: ['src/commands/events', 'src/bulk/command', 'src/bulk/engine'].flatMap((folder) =>
      files(folder, 'canary'),
    ),
    tests: ['test/commands/events/canary*.test.ts'],
    skipsHelp: true,
    isComplete: true,
  },
  cancel: {
    code: [
      ...files('src/commands/events', 'cancel', 'cancel-run'),
      'src/bulk/operations/retry-cancellations.ts',
      'src/sandbox/engine/cancel.ts',
    ],
    tests: [
      'test/bulk/retry-cancellations.test.ts',
      'test/commands/events/{cancel-early,cancel-many,cancel-report,events,foreign-transactions}.test.ts',
      'test/commands/runs/{progress-verbs,replays,resume}.test.ts',
      'test/sandbox/engine/{digest,waiting}.test.ts',
    ],
    skipsHelp: true,
    isComplete: true,
  },
  erase: {
    code: [
      ...files('src/commands/subscribers', 'erase', 'local-files', 'report'),
      'src/bulk/operations/erasure.ts',
    ],
    tests: [
      'test/bulk/erasure.test.ts',
      'test/commands/subscribers/{erase,erase-faults,erase-report,local-files,report}.test.ts',
      'test/commands/versions/channels.test.ts',
      progressTest,
    ],
    skipsHelp: true,
    isComplete: true,
  },
  sync: {
    code: files('src/commands/topics', 'sync'),
    tests: ['test/commands/topics/sync.test.ts', progressTest],
    isComplete: true,
    skipsHelp: true,
  },
  push: {
    code: files('src/environment', 'plan', 'compare', 'reviewed-plan', 'apply-plan', 'push'),
    tests: [
      'test/commands/environments/{changed-plans,reviewed-plans,pull-push,credentials,hidden-credentials,own-environment,plan-files}.test.ts',
      'test/commands/workflows/{push,push-results,push-stop,push-traps,promote}.test.ts',
      'test/environment/*.test.ts',
    ],
  },
  time: {
    code: [
      ...files('src/sandbox/engine', 'timing', 'digest', 'scheduler'),
      ...files('src/service', 'schedule', 'time', 'waits'),
    ],
    tests: [
      'test/sandbox/engine/{clock,costs,digest,far-times,rules,schedule,timing,waiting,waits-shown}.test.ts',
      'test/sandbox/queue.test.ts',
      'test/service/{schedule,time,waits}.test.ts',
      'test/sandbox/bridge/*.test.ts',
    ],
    timeZone: 'America/New_York',
    isComplete: true,
  },
  verdicts: {
    code: files('src/deliveries', 'verdict', 'outcome', 'explanation', 'details', 'summary', 'now'),
    tests: ['test/deliveries/*.test.ts'],
    isComplete: true,
  },
};

/** `a/{b,c}.ts` → `a/b.ts`, `a/c.ts` */
const alternatives = (pattern: string): string[] => {
  const [all = '', names] = /\{([^}]*)\}/.exec(pattern) ?? [];
  return names === undefined
    ? [pattern]
    : names.split(',').flatMap((name) => alternatives(pattern.replace(all, name)));
};

// Without a renamed file, its mutants would be left out, or those that only its tests kill would survive.
for (const { code, tests } of Object.values(mutantAreas))
  for (const file of [...code, ...tests.flatMap(alternatives)])
    if (!file.includes('*') && !existsSync(file))
      throw new Error(`scripts/mutant-areas.ts names ${file}, which does not exist.`);
