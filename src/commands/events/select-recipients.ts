// Selects the recipients that a run did not reach, from its deliveries and the deliveries of earlier resends.
import type { Context } from '../../app/context.ts';
import type { Manifest } from '../../bulk/journal/manifest.ts';
import { transactionIdFor } from '../../bulk/operations/transaction-ids.ts';
import type { EventRun } from '../../deliveries/event-run.ts';
import { readAllTransactions } from '../../deliveries/read.ts';
import { createDeliveries, type Recipient } from '../../deliveries/summary.ts';
import { readRunDeliveries } from '../../deliveries/watch.ts';

/** A recipient to send to, and the id of the new event. */
export interface ResentRecipient {
  /** The event of the run. */
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
  cause: string | undefined;
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
  origin: EventRun,
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
    if (!isUnreached(recipient) || !isCause(recipient)) continue;
    if (only === 'undelivered' && messages.delivered > 0) others += 1;
    else {
      const row = rows.get(transactionId) ?? 0;
      const { delivered } = messages;
      candidates.push({ originId: transactionId, subscriberId, row, delivered });
    }
  }
  for (let repetition = 1; ; repetition += 1) {
    const resentId = (candidate: Candidate) => resentTransactionId(manifest, candidate, repetition);
    const known = await sentIds(repetition);
    const resent = await readById(context, candidates.map(resentId));
    const unsent = candidates.filter((candidate) => !resent.has(resentId(candidate)));
    // A resend whose state is lost is completed with its own ids.
    const isLost = known.size === 0 && !isAgain && unsent.length > 0;
    if (known.size === 0 && (resent.size === 0 || isLost))
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
      if (recipient === undefined ? known.has(id) : recipient.outcome === 'waiting')
        unfinished += 1;
      else if (recipient === undefined) left.push(candidate);
      else if (isUnreached(recipient) && isCause(recipient)) {
        const { delivered } = recipient.messages;
        if (only === 'undelivered' && delivered > 0) others += 1;
        else left.push({ ...candidate, delivered: candidate.delivered + delivered });
      }
    }
    candidates = left;
  }
}

/** Since version 3.15, a step for which the subscriber has no channel is skipped. Before, it failed. */
const isUnreached = ({ outcome, causes }: Recipient) =>
  outcome === 'failed' || (outcome !== 'waiting' && causes.includes('missing_channel'));

/** The resent events that are in the activity. */
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
