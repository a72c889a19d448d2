// The tests that mutants are run against: those of retries, masking and the journal, all in one process.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/api/retry*.test.ts',
      'test/output/mask*.test.ts',
      'test/platform/atomic-write.test.ts',
      'test/bulk/{disk,disk-errors,disk-order,journal,ledger,ledger-state,lock,manifest}.test.ts',
      'test/bulk/{join-rejects,merge-runs,publish-rejects,read-lines,rejects-format,rejects-path,run-folders,run-order,run-removal,stored-run}.test.ts',
      'test/bulk/{read-range,run-store,run-target,sent-transactions,stored-paths,transaction-id-file}.test.ts',
    ],
    env: { TZ: 'UTC' },
  },
});
