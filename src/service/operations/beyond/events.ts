// Single events and broadcasts, which the specification does not have.
import { limits } from '../../limits.ts';
import { serviceOperation } from '../../operation.ts';

const schemas = () => import('../../schemas/events.ts');

export const serviceEvents = {
  triggerEvent: serviceOperation({
    method: 'POST',
    path: '/v1/events/trigger',
    summary: 'Trigger one event',
    section: 'Events',
    success: 201,
    idempotent: hasTransactionId,
    bodyLimit: limits.eventBody,
    rate: { category: 'trigger', cost: 1 },
    schemas: async () => {
      const { singleEvent, triggerResult } = await schemas();
      return { body: singleEvent, response: triggerResult };
    },
  }),

  broadcastEvent: serviceOperation({
    method: 'POST',
    path: '/v1/events/trigger/broadcast',
    summary: 'Trigger an event for every subscriber of the environment',
    section: 'Events',
    success: 201,
    idempotent: hasTransactionId,
    bodyLimit: limits.eventBody,
    rate: { category: 'trigger', cost: 1 },
    schemas: async () => {
      const { broadcastBody, triggerResult } = await schemas();
      return { body: broadcastBody, response: triggerResult };
    },
  }),
};

/** The service runs events with the same transaction id only once. */
function hasTransactionId(body: unknown): boolean {
  return (body as { transactionId?: string } | undefined)?.transactionId !== undefined;
}
