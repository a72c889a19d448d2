// Composes a client: engine, certificates, proxy, key. Loaded only by commands that talk to the service.
import { type Client, type ClientOptions, createClient } from './api/client.ts';
import { isLoopback } from './api/loopback.ts';
import { nodeTransport, type TransportOptions, undiciTransport } from './api/transport.ts';
import type { WireEvent } from './api/wire-event.ts';
import type { Globals } from './cli/globals.ts';
import { checkScheme } from './config/base-url.ts';
import { profileKey, readKey } from './config/keys.ts';
import { networkOf } from './config/network.ts';
import type { Preferences } from './config/preferences.ts';
import type { Target } from './config/settings.ts';
import { SvcError, usageError } from './errors.ts';
import { readAll } from './input/stdin.ts';
import { readTextFile } from './input/values.ts';
import { mask } from './output/mask.ts';
import type { World } from './world.ts';

export interface ClientFacts {
  world: World;
  globals: Globals;
  preferences: Preferences;
  baseUrl: string;
  apiKey: string;
  /** Many requests: the undici engine. */
  many: boolean;
  observe?: (event: WireEvent) => void;
  answered: NonNullable<ClientOptions['answered']>;
}

export async function openClient(facts: ClientFacts): Promise<Client> {
  const { world, globals, preferences, baseUrl } = facts;
  checkScheme(baseUrl, isLoopback(new URL(baseUrl).hostname), preferences.insecureHttp);
  const key = globals.idempotencyKey;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw usageError('--idempotency-key: at most 255 visible ASCII characters.');
  }
  return createClient({
    baseUrl,
    apiKey: facts.apiKey,
    transport: await openEngine(facts),
    clock: world.clock,
    random: world.random,
    newKey: world.newId,
    timeoutMs: preferences.timeoutMs,
    retries: preferences.retries,
    maxWaitMs: preferences.maxWaitMs,
    userAgent: `svc/${world.version}`,
    mask,
    answered: facts.answered,
    dryRun: globals.dryRun !== undefined,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(facts.observe ? { observe: facts.observe } : {}),
  });
}

async function openEngine({ world, globals, baseUrl, many }: ClientFacts) {
  const { env } = world;
  const { caFile, proxy } = networkOf(globals.caFile, env, isLoopback(new URL(baseUrl).hostname));
  const options: TransportOptions = {
    answerLimit: 256 * 1024 * 1024,
    connections: 64,
    ...(caFile ? { ca: readTextFile(caFile, '--ca-file') } : {}),
  };
  if (world.openTransport) return world.openTransport(options);
  if (!many && !proxy) return nodeTransport(options);
  return undiciTransport(proxy ? { ...options, proxy } : options);
}

/** The key for a target, from where it was said to be. */
export async function loadKey({ keyFrom, baseUrl }: Target, world: World): Promise<string> {
  if (keyFrom.kind === 'variable') return readKey(keyFrom.key, 'SVC_API_KEY');
  if (keyFrom.kind === 'file') {
    const text =
      keyFrom.path === '-'
        ? await readAll(world.stdin)
        : readTextFile(keyFrom.path, '--api-key-file');
    return readKey(text, '--api-key-file');
  }
  const key = await profileKey(keyFrom.name, keyFrom.profile);
  if (key) return readKey(key, `profile ${keyFrom.name}`);
  throw new SvcError('auth', `Profile ${keyFrom.name} has no API key for ${baseUrl.value}.`, {
    next: [`svc login --profile ${keyFrom.name}`],
  });
}
