// Triggering workflows and cancelling what they started.
import { acceptEvent } from '../engine/accept-event.ts';
import { cancelTransaction } from '../engine/cancel.ts';
import type { Handler } from './handler.ts';

/** Events are judged one by one, in order; the request succeeds even when each of them fails. */
export const triggerEvents: Handler<'triggerEvents'> = ({ body, scope }) =>
  body.events.map((event: unknown) => acceptEvent(scope, event));

export const cancelEvent: Handler<'cancelEvent'> = ({ path: { transactionId }, scope }) =>
  cancelTransaction(scope, transactionId);
