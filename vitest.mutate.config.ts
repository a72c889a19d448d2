// The tests that mutants are run against: those of retries, masking and the journal, all in one process.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/api/retry*.test.ts',
      'test/output/mask*.test.ts',
      'test/runs/{disk,identity,journal,ledger,lock,manifest,stored-runs}.test.ts',
    ],
    env: { TZ: 'UTC' },
  },
});
