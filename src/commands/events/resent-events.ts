// Makes the events of a resend from the rows of the run that they belong to.
import type { Context } from '../../app/context.ts';
import { openEarlierRows } from '../../bulk/command/prepare.ts';
import { createBodyWriter } from '../../bulk/engine/body-writer.ts';
import type { RunStore } from '../../bulk/journal/run-store.ts';
import { parseJson, stringifyExact } from '../../core/lossless-json.ts';
import { asObject, groupBy, isObject } from '../../core/objects.ts';
import type { EventRun } from '../../deliveries/event-run.ts';
import type { ResentRecipient } from './select-recipients.ts';
import { earlierCommand } from './trigger-many.ts';

/** Returns the events as JSON lines. Throws a usage error if the input of the run changed. */
export async function resentLines(
  context: Context,
  store: RunStore,
  { run: { runId, manifest } }: EventRun,
  recipients: readonly ResentRecipient[],
  updateSubscribers: boolean,
): Promise<() => AsyncGenerator<string, void, void>> {
  const byEvent = groupBy(recipients, ({ originId }) => originId);
  const bulk = await earlierCommand(context, manifest);
  const { source, plan } = await openEarlierRows(context, bulk, { store, runId });
  // Events are not written to the body: each of them is changed.
  const writer = createBodyWriter({ open: '', close: '' });
  return async function* lines() {
    for await (const records of source.chunks)
      for (const record of records) {
        const item =
          record.isBlank || record.error !== undefined
            ? undefined
            : plan.toItem(record, record.row, writer);
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
