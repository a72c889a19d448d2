// Base addresses: one spelling for each service, and which of them a key may be sent to.
import { usageError } from '../core/errors.ts';

/** Scheme, host and path prefix; a trailing `/`, `/v1` or `/v2` is tolerated. */
export function normalizeBaseUrl(text: string, source: string): string {
  const meant = addScheme(text.trim());
  if (meant) {
    throw usageError(`${source} is not an address: \`${text}\`. Did you mean ${meant}?`);
  }
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    throw usageError(`${source} is not an address: \`${text}\``, {
      hint: 'A base URL looks like https://notifications.example.com.',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usageError(`${source} must begin with https:// or http://, not ${url.protocol}//`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError(`${source} must not carry a user name or password.`);
  }
  if (url.search !== '' || url.hash !== '')
    throw usageError(`${source} must not have a query or fragment.`);
  const prefix = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/v[12]$/, '')
    .replace(/\/+$/, '');
  return `${url.origin}${prefix}`;
}

/** An address that was typed without its scheme, with it; undefined for anything else. */
function addScheme(text: string): string | undefined {
  if (!/^(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d+)?(?:\/[^@?#\s]*)?$/i.test(text)) return undefined;
  const [host = ''] = text.split(/[:/]/);
  if (/^(?:localhost|127(?:\.\d+){3}|.*\.localhost)$/i.test(host)) return `http://${text}`;
  return host.includes('.') || /^[^/]*:\d/.test(text) ? `https://${text}` : undefined;
}

/** Refuses plain HTTP beyond this machine: the key would travel readable. */
export function checkScheme(baseUrl: string, isLoopback: boolean, allowed: boolean): void {
  if (baseUrl.startsWith('https:') || isLoopback || allowed) return;
  throw usageError(`${baseUrl} is not encrypted: the API key would be readable on the way.`, {
    hint: 'Use https://, or allow it with --insecure-http.',
  });
}
