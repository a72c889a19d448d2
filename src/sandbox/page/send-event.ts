// Sends an event as a form of the page asks: one that was sent before, with another payload or to another subscriber.
import { asObject, isObject } from '../../core/objects.ts';
import { acceptEvent } from '../engine/accept-event.ts';
import type { Scheduler } from '../engine/scheduler.ts';
import { submittedEvent } from '../store/events.ts';
import { findMessage, messagesOfTransaction } from '../store/messages.ts';
import type { Scope, Store } from '../store/scope.ts';
import { HttpError } from '../values/http-error.ts';
import { readJsonText } from '../values/request-body.ts';
import { eventPath, linkTo, messagePath } from './view.ts';

/** The path that shows the result, or the reason why nothing was sent. */
export type SentEvent = { path: string } | { problem: string };

export function sendEvent(
  { sql, ids }: Store,
  scheduler: Scheduler,
  open: Scope,
  form: Record<string, unknown>,
): SentEvent {
  const payload = readPayload(form.payload);
  if ('problem' in payload) return payload;
  const to = trimmedText(form.subscriber);
  if (to === '') return { problem: 'The subscriber is missing.' };
  scheduler.catchUp();
  const transactionId = ids.transactionId();
  // The jobs are created at once, so that the new message can be shown.
  const scope = { ...open, jobsAt: undefined };
  const first = submittedEvent(scope, trimmedText(form.event));
  const event = {
    ...asObject(first),
    ...{ name: trimmedText(form.workflow), to, payload: payload.value, transactionId },
  };
  const { status, error } = sql.transaction(() => acceptEvent(scope, event));
  scheduler.afterWrite();
  if (status !== 'processed')
    return { problem: `The event was not accepted: ${error?.join('; ') ?? statusText(status)}.` };
  return { path: resultPath(scope, trimmedText(form.message), transactionId) };
}

const trimmedText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

const statusText = (status: string) => status.replaceAll('_', ' ');

/** Reads a payload from the text of a form. */
export function readPayload(
  text: unknown,
): { value: Record<string, unknown> } | { problem: string } {
  const given = trimmedText(text);
  if (given === '') return { value: {} };
  try {
    const value = readJsonText(given);
    return isObject(value) ? { value } : { problem: 'The payload must be a JSON object.' };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { problem: `The payload is not valid JSON: ${error.message}` };
  }
}

/** The new message of the same step, with the earlier one to compare; the event if the step did not send one yet. */
function resultPath(scope: Scope, earlierId: string, transactionId: string): string {
  const earlier = earlierId === '' ? undefined : findMessage(scope, earlierId);
  const messages = messagesOfTransaction(scope, transactionId);
  const created = messages.find(
    ({ messageTemplateId }) => messageTemplateId === earlier?.messageTemplateId,
  );
  return earlier && created
    ? linkTo(messagePath(created.id), { compare: earlier.id })
    : eventPath(transactionId);
}
