// Base URLs: normalizes them, and checks that a key is not sent over unencrypted HTTP.
import { usageError } from '../core/errors.ts';
import { isLoopback } from '../core/loopback.ts';

/** Returns scheme, host and path prefix. Removes a trailing `/`, `/v1` or `/v2`. Throws a usage error if invalid. */
export function normalizeBaseUrl(text: string, source: string): string {
  const corrected = /^https?:\/\//i.test(text.trim()) ? undefined : addScheme(text.trim());
  if (corrected) {
    throw usageError(`${source} is not a valid URL: \`${text}\`. Did you mean ${corrected}?`);
  }
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw usageError(`${source} is not a valid URL: \`${text}\``, {
      hint: 'A base URL looks like https://notifications.example.com.',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usageError(`${source} must begin with https:// or http://, not ${url.protocol}//`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError(`${source} must not contain a user name or password.`);
  }
  if (url.search !== '' || url.hash !== '')
    throw usageError(`${source} must not have a query or fragment.`);
  const prefix = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/v[12]$/, '')
    .replace(/\/+$/, '');
  return `${url.origin}${prefix}`;
}

/** Adds the scheme to an address that lacks it. Returns undefined for anything else. */
function addScheme(text: string): string | undefined {
  if (!/^(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d+)?(?:\/[^@?#\s]*)?$/i.test(text)) return undefined;
  const [host = ''] = text.split(/[:/]/);
  if (/^(?:localhost|127(?:\.\d+){3}|.*\.localhost)$/i.test(host)) return `http://${text}`;
  return host.includes('.') || /^[^/]*:\d/.test(text) ? `https://${text}` : undefined;
}

/** Rejects plain HTTP to other machines, because the key would be sent unencrypted. */
export function checkScheme(baseUrl: string, allowed: boolean): void {
  if (baseUrl.startsWith('https:') || allowed || isLoopback(new URL(baseUrl).hostname)) return;
  throw usageError(`${baseUrl} is not encrypted: the API key could be read in transit.`, {
    hint: 'Use https://, or allow http:// with --insecure-http.',
  });
}
