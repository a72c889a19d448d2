// Loopback hosts: they need no TLS and are never reached through a proxy.

export const isLoopbackAddress = (address: string): boolean =>
  /^127(?:\.\d{1,3}){3}$/.test(address) || address === '::1';

/** Whether an address is reserved for this machine or a private network. */
export const isPrivateAddress = (address: string): boolean =>
  isLoopbackAddress(address) ||
  /^(?:0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:|^::$/.test(
    address,
  );

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
