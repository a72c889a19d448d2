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
 * `npm test` runs `in-process`, `process` and `isolated`. `.ci/run` adds `slow` (long runs, real waiting), `pages`
 * (the page of the sandbox in Chromium) and `shells` (completion in bash, zsh and fish). `npm run nightly` adds
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
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{e2e,slow,nightly,shells,pages}/**', ...isolated],
          env: temporaryFolder(),
          pool: 'threads',
          isolate: false,
        },
      },
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
          testTimeout: limit(60),
        },
      },
      { extends: true, test: { ...built, name: 'shells', include: ['test/shells/**/*.test.ts'] } },
    ],
  },
});
