// Hints for HTTP status codes, for errors without a more specific hint.
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
