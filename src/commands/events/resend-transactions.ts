// The events of a list of transactions, for a resend: read from the activity, as the service keeps them.
import type { Context } from '../../app/context.ts';
import { readIdLines } from '../../bulk/command/run-named.ts';
import { transactionIdFor } from '../../bulk/operations/transaction-ids.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { counted } from '../../core/text.ts';
import { type Audit, createAudit, unreadReasons } from '../../deliveries/audit.ts';
import { createDigestEvents, readAllTransactions } from '../../deliveries/read.ts';
import { findDigestId, stepVerdicts } from '../../deliveries/verdict.ts';
import { readAll, readTextFile } from '../../input/values.ts';
import { isRecorded, leftOutReasons, toRecordedEvent, usesPayload } from '../../replay/events.ts';
import { createPayloadReader } from '../../replay/export.ts';
import { contextsOfKeys } from '../../service/rules/event-contexts.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { readWorkflow } from '../shared/missing-resources.ts';
import { createServiceTime } from '../shared/server-facts.ts';

const reasons = {
  ...leftOutReasons,
  delivered: 'a message was delivered',
  waiting: 'a digest or delay has not ended, and is not late',
  digest: unreadReasons.digest,
};

/** Single reads of events at a time. */
const batchSize = 40;

/** Returns the events as JSON lines, and prints how many events are left out, and why. */
export async function transactionLines(context: Context, source: string): Promise<string[]> {
  const { host, note, warn } = context;
  const text =
    source === '-' ? await readAll(host.stdin) : readTextFile(source, '--transactions', host);
  const ids = [...new Set(readIdLines(text, source === '-' ? 'standard input' : source))];
  if (ids.length === 0) throw usageError('--transactions: the list contains no ids.');
  const items: ActivityItem[] = [];
  await readAllTransactions(context, { ids, isSingle: false }, (item) => void items.push(item));
  const absent = new Set(ids);
  for (const { transactionId } of items) absent.delete(transactionId);
  if (absent.size === ids.length)
    throw new SvcError(
      'notFound',
      `None of ${counted(ids.length, 'transaction')} is in the activity.`,
      {
        hint: 'Each line of the list is a transaction id, as `svc activity audit -o ids` prints them.',
      },
    );
  const leftOut = new Map<keyof typeof reasons, number>();
  const lines: string[] = [];
  const needsPayload = createPayloadUse(context);
  const audit = createAudit({ now: await createServiceTime(context)(), graceMs: 0 });
  const addPayloads = createPayloadReader(context);
  for (let at = 0; at < items.length; at += batchSize) {
    const digests = createDigestEvents(context);
    const batch = items.slice(at, at + batchSize);
    await digests.read([...new Set(batch.flatMap((item) => findDigestId(item) ?? []))]);
    for (const item of await addPayloads(batch)) {
      const event = toRecordedEvent(item);
      const digestId = findDigestId(item);
      const verdicts = stepVerdicts(item, digests.find).map(({ verdict }) => verdict);
      const reason = verdicts.includes('delivered')
        ? 'delivered'
        : verdicts.includes('waiting') && isInTime(audit.judge(item, digests.find))
          ? 'waiting'
          : digestId !== undefined && !digests.find(digestId)
            ? 'digest'
            : !isRecorded(event)
              ? event
              : !event.hasPayload && (await needsPayload(event.workflowId))
                ? 'payload'
                : undefined;
      if (reason) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
      else if (isRecorded(event)) {
        const { workflowId: name, subscriberId, payload, contextKeys = [] } = event;
        const overrides = item.jobs?.find((job) => job.overrides)?.overrides;
        lines.push(
          `${stringifyExact({
            name,
            to: { subscriberId },
            payload,
            ...(overrides ? { overrides } : {}),
            ...(contextKeys.length > 0 ? { context: contextsOfKeys(contextKeys) } : {}),
            // The same for each resend, so that the service drops the events that it already has.
            transactionId: transactionIdFor(
              JSON.stringify(['resend', item.transactionId, subscriberId]),
            ),
          })}\n`,
        );
      }
    }
  }
  if (absent.size > 0) warn(`${counted(absent.size, 'transaction')} not in the activity.`);
  for (const [reason, count] of leftOut)
    note(`${counted(count, 'event')} left out: ${reasons[reason]}.`);
  return lines;
}

/** Whether the event is not late, without a doubt. */
const isInTime = ({ findings, unread, question }: ReturnType<Audit['judge']>) =>
  findings.length === 0 && unread === undefined && question === undefined;

/** Whether the steps of a workflow use the payload, so that an event without it has lost it. */
function createPayloadUse(context: Context) {
  const uses = new Map<string, Promise<boolean>>();
  return (workflowId: string): Promise<boolean> => {
    const use = uses.get(workflowId) ?? readWorkflow(context, workflowId).then(usesPayload);
    uses.set(workflowId, use);
    return use;
  };
}
