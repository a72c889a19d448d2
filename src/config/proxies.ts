// Reads the proxy for an address from environment variables, including NO_PROXY. Loaded only if a proxy is set.
import { BlockList, isIP } from 'node:net';
import { usageError } from '../core/errors.ts';
import type { Env, ProxyServer } from './network.ts';

export function proxyFor(url: URL, env: Env): ProxyServer | undefined {
  const own = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [own, own.toUpperCase(), 'all_proxy', 'ALL_PROXY'].find((name) => env[name]);
  const text = variable && env[variable];
  if (!text || isExempt(url, env.no_proxy || env.NO_PROXY || '')) return undefined;
  return readProxy(text, variable);
}

/** Errors do not repeat the text, which may contain a password. */
function readProxy(text: string, variable: string): ProxyServer {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  try {
    const { protocol, username, password, host } = new URL(address);
    if (!/^https?:$/.test(protocol) || host === '') throw new Error('no address');
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
    return { url: `${protocol}//${host}`, variable, ...(username ? { authorization } : {}) };
  } catch {
    throw usageError(`${variable} is not the URL of an HTTP proxy.`, {
      hint: 'Use a URL such as http://proxy.example.com:3128, or http://user:password@proxy.example.com:3128.',
    });
  }
}

/** Entries of `NO_PROXY`: domains including subdomains, addresses, networks such as 10.0.0.0/8, optionally with a port. */
function isExempt({ protocol, hostname, port }: URL, none: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const wanted = port || (protocol === 'https:' ? '443' : '80');
  return none
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isWithin(host, entry);
      const [, name = '', only] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [entry, entry];
      const bare = name.replace(/^\*?\.|^\[|\]$/g, '');
      return (!only || only === wanted) && (host === bare || host.endsWith(`.${bare}`));
    });
}

function isWithin(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const kind = isIP(address);
  if (kind === 0 || isIP(host) !== kind || !/^\d+$/.test(bits)) return false;
  if (Number(bits) > (kind === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), kind === 6 ? 'ipv6' : 'ipv4');
  return list.check(host, kind === 6 ? 'ipv6' : 'ipv4');
}
