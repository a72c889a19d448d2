// Everything a command can use, created on demand: settings, client, prompts, profiles, sandbox.
import type { Client } from '../api/client.ts';
import type { Input, ListingId } from '../api/operations/index.ts';
import { type Item, type Page, type PagingOptions, pages } from '../api/paginate.ts';
import type { WireEvent } from '../api/wire-event.ts';
import type { CandidateKind } from '../cli/command.ts';
import type { Globals } from '../cli/globals.ts';
import { valueFolder } from '../completion/cache.ts';
import { createCompletionRecorder, type LastResponse } from '../completion/recorder.ts';
import { normalizeBaseUrl } from '../config/base-url.ts';
import { cacheFolder, configFolder } from '../config/folders.ts';
import { createSettings, type Settings } from '../config/settings.ts';
import { type ConfigStore, openConfigStore } from '../config/store.ts';
import { type ChosenProfile, chooseProfile, resolveTarget, type Target } from '../config/target.ts';
import { usageError } from '../core/errors.ts';
import type { Prompter } from '../input/prompts.ts';
import { safeText } from '../output/safe-text.ts';
import type { Host } from '../platform/host.ts';
import { type ClientOverrides, loadKey, openClient } from './client.ts';
import { confirm, describeTarget } from './confirm.ts';
import { lazyPrompter } from './prompter.ts';
import { createServiceClock } from './service-clock.ts';

export interface ListRange {
  limit?: number;
  all?: boolean;
  pageSize?: number;
}

/** Where requests go and with which key. */
export interface Connection {
  /** Address and source of the key. Throws an auth error if it cannot be resolved. */
  target(): Target;
  /** The API key for the target. */
  apiKey(): Promise<string>;
  /** A client for an address and key that are not stored yet, or for the control API of the sandbox. */
  clientFor(baseUrl: string, apiKey: string, overrides?: ClientOverrides): Promise<Client>;
  /** Where a write happens, for questions and success lines: `in Production (profile live)`. */
  place(): string;
}

export interface ContextPrompter extends Prompter {
  /** Whether prompts are possible. */
  readonly isPossible: boolean;
  /** Prompts for an existing resource. Throws a usage error if prompts are not possible. */
  resource(kind: CandidateKind, label: string): Promise<string>;
}

export interface Context {
  /** Streams, environment, clock, randomness and signals. */
  host: Host;
  globals: Globals;
  settings: Settings;
  /** The configuration file. */
  configuration: ConfigStore;
  /** The active profile, if any. */
  profile(): ChosenProfile | undefined;
  connection: Connection;
  client(): Promise<Client>;
  /** The pages of a listing within `--limit`, `--all` and `--page-size`. */
  pages<Id extends ListingId>(
    id: Id,
    input: Input<Id>,
    range: ListRange,
  ): AsyncGenerator<Page<Item<Id>>, void, void>;
  prompt: ContextPrompter;
  /** Asks before an action such as `Delete topic x`. The question of a write to the service names the environment. */
  confirm(action: string, warning?: string): Promise<void>;
  /** Prints a line on standard error, except with --quiet or if a program reads the output. */
  note(text: string): void;
  /** Loads the code of the sandbox. */
  sandbox(): Promise<typeof import('../sandbox/index.ts')>;
}

export interface ContextOptions {
  host: Host;
  globals: Globals;
  /** The command sends many requests, so the faster transport is loaded. */
  concurrent: boolean;
  /** Treat a configuration file that cannot be read as empty. */
  allowInvalidConfig: boolean;
  /** The command changes only local data. */
  isLocal: boolean;
  observe?: (event: WireEvent) => void;
}

/** A context, with what only the runner of the command needs. */
export interface OpenContext {
  context: Context;
  /** The time of the service by its latest response, else of this machine. */
  serviceNow(): number;
  /** The latest response of the service, for diagnosing unexpected errors. */
  lastResponse(): LastResponse | undefined;
  close(): Promise<void>;
}

export function createContext({
  host,
  globals,
  concurrent,
  allowInvalidConfig,
  isLocal,
  observe,
}: ContextOptions): OpenContext {
  const { env } = host;
  const store = openConfigStore(configFolder(host));
  const stored = () => {
    try {
      return store.read().settings;
    } catch (error) {
      if (allowInvalidConfig) return {};
      throw error;
    }
  };
  const settings = createSettings({ globals, env, stored });
  const clients: Client[] = [];
  const serviceClock = createServiceClock(host.clock.now, observe);
  const recorder = createCompletionRecorder();
  // Cached, because standard input cannot be read twice.
  let key: string | undefined;
  // One client per command, because it holds the retry budget.
  let client: Promise<Client> | undefined;

  const profile = () => chooseProfile({ globals, env }, store.read());
  const target = () =>
    resolveTarget({
      given: { globals, env },
      // If address and key are given, no profile is needed. A profile that is named must still exist.
      profile: profile(),
      profileNames: Object.keys(store.read().profiles),
      normalize: normalizeBaseUrl,
    });
  const connection: Connection = {
    target,
    apiKey: async () => {
      key ??= await loadKey(target(), host);
      return key;
    },
    clientFor: async (baseUrl, apiKey, overrides = {}) => {
      const base = { ...overrides, host, globals, settings, baseUrl, apiKey, concurrent };
      const recording = { onResponse: recorder.record, observe: serviceClock.observe };
      const opened = await openClient({ ...base, ...recording });
      clients.push(opened);
      return opened;
    },
    place: () => describeTarget(target()),
  };
  const openTargetClient = async () => {
    const apiKey = await connection.apiKey();
    const { baseUrl, keyFrom } = target();
    const isSandbox = keyFrom.kind === 'profile' && keyFrom.profile.sandbox;
    return connection.clientFor(baseUrl.value, apiKey, isSandbox ? { sandbox: keyFrom.name } : {});
  };

  const context: Context = {
    host,
    globals,
    settings,
    configuration: store,
    profile,
    connection,
    client: () => {
      client ??= openTargetClient();
      return client;
    },
    async *pages(id, input, range) {
      const limit = range.all ? Number.POSITIVE_INFINITY : (range.limit ?? 50);
      const options: PagingOptions = { limit, signal: host.shutdownSignal };
      if (range.pageSize !== undefined) options.pageSize = range.pageSize;
      yield* pages(await context.client(), id, input, options);
    },
    prompt: {
      ...lazyPrompter(host, settings),
      get isPossible() {
        return host.stdinIsTty && host.stderr.isTty && settings.mayAsk;
      },
      async resource(kind, label) {
        if (this.isPossible)
          return (await import('./resource-prompt.ts')).promptForResource(context, kind, {});
        throw usageError(`Missing required argument \`${label}\`.`);
      },
    },
    confirm: (action, warning) => confirm(context, action, { isLocal, warning }),
    note: (text) => {
      if (!settings.quiet && (host.stderr.isTty || !settings.forPrograms)) {
        void host.stderr.write(`${safeText(text)}\n`).catch(() => undefined);
      }
    },
    sandbox: () => import('../sandbox/index.ts'),
  };
  return {
    context,
    serviceNow: serviceClock.now,
    lastResponse: recorder.lastResponse,
    close: async () => {
      recorder.save(() => valueFolder(cacheFolder(host), { ...globals, env }, store.read()));
      await Promise.all(clients.map((opened) => opened.close()));
    },
  };
}
