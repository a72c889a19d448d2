// Hints for HTTP status codes, for errors without a more specific hint.
export const statusHints: Record<number, string> = {
  401: 'Log in again with `svc login`, or check SVC_API_KEY; `svc whoami` shows the active key.',
  402: 'The plan of this organization does not include this feature.',
  403: 'The key is valid but lacks permission for this operation.',
  413: 'Send less data per request.',
  429: 'Try again later, or let svc wait longer with --max-wait.',
};
