// Loopback hosts: they need no TLS and are never reached through a proxy.

export const isLoopbackAddress = (address: string): boolean =>
  /^127(?:\.\d{1,3}){3}$/.test(address) || address === '::1';

/** Whether a host of a URL, or an address, is on this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
}

// Origins of web pages: scheme, host and port.

/** Whether the text is the origin of a page on HTTP, as browsers write it. */
export function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text;
}
