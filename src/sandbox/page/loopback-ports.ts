// Finds the links of an e-mail to programs on this machine that do not run. A TCP connection is opened and closed; nothing
// is sent, and no other machine is contacted.
import { connect } from 'node:net';
import { isLoopback } from '../../core/loopback.ts';

const timeoutMs = 500;
const maxPorts = 20;

/** Returns the hosts, with their ports, on which nothing listens: `localhost:3000`. */
export async function closedPorts(urls: readonly string[]): Promise<Set<string>> {
  const hosts = new Map(
    urls.flatMap((url): [string, URL][] => {
      const parsed = loopbackUrl(url);
      return parsed ? [[parsed.host, parsed]] : [];
    }),
  );
  const results = await Promise.all(
    [...hosts].slice(0, maxPorts).map(async ([host, { hostname, port, protocol }]) => {
      const number = Number(port || (protocol === 'https:' ? 443 : 80));
      const open = await Promise.all(
        toAddresses(hostname).map((address) => isListening(address, number)),
      );
      return open.includes(true) ? [] : [host];
    }),
  );
  return new Set(results.flat());
}

/** The URL of a link to this machine; undefined for any other link. */
export function loopbackUrl(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return /^https?:$/.test(parsed.protocol) && isLoopback(parsed.hostname) ? parsed : undefined;
}

/** Names are not resolved. */
const toAddresses = (hostname: string): string[] => {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return /^[\d.]+$|:/.test(literal) ? [literal] : ['127.0.0.1', '::1'];
};

const isListening = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
