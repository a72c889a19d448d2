// Schemas for the journal of a run that was copied from another machine.
import { z } from 'zod';

const hash = z.string().nullable();

/** The manifest. Unknown members of newer versions are accepted. */
export const manifestSchema = z.looseObject({
  format: z.number(),
  runId: z.string().regex(/^[\w-]+$/, 'not a run id'),
  command: z.string(),
  args: z.record(z.string(), z.unknown()),
  options: z.record(z.string(), z.unknown()),
  profile: z.string().nullable(),
  service: z.string(),
  keyMark: hash,
  environmentId: hash,
  file: z
    .looseObject({ path: z.string(), size: z.number(), mtimeMs: z.number(), digest: z.string() })
    .nullable(),
  rejects: z.string(),
  startedAt: z.string(),
  version: z.string(),
});

const count = z.number().int().min(0);

/** The sums of the ledger. */
export const ledgerSchema = z.looseObject({
  counts: z.record(z.string(), count),
  totals: z.looseObject({
    batches: count,
    requests: count,
    retries: count,
    duplicates: count,
    milliseconds: z.number().min(0),
    replayed: count,
    sentAgain: z.array(z.tuple([count, count])).optional(),
  }),
  rejectsBytes: count,
});
