// The tests that mutants are run against: those of retries, masking and the journal, all in one process.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/api/retry*.test.ts',
      'test/output/mask*.test.ts',
      'test/bulk/{disk,explicit-ids,journal,ledger,lock,manifest,merge-runs,publish-rejects,rejects-format,rejects-path,run-target,run-store,read-lines,sent-transactions}.test.ts',
    ],
    env: { TZ: 'UTC' },
  },
});
