// `svc events cancel --run`: the list of the transactions of a run, and how long their cancellation takes.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { BulkOptions } from '../../bulk/command/options.ts';
import { durationText } from '../../core/durations.ts';
import { localError } from '../../core/errors.ts';
import { counted, grouped, shellWord } from '../../core/text.ts';
import { findTriggerRun, requireRunTarget } from '../../deliveries/run-deliveries.ts';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { record as operationRecord } from '../../service/operations/index.ts';
import { plans, tokensPerSecond } from '../../service/plans.ts';

/** Lists every transaction that a run has sent, with or without a response. */
export async function listOfRun(context: Context, run: string, options: BulkOptions) {
  const { openRunStore } = await import('../../bulk/journal/run-store.ts');
  const store = openRunStore(context.host);
  const participle = 'cancelled';
  const triggerRun = await findTriggerRun(context, store, run, { participle, resends: true });
  const { run: targetRun, folder } = triggerRun;
  if (targetRun.state === 'running') {
    const elsewhere = store.remoteLockError(targetRun.runId, 'cancel');
    if (elsewhere) throw elsewhere;
    throw localError(
      `Run ${targetRun.runId} is still sending events. Events sent later would not be cancelled.`,
      { hint: 'Interrupt it with Ctrl-C, or wait until it has finished, and then cancel it.' },
    );
  }
  const { ids, rejected } = await triggerRun.readSent();
  const list = path.join(folder, 'transactions.ndjson');
  // As JSON, because an id may contain any character, also line breaks.
  const lines = ids.map((transactionId) => `${JSON.stringify({ transactionId })}\n`).join('');
  // An up-to-date list is not rewritten, because a resumed run reads it again.
  if (!existsSync(list) || readRegularFile(list) !== lines) replaceFile(list, lines);
  if (!options.validateOnly)
    await requireRunTarget(context, triggerRun, {
      participle,
      command: 'events cancel --run',
      ifReplaced: `cancel its transactions by their ids with \`${context.propose(`svc events cancel - --format ndjson < ${shellWord(list)}`)}\``,
    });
  return {
    target: `${counted(ids.length, 'transaction')} of run ${targetRun.runId}`,
    rejected,
    durationText: () => cancelDurationText(context, ids, options),
    bulk: {
      file: list,
      args: { transactionIds: [] },
      options: { ...options, format: 'ndjson', run: targetRun.runId },
      retry: { line: `events cancel --run ${targetRun.runId}`, fromRun: true },
    } as const,
  };
}

/** Fewer requests take a second or two. */
const minRequests = 100;
/** Requests that a service handles at the same time without slowing down, as a guess. */
const assumedConcurrency = 16;

/** Undefined for a few transactions. Sends one request, whose response names the plan and shows the latency. */
async function cancelDurationText(
  context: Context,
  ids: readonly string[],
  { rate, concurrency = assumedConcurrency }: { rate?: number; concurrency?: number },
): Promise<string | undefined> {
  if (ids.length < minRequests) return undefined;
  const client = await context.client();
  const { clock } = context.host;
  const startedAt = clock.ticks();
  const query = { transactionId: ids[0], limit: 1 };
  const { headers } = await client.exchange('listActivity', { query });
  const latencyMs = Math.max(1, clock.ticks() - startedAt);
  const level = /serviceLevel="?(\w+)/i.exec(headers['ratelimit-policy'] ?? '')?.[1];
  const plan = plans.find((name) => name === level);
  const { category, cost } = operationRecord('cancelEvent').rate;
  const limit = plan && tokensPerSecond[plan][category] / cost;
  const possible = (Math.min(concurrency, assumedConcurrency) * 1_000) / latencyMs;
  const perSecond = Math.min(possible, limit ?? possible, rate ?? possible);
  const seconds = Math.max(1, Math.round(ids.length / perSecond));
  const reason =
    perSecond === rate
      ? ` at ${grouped(rate)} a second (--rate)`
      : perSecond === limit
        ? ` at ${grouped(limit)} a second, the limit of the plan ${plan}`
        : '';
  return `Cancelling takes ${grouped(ids.length)} requests, one for each transaction: about ${durationText(seconds * 1_000)}${reason}.`;
}
