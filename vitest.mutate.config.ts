// The tests of one area of scripts/mutant-areas.ts, which scripts/mutants.ts runs against mutants.
import { defineConfig } from 'vitest/config';
import { textModules } from './scripts/text-modules.js';
import { yamlModules } from './scripts/yaml-modules.js';
import { limit, temporaryFolder } from './vitest.config.ts';

const { MUTANT_TESTS = '[]' } = process.env;

export default defineConfig({
  plugins: [yamlModules(), textModules()],
  // Stryker runs without tsconfig.json, which says this otherwise.
  oxc: { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } },
  test: {
    include: JSON.parse(MUTANT_TESTS),
    setupFiles: ['scripts/load-mutants.ts'],
    // A mutant of what a module does when it is loaded needs the module to be loaded again.
    isolate: true,
    env: { TZ: 'UTC', ...temporaryFolder() },
    testTimeout: limit(20),
    hookTimeout: limit(60),
  },
});
