// What to do about a status of the service, where an error does not say it better.
export const statusHints: Record<number, string> = {
  401: 'Log in again with `svc login`, or check SVC_API_KEY; `svc whoami` says which key holds.',
  402: 'The plan of this organization does not include it.',
  403: 'The key is right, but what it asks for is not open to it.',
  413: 'Send less at a time.',
  429: 'Try again later; --max-wait lets svc wait longer by itself.',
};
