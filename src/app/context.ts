// What a command may use, made by need: settings, client, prompts, profiles, sandbox, clock, ids.
import type { BodyFields } from '../api/body-fields.ts';
import type { Client } from '../api/client.ts';
import type { OperationDescription } from '../api/describe.ts';
import { isLoopback } from '../api/loopback.ts';
import type { Batch } from '../api/operation.ts';
import { type Input, type ListingId, type OperationId, record } from '../api/operations/index.ts';
import { type Item, type Page, type PagingOptions, pages } from '../api/paginate.ts';
import type { RawRequest } from '../api/request.ts';
import type { WireEvent } from '../api/wire-event.ts';
import type { CandidateKind } from '../cli/command.ts';
import type { Globals } from '../cli/globals.ts';
import { valueFolder } from '../completion/cache.ts';
import {
  createRecentTransactions,
  type RecentTransactions,
} from '../completion/recent-transactions.ts';
import { createValueMemory, type LastAnswer } from '../completion/recorder.ts';
import { normalizeBaseUrl } from '../config/base-url.ts';
import { cacheFolder, configFolder, stateFolder } from '../config/folders.ts';
import { type Network, networkOf } from '../config/network.ts';
import { createPreferences, type Preferences } from '../config/preferences.ts';
import type { Profiles } from '../config/profiles.ts';
import {
  type ChosenProfile,
  chooseProfile,
  resolveTarget,
  type Target,
} from '../config/settings.ts';
import { type ConfigStore, openConfigStore } from '../config/store.ts';
import { usageError } from '../core/errors.ts';
import type { Prompter } from '../input/prompts.ts';
import { safeText } from '../output/safe-text.ts';
import type { Host } from '../platform/host.ts';
import { type ClientManner, loadKey, openClient } from './client.ts';
import { confirm, placeOf } from './confirm.ts';
import { lazyPrompter } from './prompter.ts';
import { createServiceClock } from './service-clock.ts';

export interface ListRange {
  limit?: number;
  all?: boolean;
  pageSize?: number;
}

export interface Context {
  /** Streams, environment, clock, chance and signals. */
  host: Host;
  globals: Globals;
  preferences: Preferences;
  folders: { config: string; state: string; cache: string };
  /** The configuration file. */
  configuration: ConfigStore;
  /** The profiles in it, and what can be done with them. */
  profiles(): Promise<Profiles>;
  /** The profile that holds, if any. */
  profile(): ChosenProfile | undefined;
  /** Address and source of the key. Ends with auth when there is none. */
  target(): Target;
  /** The API key for the target. */
  apiKey(): Promise<string>;
  /** Proxy and certificates that hold for the target. */
  network(): Promise<Network>;
  client(): Promise<Client>;
  /** The time of the service by its newest response, else of this machine. */
  serviceNow(): number;
  /** A client for an address and key that are not stored yet, or for the sandbox's own routes. */
  clientFor(baseUrl: string, apiKey: string, manner?: ClientManner): Promise<Client>;
  /** The pages of a listing within `--limit`, `--all` and `--page-size`. */
  pages<Id extends ListingId>(
    id: Id,
    input: Input<Id>,
    range: ListRange,
  ): AsyncGenerator<Page<Item<Id>>, void, void>;
  /** The items of all pages of a listing that is no operation of the registry. */
  everyItem(request: RawRequest): Promise<unknown[]>;
  /** Name and JSON type of the fields that a request body takes, below a member if one is named. */
  bodyFields(id: OperationId, member?: string): Promise<BodyFields>;
  /** How many items, and how many bytes, one request of the operation may carry. */
  batchOf(id: OperationId): Batch;
  /** The operations with their JSON Schemas, all or the named one. */
  describe(id?: string): Promise<OperationDescription[]>;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  prompter(): Prompter;
  /** What a person picks from what there is of a kind; ends with usage where nobody can be asked. */
  pick(kind: CandidateKind, label: string): Promise<string>;
  /** Where a write happens, for success lines: `in Production (profile live)`. */
  place(): string;
  /** Asks before an action such as `Delete topic x`; of a write to the service the question names the place. */
  confirm(action: string, warning?: string): Promise<void>;
  /** Set by a command that lets what is under way finish when it is interrupted, and sums up. */
  gracefulShutdown: boolean;
  /** A line on standard error that a program does not need. */
  note(text: string): void;
  /** The transaction that a trigger has sent and not settled: what an interruption leaves in doubt. */
  pendingTransaction?: string;
  /** What this machine triggered a short while ago, for the service and environment in use. */
  recentTransactions: RecentTransactions;
  /** Runs another command line in this process, with other variables and output; gives its exit code. */
  svc(argv: readonly string[], changed: Pick<Host, 'env' | 'stdout'>): Promise<number>;
  /** The sandbox's code, loaded now. */
  sandbox(): Promise<typeof import('../sandbox/index.ts')>;
  /** The newest answer of the service, for finding out what went wrong with it. */
  lastAnswer(): LastAnswer | undefined;
  close(): Promise<void>;
}

export interface ContextOptions {
  host: Host;
  globals: Globals;
  /** The command sends many requests: the faster engine is worth loading. */
  many: boolean;
  /** A configuration file that cannot be read counts as empty. */
  tolerant: boolean;
  /** The command changes this machine alone. */
  isLocal: boolean;
  runLine: (argv: readonly string[], host: Host) => Promise<number>;
  observe?: (event: WireEvent) => void;
}

export function createContext({
  host,
  globals,
  many,
  tolerant,
  isLocal,
  runLine,
  observe,
}: ContextOptions): Context {
  const { env } = host;
  const folders = {
    config: configFolder(host),
    state: stateFolder(host),
    cache: cacheFolder(host),
  };
  const store = openConfigStore(folders.config);
  const settings = () => {
    try {
      return store.read().settings;
    } catch (error) {
      if (tolerant) return {};
      throw error;
    }
  };
  const preferences = createPreferences({ globals, env, settings });
  const clients: Client[] = [];
  const serviceClock = createServiceClock(host.clock.now, observe);
  const { answered, save, last } = createValueMemory();
  // Read once: standard input cannot be read twice.
  let key: string | undefined;
  // One for the whole command: it holds the budget of retries.
  let client: Promise<Client> | undefined;
  const values = () => {
    const whose = { profile: globals.profile, baseUrl: globals.baseUrl, env };
    return valueFolder(folders.cache, whose, store.read());
  };
  const profile = () => chooseProfile(globals.profile, env, store.read());
  const target = () =>
    resolveTarget({
      baseUrlOption: globals.baseUrl,
      keyFileOption: globals.apiKeyFile,
      env,
      // With its own address a command needs no current profile, but one that is named must exist.
      profile: profile(),
      known: Object.keys(store.read().profiles),
      normalize: normalizeBaseUrl,
    });
  const clientFor = async (baseUrl: string, apiKey: string, manner: ClientManner = {}) => {
    const facts = { ...manner, host, globals, preferences, baseUrl, apiKey, many, answered };
    const opened = await openClient({ ...facts, observe: serviceClock.observe });
    clients.push(opened);
    return opened;
  };
  const context: Context = {
    host,
    gracefulShutdown: false,
    globals,
    preferences,
    folders,
    configuration: store,
    profiles: async () => (await import('../config/profiles.ts')).openProfiles(store),
    profile,
    target,
    clientFor,
    apiKey: async () => {
      key ??= await loadKey(target(), host);
      return key;
    },
    network: async () => {
      const url = new URL(target().baseUrl.value);
      return networkOf(globals.caFile, env, { url, loopback: isLoopback(url.hostname) });
    },
    client: () => {
      client ??= context.apiKey().then((apiKey) => {
        const { baseUrl, keyFrom } = target();
        const isSandbox = keyFrom.kind === 'profile' && keyFrom.profile.sandbox;
        return clientFor(baseUrl.value, apiKey, isSandbox ? { sandbox: keyFrom.name } : {});
      });
      return client;
    },
    serviceNow: serviceClock.now,
    async *pages(id, input, range) {
      const limit = range.all ? Number.POSITIVE_INFINITY : (range.limit ?? 50);
      const options: PagingOptions = { limit, signal: host.shutdownSignal };
      if (range.pageSize !== undefined) options.pageSize = range.pageSize;
      yield* pages(await context.client(), id, input, options);
    },
    everyItem: async (request) =>
      (await import('../api/paginate-raw.ts')).following(await context.client(), request),
    bodyFields: async (id, member) =>
      (await import('../api/body-fields.ts')).bodyFields(id, member),
    batchOf: (id) => {
      const { batch } = record(id);
      if (!batch) throw new Error(`${id} takes one item`);
      return batch;
    },
    describe: async (id) => (await import('../api/describe.ts')).describeOperations(id),
    get canAsk() {
      return host.stdinIsTty && host.stderr.isTty && preferences.mayAsk;
    },
    prompter: lazyPrompter(host, preferences),
    pick: async (kind, label) => {
      if (context.canAsk) return (await import('./resource-prompt.ts')).pick(context, kind, {});
      throw usageError(`Missing required argument \`${label}\`.`);
    },
    place: () => placeOf(target()),
    confirm: (action, warning) => confirm(context, action, { isLocal, warning }),
    note: (text) => {
      if (!preferences.quiet && (host.stderr.isTty || !preferences.forPrograms)) {
        void host.stderr.write(`${safeText(text)}\n`).catch(() => undefined);
      }
    },
    recentTransactions: createRecentTransactions(values, host.clock.now),
    // Inherits, so that standard input stays unopened until it is asked for.
    svc: (argv, { env: more, stdout }) => {
      const changed = { env: { ...env, ...more }, stdout };
      return runLine(argv, Object.create(host, Object.getOwnPropertyDescriptors(changed)));
    },
    sandbox: () => import('../sandbox/index.ts'),
    lastAnswer: last,
    close: async () => {
      save(values);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
  return context;
}
