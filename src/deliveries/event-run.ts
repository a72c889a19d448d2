// A run that triggered events, for the commands that read or cancel its deliveries.
import type { Context } from '../app/context.ts';
import { resolveRunId } from '../bulk/command/resolve-run.ts';
import { createRunTarget } from '../bulk/command/run-target.ts';
import { resendCommand, triggerCommand } from '../bulk/journal/ledger.ts';
import type { RunStore } from '../bulk/journal/run-store.ts';
import type { StoredRunDetails } from '../bulk/journal/stored-run.ts';
import type { RejectedBatch } from '../bulk/operations/sent-transactions.ts';
import { usageError } from '../core/errors.ts';
import { listText } from '../core/text.ts';

export interface SentEvents {
  ids: readonly string[];
  /** The row of each id in the input, from 1. */
  rows: readonly number[];
  /** Batches in which the service rejected events. */
  rejected: readonly RejectedBatch[];
}

export interface EventRun {
  run: StoredRunDetails;
  folder: string;
  /** Whether each event has exactly one recipient. */
  isSingle: boolean;
  /** When the journal was last written, in milliseconds since 1970. */
  writtenAt: number;
  /** The events that the run has sent so far. */
  readSent(): Promise<SentEvents>;
}

interface Purpose {
  /** As in "cannot be cancelled". */
  participle: string;
  /** Whether a run of `events resend` is accepted, too. */
  resends: boolean;
}

/** Finds a run by its id; `last` is the newest one of the selected profile. Throws a usage error for other runs. */
export async function findEventRun(
  context: Context,
  store: RunStore,
  name: string,
  { participle, resends }: Purpose,
): Promise<EventRun> {
  const commands = resends ? [triggerCommand, resendCommand] : [triggerCommand];
  const isSent = ({ command, manifest }: StoredRunDetails) =>
    commands.includes(command) && manifest.service !== '';
  const run = store.read(resolveRunId(context, store, name, isSent));
  const { runId, command, manifest } = run;
  if (!commands.includes(command))
    throw usageError(
      `Run ${runId} is a run of \`svc ${command}\`. Only runs of ${listText(
        commands.map((line) => `\`svc ${line}\``),
        'or',
      )} can be ${participle}.`,
    );
  const folder = store.runFolder(runId);
  return {
    run,
    folder,
    isSingle: command === resendCommand || manifest.args.workflowId !== undefined,
    writtenAt: store.writtenAt(runId) ?? Date.parse(run.startedAt),
    async readSent() {
      const { readSentTransactions } = await import('../bulk/operations/sent-transactions.ts');
      return readSentTransactions(folder);
    },
  };
}

/** Throws a usage error unless the run belongs to the active service and environment. */
export async function requireRunTarget(
  context: Context,
  { run: { manifest } }: EventRun,
  action: { participle: string; command: string; ifReplaced: string },
): Promise<void> {
  const { requireSameTarget } = await import('../bulk/journal/run-target.ts');
  const { runId } = manifest;
  requireSameTarget(manifest, await createRunTarget(context, runId), {
    verb: `be ${action.participle} here`,
    command: `svc ${action.command} ${runId}`,
    ifReplaced: action.ifReplaced,
  });
}
