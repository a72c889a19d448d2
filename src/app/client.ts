// Creates the API client: transport, certificates, proxy and key.
import { type Client, createClient } from '../api/client.ts';
import type { ClientOptions } from '../api/client-options.ts';
import type { WireEvent } from '../api/request.ts';
import { nodeTransport } from '../api/transport/node.ts';
import type { TransportOptions } from '../api/transport/transport.ts';
import type { Globals } from '../cli/globals.ts';
import { checkScheme } from '../config/base-url.ts';
import { profileKey, readKey } from '../config/keys.ts';
import { type Network, resolveNetwork } from '../config/network.ts';
import type { Setting, Settings } from '../config/settings.ts';
import type { Target } from '../config/target.ts';
import { SvcError, usageError } from '../core/errors.ts';
import { shellWord } from '../core/text.ts';
import { maxKeyFileBytes, readKeyFromStdin, readTextFile } from '../input/values.ts';
import { findMaskedSecret, findSecretTexts, mask } from '../output/mask.ts';
import type { Host } from '../platform/host.ts';
import { limits } from '../service/limits.ts';

export interface ClientOverrides {
  /** Overrides the number of retries from the settings. */
  retries?: number;
  /** The sandbox profile in use. If the connection is refused, the error suggests starting that sandbox. */
  sandbox?: string;
  /** Where the base URL comes from. */
  address?: Pick<Setting<string>, 'from' | 'source'>;
  /** Whether the client is for another environment than the active one. */
  isOtherProfile?: boolean;
}

export interface NewClient extends ClientOverrides {
  host: Host;
  globals: Globals;
  settings: Settings;
  baseUrl: string;
  apiKey: string;
  observe?: (event: WireEvent) => void;
  onResponse: NonNullable<ClientOptions['onResponse']>;
}

export async function openClient(options: NewClient): Promise<Client> {
  const { host, globals, settings, baseUrl } = options;
  checkScheme(baseUrl, settings.insecureHttp);
  const network = await resolveNetwork(settings.caFile, host.env, new URL(baseUrl));
  const key = globals.idempotencyKey;
  if (key !== undefined && !(/^[\x21-\x7e]+$/.test(key) && key.length <= limits.idempotencyKey)) {
    throw usageError(
      `--idempotency-key must be 1 to ${limits.idempotencyKey} visible ASCII characters.`,
    );
  }
  return createClient({
    baseUrl,
    baseUrlOrigin: options.address && describeOrigin(options.address),
    apiKey: options.apiKey,
    connectionRefused:
      options.sandbox === undefined
        ? undefined
        : { hint: 'Start the sandbox.', next: [sandboxStartCommand(options.sandbox, ' --detach')] },
    transport: await chooseTransport(options, network),
    ...(network.proxy ? { proxy: network.proxy } : {}),
    clock: host.clock,
    random: host.random,
    newKey: host.newId,
    timeoutMs: settings.timeoutMs,
    retries: options.retries ?? settings.retries,
    maxWaitMs: settings.maxWaitMs,
    userAgent: `svc/${host.version}`,
    mask,
    maskedSecret: findMaskedSecret,
    secretTexts: findSecretTexts,
    onResponse: options.onResponse,
    dryRun: globals.dryRun !== undefined,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(options.observe ? { observe: options.observe } : {}),
  });
}

/** The source of a profile is `profile work`. */
const describeOrigin = ({ from, source }: Pick<Setting<string>, 'from' | 'source'>) => ({
  source,
  next:
    from === 'profile' ? [`svc profiles show ${shellWord(source.replace(/^profile /, ''))}`] : [],
});

/** `node:http` sends as many rows per second as undici and loads 0.1 s faster, but does not support proxies. */
async function chooseTransport({ host }: NewClient, { caFile, proxy }: Network) {
  const transport: TransportOptions = {
    connections: 64,
    ...(caFile ? { ca: readCertificates(caFile, host) } : {}),
    ...(proxy ? { proxy } : {}),
  };
  if (host.openTransport) return host.openTransport(transport);
  if (!proxy) return nodeTransport(transport);
  return (await import('../api/transport/undici.ts')).undiciTransport(transport);
}

/** Checks for a certificate, because Node silently ignores a CA file without one. */
function readCertificates(file: string, host: Host): string {
  const text = readTextFile(file, '--ca-file', host, maxKeyFileBytes);
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
  if (keyFrom.type === 'variable') return readKey(keyFrom.key, 'SVC_API_KEY');
  if (keyFrom.type === 'file') {
    const text =
      keyFrom.path === '-'
        ? await readKeyFromStdin(host, '--api-key-file -')
        : readTextFile(keyFrom.path, '--api-key-file', host, maxKeyFileBytes);
    return readKey(text, '--api-key-file');
  }
  const key = await profileKey(keyFrom.name, keyFrom.profile);
  if (key) return readKey(key, `profile ${keyFrom.name}`);
  const login = `svc login --profile ${keyFrom.name}`;
  throw new SvcError('auth', `Profile ${keyFrom.name} has no API key for ${baseUrl.value}.`, {
    ...(keyFrom.profile.sandbox
      ? {
          hint: 'Log in with the key that the sandbox printed when it started. If it has stopped and stores its data in a folder, a start with --reuse restores the key.',
          next: [login, sandboxStartCommand(keyFrom.name, ' --reuse')],
        }
      : { next: [login] }),
  });
}
