// How long the cancellation of a run takes: one request for each transaction, within the limits of the service.
import type { Context } from '../../app/context.ts';
import { durationText } from '../../core/durations.ts';
import { grouped } from '../../core/text.ts';
import { record as operationRecord } from '../../service/operations/index.ts';
import { plans, tokensPerSecond } from '../../service/plans.ts';

/** Fewer requests take a second or two. */
const minRequests = 100;
/** Requests that a service handles at the same time without slowing down, as a guess. */
const assumedConcurrency = 16;

/** Undefined for a few transactions. Sends one request, whose response names the plan and shows the latency. */
export async function cancelDurationText(
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
