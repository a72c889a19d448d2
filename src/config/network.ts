// Proxy and certificate settings, from options and variables.
import { isLoopback } from '../core/loopback.ts';
import type { Env, ProxyServer } from './proxies.ts';

export interface Network {
  /** PEM file of a private certificate authority. */
  caFile?: string;
  /** Absent if none is set or the service is exempt. */
  proxy?: ProxyServer;
}

/** Proxy variables are read in lower case first, as curl does. Loopback is never proxied. */
export async function resolveNetwork(
  caFile: string | undefined,
  env: Env,
  serviceUrl: URL,
): Promise<Network> {
  const isSet = Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name));
  const proxy =
    isLoopback(serviceUrl.hostname) || !isSet
      ? undefined
      : (await import('./proxies.ts')).proxyFor(serviceUrl, env);
  return { ...(caFile ? { caFile } : {}), ...(proxy ? { proxy } : {}) };
}
