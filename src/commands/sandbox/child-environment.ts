// The variables of a command that runs in a sandbox: only the address and key of the sandbox select a service.
import type { Host } from '../../platform/host.ts';
import type { Server } from './open-server.ts';

const loopback = ['127.0.0.1', 'localhost'];

export function childEnvironment(
  env: Host['env'],
  { server, configFolder }: { server: Server; configFolder: string },
): Host['env'] {
  const { baseUrl, key, applicationIdentifier } = server;
  const inherited = Object.entries(env).filter(
    ([name]) => !name.startsWith('SVC_') || name.startsWith('SVC_SANDBOX_'),
  );
  const { no_proxy: lower, NO_PROXY: upper } = env;
  return {
    ...Object.fromEntries(inherited),
    SVC_BASE_URL: baseUrl,
    SVC_API_KEY: key,
    SVC_CONFIG_DIR: configFolder,
    NOVU_API_URL: baseUrl,
    NOVU_SECRET_KEY: key,
    NOVU_SOCKET_URL: baseUrl,
    NOVU_APPLICATION_IDENTIFIER: applicationIdentifier,
    NO_PROXY: withLoopback(upper || lower),
    // Most programs read this one first.
    ...(lower === undefined ? {} : { no_proxy: withLoopback(lower || upper) }),
  };
}

const withLoopback = (hosts = '') =>
  [...new Set([...hosts.split(',').map((host) => host.trim()), ...loopback])]
    .filter((host) => host !== '')
    .join(',');
