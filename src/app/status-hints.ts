// Hints for HTTP status codes, for errors without a more specific hint, and a sentence for errors of the service whose
// message says nothing.
import type { SvcError } from '../core/errors.ts';

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

/** Adds the hint for the status, unless the error has its own. */
export function withStatusHint(error: SvcError): SvcError {
  const { status, hint, next } = error.details;
  const remedy = remedies[status ?? 0];
  if (remedy === undefined || hint !== undefined) return error;
  return error.with({ hint: remedy.hint, next: next ?? remedy.next });
}

const genericMessage =
  /^(?:Api Exception Raised with status \d+|Validation Error|Validation failed|Bad Request)\.?$/i;

/** Begins with a sentence of svc if the message of the service is generic. The field errors follow it. */
export function withClearMessage(error: SvcError): SvcError {
  const { status } = error.details;
  const message = error.message.replace(/\.$/, '');
  if (status === 401 && /^(?:API Key not found|Unauthorized)$/i.test(message))
    return error.with({ message: `The service rejected the API key (${message}).` });
  if (status !== undefined && genericMessage.test(message))
    return error.with({ message: `The service rejected the request (${message}).` });
  return error;
}
