// Events: trigger workflows and cancel transactions (specification: Endpoints, Events).
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const schemas = () => import('../schemas/events.ts');

export const events = {
  triggerEvents: operation({
    method: 'POST',
    path: '/v1/events/trigger/bulk',
    summary: 'Trigger up to 100 events',
    section: 'Events',
    success: 201,
    batch: { items: 'events', count: limits.eventsPerRequest, bytes: limits.eventBody },
    idempotent: (body) => haveTransactionIds(body),
    bodyLimit: limits.eventBody,
    rate: { category: 'trigger', cost: 100 },
    schemas: async () => {
      const { bulkTriggerBody, triggerResponse } = await schemas();
      return { body: bulkTriggerBody, response: triggerResponse };
    },
  }),

  cancelEvent: operation({
    method: 'DELETE',
    path: '/v1/events/trigger/{transactionId}',
    summary: 'Cancel the active or pending work of a transaction',
    section: 'Events',
    batch: { items: 'transactionId', count: 1, bytes: limits.eventBody },
    bodyLimit: limits.eventBody,
    rate: { category: 'trigger', cost: 1 },
    schemas: async () => {
      const { cancelResponse } = await schemas();
      return { response: cancelResponse };
    },
  }),
};

/** The service runs events with the same transaction id only once. */
function haveTransactionIds(body: unknown): boolean {
  const { events = [] } = body as { events?: { transactionId?: string }[] };
  return events.every(({ transactionId }) => transactionId !== undefined);
}
