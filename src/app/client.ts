// Creates the API client: transport, certificates, proxy and key. Loaded only by commands that call the service.
import { type Client, createClient } from '../api/client.ts';
import type { ClientOptions } from '../api/client-options.ts';
import { isLoopback } from '../api/loopback.ts';
import { nodeTransport } from '../api/transport/node.ts';
import type { TransportOptions } from '../api/transport/transport.ts';
import type { WireEvent } from '../api/wire-event.ts';
import type { Globals } from '../cli/globals.ts';
import { checkScheme } from '../config/base-url.ts';
import { profileKey, readKey } from '../config/keys.ts';
import { type Network, resolveNetwork } from '../config/network.ts';
import type { Preferences } from '../config/preferences.ts';
import type { Target } from '../config/settings.ts';
import { SvcError, usageError } from '../core/errors.ts';
import { readKeyFromStdin } from '../input/stdin.ts';
import { maxKeyFileBytes, readTextFile } from '../input/values.ts';
import { findMaskedSecret, mask } from '../output/mask.ts';
import type { Host } from '../platform/host.ts';

export interface ClientOverrides {
  /** Overrides the number of retries from the settings. */
  retries?: number;
  /** The sandbox profile in use. If the connection is refused, the error suggests starting that sandbox. */
  sandbox?: string;
  /** It is for another environment than the active one. */
  isOtherProfile?: boolean;
}

export interface ClientSettings extends ClientOverrides {
  host: Host;
  globals: Globals;
  preferences: Preferences;
  baseUrl: string;
  apiKey: string;
  /** The command sends many requests, so undici is used instead of node:http. */
  concurrent: boolean;
  observe?: (event: WireEvent) => void;
  onResponse: NonNullable<ClientOptions['onResponse']>;
}

export async function openClient(settings: ClientSettings): Promise<Client> {
  const { host, globals, preferences, baseUrl } = settings;
  const url = new URL(baseUrl);
  const loopback = isLoopback(url.hostname);
  checkScheme(baseUrl, loopback, preferences.insecureHttp);
  const network = await resolveNetwork(globals.caFile, host.env, { url, loopback });
  const key = globals.idempotencyKey;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw usageError('--idempotency-key must be 1 to 255 visible ASCII characters.');
  }
  return createClient({
    baseUrl,
    apiKey: settings.apiKey,
    ...(settings.sandbox
      ? {
          connectionRefusedHint: `Start the sandbox with \`${sandboxStartCommand(settings.sandbox, ' --detach')}\`.`,
        }
      : {}),
    transport: await chooseTransport(settings, network),
    ...(network.proxy ? { proxy: network.proxy } : {}),
    clock: host.clock,
    random: host.random,
    newKey: host.newId,
    timeoutMs: preferences.timeoutMs,
    retries: settings.retries ?? preferences.retries,
    maxWaitMs: preferences.maxWaitMs,
    userAgent: `svc/${host.version}`,
    mask,
    maskedSecret: findMaskedSecret,
    onResponse: settings.onResponse,
    dryRun: globals.dryRun !== undefined,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(settings.observe ? { observe: settings.observe } : {}),
  });
}

async function chooseTransport({ host, concurrent }: ClientSettings, { caFile, proxy }: Network) {
  const options: TransportOptions = {
    connections: 64,
    ...(caFile ? { ca: readCertificates(caFile) } : {}),
    ...(proxy ? { proxy } : {}),
  };
  if (host.openTransport) return host.openTransport(options);
  if (!concurrent && !proxy) return nodeTransport(options);
  return (await import('../api/transport/undici.ts')).undiciTransport(options);
}

/** Checks for a certificate, because Node silently ignores a CA file without one. */
function readCertificates(file: string): string {
  const text = readTextFile(file, '--ca-file', maxKeyFileBytes);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw usageError(`--ca-file: ${file} does not contain a PEM certificate.`, {
    hint: 'A PEM file has a line -----BEGIN CERTIFICATE-----. Convert a DER file with `openssl x509 -inform der`.',
  });
}

/** The command that starts the sandbox of a profile and restores its key. */
const sandboxStartCommand = (profile: string, options = '') =>
  `svc sandbox start${options}${profile === 'sandbox' ? '' : ` --profile-name ${profile}`}`;

/** Reads the API key of a target from its variable, file or profile. */
export async function loadKey({ keyFrom, baseUrl }: Target, host: Host): Promise<string> {
  if (keyFrom.kind === 'variable') return readKey(keyFrom.key, 'SVC_API_KEY');
  if (keyFrom.kind === 'file') {
    const text =
      keyFrom.path === '-'
        ? await readKeyFromStdin(host, '--api-key-file -')
        : readTextFile(keyFrom.path, '--api-key-file', maxKeyFileBytes);
    return readKey(text, '--api-key-file');
  }
  const key = await profileKey(keyFrom.name, keyFrom.profile);
  if (key) return readKey(key, `profile ${keyFrom.name}`);
  throw new SvcError('auth', `Profile ${keyFrom.name} has no API key for ${baseUrl.value}.`, {
    next: keyFrom.profile.sandbox
      ? [sandboxStartCommand(keyFrom.name, ' --reuse'), `svc login --profile ${keyFrom.name}`]
      : [`svc login --profile ${keyFrom.name}`],
  });
}
