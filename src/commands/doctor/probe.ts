// The check of `--probe`: triggers one event, and measures how long the service takes to create and finish its jobs.
import type { Context } from '../../app/context.ts';
import { newTransactionId, requireOwnResult } from '../../bulk/operations/transaction-ids.ts';
import type { Values } from '../../cli/command.ts';
import { flag, text } from '../../cli/options.ts';
import { pollUntil } from '../../core/async.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { judgeDelivery } from '../../deliveries/outcome.ts';
import { readActivity } from '../../deliveries/watch.ts';
import { isFinished } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { Check } from './checks.ts';

/** An assistant cannot confirm the event, because the tool only reads. */
const tool = false;

export const probeOptions = {
  probe: flag('--probe', 'Also trigger one event and check its jobs; needs --workflow and --to', {
    tool,
  }),
  workflow: text(
    '--workflow <workflow-id>',
    'The workflow that --probe triggers, without payload',
    { complete: 'workflows', tool },
  ),
  to: text('--to <subscriber-id>', 'The subscriber that --probe notifies', {
    complete: 'subscribers',
    tool,
  }),
};

interface ProbedEvent {
  workflow: string;
  subscriberId: string;
}

/** The event to trigger; undefined without --probe. */
export function probedEvent({
  probe: isWanted,
  workflow,
  to: subscriberId,
}: Partial<Values<typeof probeOptions>>): ProbedEvent | undefined {
  if (isWanted) {
    if (workflow !== undefined && subscriberId !== undefined) return { workflow, subscriberId };
    const orPlaceholder = (value: string | undefined, name: string) =>
      value === undefined ? name : shellWord(value);
    throw usageError('--probe needs --workflow and --to.', {
      next: [
        `svc doctor --probe --workflow ${orPlaceholder(workflow, '<workflow-id>')} --to ${orPlaceholder(subscriberId, '<subscriber-id>')}`,
      ],
    });
  }
  const unused = workflow === undefined ? subscriberId && '--to' : '--workflow';
  if (unused) throw usageError(`${unused} is only for --probe.`);
  return undefined;
}

export async function confirmProbe(
  context: Context,
  { workflow, subscriberId }: ProbedEvent,
): Promise<void> {
  try {
    context.connection.target();
  } catch {
    // The other checks report the problem, and the event is not triggered.
    return;
  }
  await context.confirm(`Trigger ${workflow} for ${subscriberId}`);
}

const polling = { firstMs: 100, maxMs: 1_000 };
/** For the first job, and then for the last one. */
const patienceMs = 30_000;

export const probe = (event: ProbedEvent): Check => ({
  name: 'probe',
  needs: 'all',
  run: (context) => runProbe(context, event),
});

async function runProbe(context: Context, { workflow, subscriberId }: ProbedEvent) {
  const { clock, shutdownSignal } = context.host;
  const client = await context.client();
  // The service would create a subscriber that does not exist.
  await client.call('getSubscriberPreferences', { path: { subscriberId } });
  const transactionId = newTransactionId(context.host);
  const event = { name: workflow, to: [{ subscriberId }], payload: {}, transactionId };
  const startedAt = clock.ticks();
  const [accepted] = await client.call('triggerEvents', { body: { events: [event] } });
  requireOwnResult(transactionId, accepted);
  const what = `event ${workflow} for ${subscriberId} ${context.connection.place()}`;
  if (accepted?.status !== 'processed') {
    const reason = [accepted?.status, ...[accepted?.error ?? []].flat()].join(': ');
    throw new SvcError('refused', `${what}: not triggered: ${reason}`, {
      next: [`svc workflows get ${shellWord(workflow)}`],
    });
  }
  const elapsed = () => clock.ticks() - startedAt;
  const undelivered = (message: string, command: string) =>
    new SvcError('undelivered', `${what}: ${message}`, { next: [command] });
  const show = `svc activity get ${shellWord(transactionId)}`;
  const acceptedMs = elapsed();
  let createdMs: number | undefined;
  return pollUntil({ ...polling, clock, signal: shutdownSignal }, async () => {
    const [item] = await readActivity(context, transactionId);
    const jobs = item?.jobs ?? [];
    if (jobs.length > 0) createdMs ??= elapsed();
    const times = `accepted after ${seconds(acceptedMs)}, jobs created after ${seconds(createdMs ?? 0)}`;
    const waiting = jobs.find(({ status }) => status === 'delayed');
    if (waiting)
      return {
        message: `${what}: ${times}; the steps after its ${waiting.type} were not waited for`,
      };
    if (item && jobs.length > 0 && jobs.every(isFinished)) {
      const reasons = findFailure(item);
      const message = `${times}, finished after ${seconds(elapsed())}`;
      if (reasons === undefined) return { message: `${what}: ${message}, delivered` };
      const explain = `svc activity explain ${shellWord(subscriberId)} --transaction ${shellWord(transactionId)}`;
      throw undelivered(`${message}, not delivered: ${reasons}`, explain);
    }
    if (elapsed() > (createdMs ?? 0) + patienceMs) {
      const job = jobs.find((candidate) => !isFinished(candidate));
      const state =
        job === undefined
          ? `accepted, but no job after ${patienceMs / 1_000} s`
          : `${times}, but ${job.type} is ${job.status} after ${patienceMs / 1_000} s`;
      throw undelivered(`${state}: is the worker running?`, show);
    }
    return undefined;
  });
}

/** Why the message was not delivered; undefined if it was. */
function findFailure(item: ActivityItem): string | undefined {
  const { outcome, reasons } = judgeDelivery(item, { goal: 'settled', required: [] });
  return outcome === 'undelivered' ? reasons.join('; ') || 'no step sent a message' : undefined;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
