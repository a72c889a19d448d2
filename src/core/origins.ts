// Origins of web pages: scheme, host and port.

/** Whether the text is the origin of a page on HTTP, as browsers write it. */
export function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text;
}
