// Events: trigger workflows and cancel transactions (specification: Endpoints, Events).
import { limits } from '../limits.ts';
import { operationsWith, schemasIn } from '../operation.ts';

const load = schemasIn(() => import('../schemas/events.ts'));

const { operation, serviceOperation } = operationsWith({
  section: 'Events',
  bodyLimit: limits.eventBody,
  rate: { category: 'trigger', cost: 1 },
});

export const events = {
  triggerEvents: operation('POST /v1/events/trigger/bulk', {
    sdk: 'triggerBulk',
    summary: 'Trigger up to 100 events',
    batch: { items: 'events', count: limits.eventsPerRequest, bytes: limits.eventBody },
    idempotent: (body) => haveTransactionIds(body),
    rate: { category: 'trigger', cost: 100 },
    schemas: load((s) => ({ body: s.bulkTriggerBody, response: s.triggerResponse })),
  }),

  cancelEvent: operation('DELETE /v1/events/trigger/{transactionId}', {
    sdk: 'cancel',
    summary: 'Cancel the active or pending work of a transaction',
    batch: { items: 'transactionId', count: 1, bytes: limits.eventBody },
    schemas: load((s) => ({ response: s.cancelResponse })),
  }),

  triggerEvent: serviceOperation('POST /v1/events/trigger', {
    sdk: 'trigger',
    summary: 'Trigger one event',
    idempotent: hasTransactionId,
    schemas: load((s) => ({ body: s.singleEvent, response: s.triggerResult })),
  }),

  broadcastEvent: serviceOperation('POST /v1/events/trigger/broadcast', {
    sdk: 'triggerBroadcast',
    summary: 'Trigger an event for every subscriber of the environment',
    idempotent: hasTransactionId,
    schemas: load((s) => ({ body: s.broadcastBody, response: s.triggerResult })),
  }),
};

/** The service runs events with the same transaction id only once. */
function haveTransactionIds(body: unknown): boolean {
  const { events = [] } = body as { events?: { transactionId?: string }[] };
  return events.every(({ transactionId }) => transactionId !== undefined);
}

function hasTransactionId(body: unknown): boolean {
  return (body as { transactionId?: string } | undefined)?.transactionId !== undefined;
}
