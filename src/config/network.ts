// How requests leave this machine: proxies and certificates, from options and variables.

export interface Network {
  /** PEM file of a private authority. */
  caFile?: string;
  /** Absent when none is set, or the service is on this machine. */
  proxy?: { http?: string; https?: string; none?: string };
}

type Env = Record<string, string | undefined>;

/** Proxy variables are read in lower case first, as curl does. Loopback is never proxied. */
export function networkOf(caFileOption: string | undefined, env: Env, loopback: boolean): Network {
  const caFile = caFileOption ?? (env.SVC_CA_FILE || undefined);
  const all = env.all_proxy || env.ALL_PROXY;
  const http = env.http_proxy || env.HTTP_PROXY || all;
  const https = env.https_proxy || env.HTTPS_PROXY || all;
  const none = env.no_proxy || env.NO_PROXY;
  const proxy = {
    ...(http ? { http } : {}),
    ...(https ? { https } : {}),
    ...(none ? { none } : {}),
  };
  return {
    ...(caFile ? { caFile } : {}),
    ...(loopback || (!http && !https) ? {} : { proxy }),
  };
}
