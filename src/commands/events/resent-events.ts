// The events of a resend: selects the recipients that a run did not reach, from its deliveries and those of earlier resends,
// and makes their events from the rows of the run.
import type { Context } from '../../app/context.ts';
import { openEarlierRows } from '../../bulk/command/prepare.ts';
import { createBodyWriter } from '../../bulk/engine/body-writer.ts';
import type { Manifest } from '../../bulk/journal/manifest.ts';
import type { RunStore } from '../../bulk/journal/run-store.ts';
import { transactionIdFor } from '../../bulk/operations/transaction-ids.ts';
import { parseJson, stringifyExact } from '../../core/lossless-json.ts';
import { asObject, groupBy, isObject } from '../../core/objects.ts';
import { isUnreached } from '../../deliveries/outcome.ts';
import { readAllTransactions } from '../../deliveries/read.ts';
import { readRunDeliveries, type TriggerRun } from '../../deliveries/run-deliveries.ts';
import { createDeliveries, type Recipient } from '../../deliveries/summary.ts';
import type { ChannelCause } from '../../service/job-outcomes.ts';
import { earlierCommand } from './trigger-many.ts';

/** A recipient to send to, and the id of the new event. */
export interface ResentRecipient {
  originId: string;
  subscriberId: string;
  transactionId: string;
}

export interface Selection {
  /** 1 for the first resend of the run. */
  repetition: number;
  recipients: readonly ResentRecipient[];
  /** Recipients whose jobs are not finished, and events that are not in the activity. */
  unfinished: number;
  /** Delivered messages of the selected recipients. */
  repeatedMessages: number;
  /** Recipients with a failed and a delivered message that are not selected. */
  others: number;
}

interface SelectOptions {
  only: 'undelivered' | 'failed';
  cause: ChannelCause | undefined;
  isAgain: boolean;
  /** The ids that a resend of this machine has sent. */
  sentIds: (repetition: number) => Promise<ReadonlySet<string>>;
}

interface Candidate {
  originId: string;
  subscriberId: string;
  /** The row of the event in the input of the run. */
  row: number;
  delivered: number;
}

/**
 * The service shows which resends exist, also if the state of this machine is lost: their transaction ids follow from the
 * run, the event, the recipient and the number of the resend.
 */
export async function selectRecipients(
  context: Context,
  origin: TriggerRun,
  { only, cause, isAgain, sentIds }: SelectOptions,
): Promise<Selection> {
  const { deliveries, sent, summary } = await readRunDeliveries(context, origin);
  const { manifest } = origin.run;
  const rows = new Map(sent.ids.map((id, index) => [id, sent.rows[index] ?? 0]));
  let unfinished = summary.outcomes.waiting;
  let others = 0;
  let candidates: Candidate[] = [];
  const isCause = ({ causes }: Recipient) => cause === undefined || causes.includes(cause);
  for (const recipient of deliveries.recipients()) {
    const { transactionId, subscriberId, messages } = recipient;
    if (!isUnreached(recipient.outcome, recipient.causes) || !isCause(recipient)) continue;
    if (only === 'undelivered' && messages.delivered > 0) others += 1;
    else {
      const row = rows.get(transactionId) ?? 0;
      const { delivered } = messages;
      candidates.push({ originId: transactionId, subscriberId, row, delivered });
    }
  }
  for (let repetition = 1; ; repetition += 1) {
    const resentId = (candidate: Candidate) => resentTransactionId(manifest, candidate, repetition);
    const sentBefore = await sentIds(repetition);
    const resent = await readById(context, candidates.map(resentId));
    const unsent = candidates.filter((candidate) => !resent.has(resentId(candidate)));
    // A resend whose state is lost is completed with its own ids.
    const isLost = !isAgain && unsent.length > 0;
    if (sentBefore.size === 0 && (resent.size === 0 || isLost))
      return {
        repetition,
        recipients: unsent.map((candidate) => ({
          originId: candidate.originId,
          subscriberId: candidate.subscriberId,
          transactionId: resentId(candidate),
        })),
        unfinished,
        repeatedMessages: unsent.reduce((sum, { delivered }) => sum + delivered, 0),
        others,
      };
    const left: Candidate[] = [];
    for (const candidate of candidates) {
      const id = resentId(candidate);
      const recipient = resent.get(id);
      // Without an entry in the activity, an event that was sent may still be delivered.
      if (recipient === undefined ? sentBefore.has(id) : recipient.outcome === 'waiting')
        unfinished += 1;
      else if (recipient === undefined) left.push(candidate);
      else if (isUnreached(recipient.outcome, recipient.causes) && isCause(recipient)) {
        const { delivered } = recipient.messages;
        if (only === 'undelivered' && delivered > 0) others += 1;
        else left.push({ ...candidate, delivered: candidate.delivered + delivered });
      }
    }
    candidates = left;
  }
}

async function readById(
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Recipient>> {
  const deliveries = createDeliveries();
  if (ids.length > 0) await readAllTransactions(context, { ids, isSingle: true }, deliveries.add);
  return new Map(
    [...deliveries.recipients()].map((recipient) => [recipient.transactionId, recipient]),
  );
}

/** Depends on the content of the event, as its own id does: a run id can be used again after its state was lost. */
function resentTransactionId(
  manifest: Manifest,
  { originId, row, subscriberId }: Candidate,
  repetition: number,
): string {
  return transactionIdFor(
    JSON.stringify(['resend', manifest.idScope, row, subscriberId, repetition, originId]),
  );
}

// Makes the events from the rows of the run that they belong to.

/** Returns the events as JSON lines. Throws a usage error if the input of the run changed. */
export async function resentLines(
  context: Context,
  store: RunStore,
  { run: { runId, manifest } }: TriggerRun,
  recipients: readonly ResentRecipient[],
  updateSubscribers: boolean,
): Promise<() => AsyncGenerator<string, void, void>> {
  const byEvent = groupBy(recipients, ({ originId }) => originId);
  const bulk = await earlierCommand(context, manifest);
  const { source, sender } = await openEarlierRows(context, bulk, { store, runId });
  // Events are not written to the body: each of them is changed.
  const writer = createBodyWriter({ open: '', close: '' });
  return async function* lines() {
    for await (const records of source.chunks)
      for (const record of records) {
        // An empty row was not sent, so no recipient belongs to it.
        const item =
          record.error === undefined ? sender.toItem(record, record.row, writer) : undefined;
        if (item === undefined || 'error' in item) continue;
        const event = (await parseJson(item.json ?? '{}')) as Record<string, unknown>;
        for (const { subscriberId, transactionId } of byEvent.get(item.id) ?? []) {
          const own = updateSubscribers ? findRecipient(event, subscriberId) : undefined;
          const to = [own ?? { subscriberId }];
          const sent = updateSubscribers ? event : { ...event, actor: idAlone(event.actor) };
          yield `${stringifyExact({ ...sent, to, transactionId })}\n`;
        }
      }
  };
}

/** The recipient as the event has it, with the fields that it updates; undefined if the event names a topic. */
const findRecipient = ({ to }: Record<string, unknown>, subscriberId: string): unknown =>
  [to].flat().find((recipient) => asObject(recipient).subscriberId === subscriberId);

/** Without the fields that would be written back to the subscriber, who may have changed since the run. */
const idAlone = (actor: unknown) =>
  isObject(actor) && 'subscriberId' in actor ? { subscriberId: actor.subscriberId } : actor;
