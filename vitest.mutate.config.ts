// The tests that mutants are run against: those of retries, masking and the journal, all in one process.
import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const journalTests = [
  ...['disk', 'disk-errors', 'disk-order', 'journal', 'ledger', 'ledger-state', 'lock', 'manifest'],
  ...['join-rejects', 'merge-runs', 'publish-rejects', 'read-lines', 'rejects-format'],
  ...['rejects-path', 'run-folders', 'run-order', 'run-removal', 'stored-run', 'read-range'],
  ...['run-store', 'run-target', 'sent-transactions', 'stored-paths', 'transaction-id-file'],
].map((name) => `test/bulk/${name}.test.ts`);

// Without a renamed file, the mutants that only its tests kill would survive.
for (const file of journalTests)
  if (!existsSync(file))
    throw new Error(`vitest.mutate.config.ts names ${file}, which does not exist.`);

export default defineConfig({
  test: {
    include: [
      'test/api/retry*.test.ts',
      'test/output/mask*.test.ts',
      'test/platform/atomic-write.test.ts',
      ...journalTests,
    ],
    env: { TZ: 'UTC' },
  },
});
