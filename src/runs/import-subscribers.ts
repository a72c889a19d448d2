// `subscribers bulk-import` as a run: opens the plan and the rejects, runs, closes, sums up.
import type { Client } from '../api/client.ts';
import type { SvcError } from '../errors.ts';
import type { RecordSource } from '../input/records.ts';
import { openRejects } from './rejects.ts';
import { run } from './run.ts';
import { type ColumnChoices, mapColumns } from './subscriber-columns.ts';
import { requireId, subscriberPlan } from './subscriber-plan.ts';
import { createTally, type Summary, summaryOf, type Tally } from './tally.ts';

export interface ImportOptions {
  runId: string;
  source: RecordSource;
  client: Client;
  rejects: { file: string; force: boolean };
  columns: Omit<ColumnChoices, 'name'>;
  concurrency: number;
  interruption: AbortSignal;
  abortion: AbortSignal;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Told the counts while they grow; returns what stops the telling. */
  watch: (tally: Tally) => () => void;
}

export interface RunResult {
  summary: Summary;
  /** What stopped the run, when it was no person. */
  cause: SvcError | undefined;
}

export async function importSubscribers(options: ImportOptions): Promise<RunResult> {
  const { source, now, columns: choices } = options;
  const began = now();
  const { subscriberRow } = await import('../api/schemas/subscribers.ts');
  const columns = source.header && mapColumns(source.header, { ...choices, name: source.name });
  if (columns) requireId(columns, source.name);
  const plan = subscriberPlan({
    schema: subscriberRow,
    dataRest: choices.dataRest,
    ...(columns ? { columns } : {}),
  });
  const rejects = openRejects({
    ...options.rejects,
    format: source.format,
    ...(source.header ? { header: source.header } : {}),
  });
  const tally = createTally();
  const unwatch = options.watch(tally);
  try {
    const { stopped, cause } = await run({ ...options, plan, rejects, tally });
    const file = await rejects.close();
    const facts = { runId: options.runId, milliseconds: now() - began, rejects: file, stopped };
    return { summary: summaryOf(tally, facts), cause };
  } finally {
    unwatch();
  }
}
