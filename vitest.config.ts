import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { defineConfig } from 'vitest/config';
import { textModules } from './scripts/text-modules.js';
import { yamlModules } from './scripts/yaml-modules.js';

/** In-process suites that replace modules, set the umask or start processes: each needs its own process. */
const isolated = [
  'test/package.test.ts',
  'test/bulk/{disk,disk-errors,disk-order}.test.ts',
  'test/config/store.test.ts',
  'test/platform/atomic-write.test.ts',
];

/** In-process suites that take long, measured in November 2026: most take over 40 ms per test. `npm test` leaves them out. */
const long = [
  'test/api/{deleted-items,path-segments,proxy-selection}.test.ts',
  'test/bulk/{body-writer,csv-import}.test.ts',
  'test/cli/read-only-profile.test.ts',
  'test/commands/{affected-environments,diff,output-files,partial-progress,resumed-exports}.test.ts',
  'test/commands/activity/{activity,audit,explain,stats}.test.ts',
  'test/commands/environments/{changed-plans,credentials,hidden-credentials,plan-files,pull-push,reviewed-plans,secrets}.test.ts',
  'test/commands/events/{canary*,cancel-many,cancel-report,kept-content,missing-recipients}.test.ts',
  'test/commands/events/{resend-again,resend-report,resend-transactions,wait}.test.ts',
  'test/commands/events/{resumed-in-flight,reused-run-id,validate-recipients}.test.ts',
  'test/commands/runs/{deliveries,environment,fix,foreign-replays,list,mapped-columns,moved-state,progress-verbs,resume,run-id}.test.ts',
  'test/commands/sandbox/{messages,pull}.test.ts',
  'test/commands/subscribers/{bulk-check,bulk-options,erase,erase-faults,erase-report,export,input-options,preferences-copy}.test.ts',
  'test/commands/upgrade/{environment,run}.test.ts',
  'test/commands/versions/{channels,list-parameters,workflows}.test.ts',
  'test/commands/workflows/{push,push-results,push-stop,push-traps}.test.ts',
  'test/config/{other-target,precedence}.test.ts',
  'test/environment/{round-trip,variables}.test.ts',
  'test/mcp/{calls,files,server}.test.ts',
  'test/output/{echoed-keys,widths}.test.ts',
  'test/recorded/replay.test.ts',
  'test/replay/{any-workflow,replay,verdict}.test.ts',
  'test/sandbox/bridge/{code-first,hostile}.test.ts',
  'test/sandbox/{event-rules,openapi}.test.ts',
  'test/sandbox/inbox/{channels,public-client,socket,subscriptions}.test.ts',
  'test/sandbox/{older-clients,public-client}/versions.test.ts',
  'test/sandbox/page/{actions,copy,email,overview,requests,timeline,views}.test.ts',
  'test/service/payload-schema.test.ts',
];

/** Projects that share modules: a test starts in milliseconds. */
const inProcess = { env: temporaryFolder(), pool: 'threads', isolate: false } as const;

/** For projects with tests of the built program. */
const built = { globalSetup: 'test/support/require-build.ts' };

/** Slow suites that replace modules or open named pipes. */
const slowIsolated = ['test/slow/{full-disk,named-pipes,power-cut}.test.ts'];

/** Temporary folders in memory, where the machine has room for them: a disk takes an eighth of the time of a run. */
export function temporaryFolder(): { TMPDIR?: string } {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30 ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}

/** The milliseconds of a time limit. A busy machine gets more time. */
export const limit = (seconds: number) =>
  Math.round(seconds * 1000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));

/**
 * `npm test` runs `in-process`, `process` and `isolated`. `.ci/run` adds `long`, `slow` (long runs, real waiting),
 * `pages` (the page of the sandbox in Chromium) and `shells` (completion in bash, zsh and fish). `npm run nightly` adds
 * `nightly` (installs packages, or takes minutes).
 */
export default defineConfig({
  plugins: [yamlModules(), textModules()],
  test: {
    env: { TZ: 'UTC' },
    // Transformed modules are kept between runs: a run of one file takes two thirds of the time.
    experimental: { fsModuleCache: true },
    testTimeout: limit(20),
    hookTimeout: limit(60),
    maxWorkers: '100%',
    reporters: ['default'],
    coverage: { include: ['src/**/*.{ts,tsx}'], reporter: ['text-summary', 'json-summary'] },
    projects: [
      {
        extends: true,
        test: {
          ...inProcess,
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{e2e,slow,nightly,shells,pages}/**', ...isolated, ...long],
        },
      },
      { extends: true, test: { ...inProcess, name: 'long', include: long } },
      {
        extends: true,
        test: { ...built, name: 'process', include: ['test/e2e/**/*.test.ts'], isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        extends: true,
        test: {
          ...built,
          name: 'slow',
          include: ['test/slow/**/*.test.ts'],
          exclude: slowIsolated,
          testTimeout: limit(60),
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'slow-isolated', include: slowIsolated, testTimeout: limit(60) },
      },
      {
        extends: true,
        test: { name: 'nightly', include: ['test/nightly/**/*.test.ts'], testTimeout: limit(600) },
      },
      {
        extends: true,
        test: {
          ...built,
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          setupFiles: 'test/pages/close-browser.ts',
          isolate: false,
          testTimeout: limit(60),
        },
      },
      { extends: true, test: { ...built, name: 'shells', include: ['test/shells/**/*.test.ts'] } },
    ],
  },
});
