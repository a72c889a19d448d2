// Hints for HTTP status codes, for errors without a more specific hint, and a sentence for errors of the service whose
// message says little.
import { unitMs } from '../core/durations.ts';
import { isMissing, type SvcError } from '../core/errors.ts';

const remedies: Record<number, { hint: string; next?: readonly string[] }> = {
  401: {
    hint: 'Log in again, or check SVC_API_KEY and which key is active.',
    next: ['svc login', 'svc whoami'],
  },
  402: { hint: 'The plan of this organization does not include this feature.' },
  403: { hint: 'The key is valid but lacks permission for this operation.' },
  413: { hint: 'Send less data per request.' },
  429: { hint: 'Try again later, or let svc wait longer with --max-wait.' },
};

/** Milliseconds since 1970 of the first day whose activity the plan keeps, from an error about its retention. */
export function retentionStart({ details, message }: SvcError): number | undefined {
  const [, date = ''] = /retention period\..* is (\d{4}-\d\d-\d\d)\b/.exec(message) ?? [];
  const start = Date.parse(date);
  return details.status === 402 && !Number.isNaN(start) ? start : undefined;
}

/** The named day is kept in part, the day after it completely. */
function retentionRemedy(error: SvcError) {
  const start = retentionStart(error);
  if (start === undefined) return undefined;
  const date = new Date(start + unitMs.d).toISOString().slice(0, 10);
  return {
    hint: `The plan of this organization keeps activity for a limited time. Ask for a later time, such as --since ${date}.`,
    next: undefined,
  };
}

/** Each operation of a subscriber has its own text for one that does not exist. */
function missingSubscriber(error: SvcError): string | undefined {
  const [, id] = /^\/v\d\/subscribers\/([^/?]+)/.exec(error.details.path ?? '') ?? [];
  const isMeant = isMissing(error) && /\bsubscriber\b/i.test(error.message);
  return id === undefined || !isMeant ? undefined : decodeURIComponent(id);
}

/** Adds the hint for the status, unless the error has its own. */
export function withStatusHint(error: SvcError): SvcError {
  const { status, hint, next } = error.details;
  if (missingSubscriber(error) !== undefined)
    return error.with({ next: next ?? ['svc subscribers list'] });
  const remedy = retentionRemedy(error) ?? remedies[status ?? 0];
  if (remedy === undefined || hint !== undefined) return error;
  return error.with({ hint: remedy.hint, next: next ?? remedy.next });
}

const genericMessage =
  /^(?:Api Exception Raised with status \d+|Validation Error|Validation failed|Bad Request)\.?$/i;

/** Begins with a sentence of svc if the message of the service says little. The field errors follow it. */
export function withClearMessage(error: SvcError): SvcError {
  const { status } = error.details;
  const message = error.message.replace(/\.$/, '');
  const subscriberId = missingSubscriber(error);
  if (subscriberId !== undefined)
    return error.with({ message: `Subscriber \`${subscriberId}\` does not exist.` });
  if (status === 401 && /^(?:API Key not found|Unauthorized)$/i.test(message))
    return error.with({ message: `The service rejected the API key (${message}).` });
  if (status !== undefined && genericMessage.test(message))
    return error.with({ message: `The service rejected the request (${message}).` });
  return error;
}
