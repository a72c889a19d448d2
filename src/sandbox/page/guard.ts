// Which requests the page accepts, and the headers that limit what a browser does with its responses.
import { isLoopback } from '../../core/loopback.ts';
import type { PageSession } from '../control/sessions.ts';
import { isSameSecret } from '../http/authorization.ts';
import { emailPolicy, emailSandbox, imagePolicy } from './email-document.ts';

/** Headers of every response of the page. */
const commonHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
};

/** Everything comes from the sandbox; no script and no style in the HTML itself. */
export const pageHeaders = {
  ...commonHeaders,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // With `no-referrer`, browsers send forms with the origin `null`.
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** An e-mail runs no script, loads at most images, and sends no form. Only the page itself may frame it. */
export const emailHeaders = (loadsImages: boolean) => ({
  ...commonHeaders,
  'content-security-policy': `sandbox ${emailSandbox}; ${loadsImages ? imagePolicy : emailPolicy}`,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
});

/**
 * Whether a browser sends the request for the page itself, or opens the page. Other sites, and other ports of this
 * machine, cannot embed or load parts of it. Programs other than browsers do not send these headers.
 */
export function isFromPage({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return true;
  return (
    headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  );
}

/** Whether the request uses a loopback name, whatever other names the sandbox accepts. */
export const usesLoopback = (request: Request): boolean =>
  isLoopback(new URL(`http://${readHost(request)}`).hostname);

/** Whether a form was sent by the page: from its own origin, including the port, with the token of the session. */
export const isOwnForm = (request: Request, { token }: PageSession, givenToken: unknown): boolean =>
  request.headers.get('origin') === `http://${readHost(request)}` &&
  typeof givenToken === 'string' &&
  isSameSecret(givenToken, token);

const readHost = ({ headers, url }: Request): string => headers.get('host') ?? new URL(url).host;
