// Finds the proxy for a URL in the environment variables and respects NO_PROXY. Loaded only if a proxy is set.
import { BlockList, isIP } from 'node:net';
import { usageError } from '../core/errors.ts';

export interface ProxyServer {
  /** Without user name and password. */
  url: string;
  /** The value of `proxy-authorization`, if the address has a user name. */
  authorization?: string;
  /** The variable that contains it. */
  variable: string;
}

export type Env = Record<string, string | undefined>;

export function proxyFor(url: URL, env: Env): ProxyServer | undefined {
  const schemeVariable = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [schemeVariable, schemeVariable.toUpperCase(), 'all_proxy', 'ALL_PROXY'].find(
    (name) => env[name],
  );
  const proxyUrl = variable && env[variable];
  if (!proxyUrl || isExempt(url, env.no_proxy || env.NO_PROXY || '')) return undefined;
  return parseProxyUrl(proxyUrl, variable);
}

/** The error does not contain the URL of the proxy, because the URL may contain a password. */
function parseProxyUrl(proxyUrl: string, variable: string): ProxyServer {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(proxyUrl) ? proxyUrl : `http://${proxyUrl}`;
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

/**
 * Whether `NO_PROXY` contains the host of a URL. Entries are domains (which include their subdomains), IP addresses and
 * networks such as 10.0.0.0/8. Domains and addresses can have a port.
 */
function isExempt({ protocol, hostname, port }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const targetPort = port || (protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isInNetwork(host, entry);
      const [, name = '', entryPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [entry, entry];
      const entryHost = name.replace(/^\*?\.|^\[|\]$/g, '');
      return (
        (!entryPort || entryPort === targetPort) &&
        (host === entryHost || host.endsWith(`.${entryHost}`))
      );
    });
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const ipVersion = isIP(address);
  if (ipVersion === 0 || isIP(host) !== ipVersion || !/^\d+$/.test(bits)) return false;
  if (Number(bits) > (ipVersion === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), ipVersion === 6 ? 'ipv6' : 'ipv4');
  return list.check(host, ipVersion === 6 ? 'ipv6' : 'ipv4');
}
