// Triggers events, one or many, and cancels transactions.
import { acceptEvent } from '../engine/accept-event.ts';
import { acceptBroadcast, acceptSingle } from '../engine/accept-single.ts';
import { cancelTransaction } from '../engine/cancel.ts';
import type { Handler } from './handler.ts';

/** Events are accepted or rejected one by one, in order. The request succeeds even if all fail. */
export const triggerEvents: Handler<'triggerEvents'> = ({ body, scope }) =>
  body.events.map((event: unknown) => acceptEvent(scope, event));

export const cancelEvent: Handler<'cancelEvent'> = ({ path: { transactionId }, scope }) =>
  cancelTransaction(scope, transactionId);

export const triggerEvent: Handler<'triggerEvent'> = ({ body, scope }) => acceptSingle(scope, body);

export const broadcastEvent: Handler<'broadcastEvent'> = ({ body, scope }) =>
  acceptBroadcast(scope, body);
