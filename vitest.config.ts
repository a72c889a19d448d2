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

/**
 * `npm test` runs `in-process`, `process` and `isolated`. `.ci/run` adds `slow` (long runs, real waiting), `pages`
 * (the page of the sandbox in Chromium) and `shells` (completion in bash, zsh and fish). `npm run nightly` adds
 * `nightly` (installs packages, or takes minutes).
 */
export default defineConfig({
  plugins: [yamlModules(), textModules()],
  test: {
    env: { TZ: 'UTC' },
    testTimeout: 20_000,
    hookTimeout: 60_000,
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
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'slow-isolated', include: slowIsolated, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: 'nightly', include: ['test/nightly/**/*.test.ts'], testTimeout: 600_000 },
      },
      {
        extends: true,
        test: {
          ...built,
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      { extends: true, test: { ...built, name: 'shells', include: ['test/shells/**/*.test.ts'] } },
    ],
  },
});
