// Everything a command can use, created on demand: settings, client, prompts, profiles, sandbox.
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
import { createCompletionRecorder, type LastResponse } from '../completion/recorder.ts';
import { normalizeBaseUrl } from '../config/base-url.ts';
import { foldersOf } from '../config/folders.ts';
import { type Network, resolveNetwork } from '../config/network.ts';
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
import type { Host } from '../platform/host.ts';
import { type ClientOverrides, loadKey, openClient } from './client.ts';
import { confirm, describeTarget } from './confirm.ts';
import { createNotes, type Notes } from './notes.ts';
import { lazyPrompter } from './prompter.ts';
import type { Service } from './service.ts';
import { createServiceClock } from './service-clock.ts';

export interface ListRange {
  limit?: number;
  all?: boolean;
  pageSize?: number;
}

export interface Context extends Notes {
  /** Streams, environment, clock, randomness and signals. */
  host: Host;
  globals: Globals;
  preferences: Preferences;
  folders: { config: string; state: string; cache: string };
  /** The configuration file. */
  configuration: ConfigStore;
  /** Reads and changes the stored profiles. */
  profiles(): Promise<Profiles>;
  /** The active profile, if any. */
  profile(): ChosenProfile | undefined;
  /** Address and source of the key. Throws an auth error if it cannot be resolved. */
  target(): Target;
  /** The API key for the target. */
  apiKey(): Promise<string>;
  /** Proxy and certificates for the target. */
  network(): Promise<Network>;
  client(): Promise<Client>;
  /** Client and description of the active service, or of another profile. */
  service(profile?: string): Promise<Service>;
  /** The time of the service by its latest response, else of this machine. */
  serviceNow(): number;
  /** A client for an address and key that are not stored yet, or for the control API of the sandbox. */
  clientFor(baseUrl: string, apiKey: string, overrides?: ClientOverrides): Promise<Client>;
  /** The pages of a listing within `--limit`, `--all` and `--page-size`. */
  pages<Id extends ListingId>(
    id: Id,
    input: Input<Id>,
    range: ListRange,
  ): AsyncGenerator<Page<Item<Id>>, void, void>;
  /** The items of all pages of a raw GET request, for `svc api --paginate`. */
  fetchAllItems(request: RawRequest): Promise<unknown[]>;
  /** Name and JSON type of the fields of a request body, or of one of its members. */
  bodyFields(id: OperationId, member?: string): Promise<BodyFields>;
  /** The maximum items and bytes of one request of the operation. */
  batchLimits(id: OperationId): Batch;
  /** The operations with their JSON Schemas, all or one. */
  describe(id?: string): Promise<OperationDescription[]>;
  /** Whether prompts are possible. */
  readonly canAsk: boolean;
  prompter(): Prompter;
  /** Prompts for an existing resource. Throws a usage error if prompts are not possible. */
  pick(kind: CandidateKind, label: string): Promise<string>;
  /** Where a write happens, for questions and success lines: `in Production (profile live)`. */
  place(): string;
  /** Asks before an action such as `Delete topic x`. The question of a write names the environment, or `place`. */
  confirm(action: string, warning?: string, place?: string): Promise<void>;
  /** Set by a command that finishes pending requests and prints a summary when it is interrupted. */
  gracefulShutdown: boolean;
  /** The triggered transaction whose outcome is not known yet. An interruption reports it. */
  pendingTransaction?: string;
  /** The transactions that this machine triggered recently in this environment. */
  recentTransactions: RecentTransactions;
  /** Runs another command line in this process, with other variables and output. Returns its exit code. */
  runCommandLine(argv: readonly string[], changed: Pick<Host, 'env' | 'stdout'>): Promise<number>;
  /** Loads the code of the sandbox. */
  sandbox(): Promise<typeof import('../sandbox/index.ts')>;
  /** The latest response of the service, for diagnosing unexpected errors. */
  lastResponse(): LastResponse | undefined;
  close(): Promise<void>;
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
  runLine: (argv: readonly string[], host: Host) => Promise<number>;
  observe?: (event: WireEvent) => void;
}

export function createContext({
  host,
  globals,
  concurrent,
  allowInvalidConfig,
  isLocal,
  runLine,
  observe,
}: ContextOptions): Context {
  const { env } = host;
  const folders = foldersOf(host);
  const store = openConfigStore(folders.config);
  const settings = () => {
    try {
      return store.read().settings;
    } catch (error) {
      if (allowInvalidConfig) return {};
      throw error;
    }
  };
  const preferences = createPreferences({ globals, env, settings });
  const clients: Client[] = [];
  const serviceClock = createServiceClock(host.clock.now, observe);
  const recorder = createCompletionRecorder();
  // Cached, because standard input cannot be read twice.
  let key: string | undefined;
  // One client per command, because it holds the retry budget.
  let client: Promise<Client> | undefined;

  const completionFolder = () => {
    const scope = { profile: globals.profile, baseUrl: globals.baseUrl, env };
    return valueFolder(folders.cache, scope, store.read());
  };
  const profile = () => chooseProfile(globals.profile, env, store.read());
  const target = () =>
    resolveTarget({
      baseUrlOption: globals.baseUrl,
      keyFileOption: globals.apiKeyFile,
      env,
      // If address and key are given, no profile is needed. A profile that is named must still exist.
      profile: profile(),
      profileNames: Object.keys(store.read().profiles),
      normalize: normalizeBaseUrl,
    });

  const clientFor = async (baseUrl: string, apiKey: string, overrides: ClientOverrides = {}) => {
    const base = { ...overrides, host, globals, preferences, baseUrl, apiKey, concurrent };
    // Tab completion offers values of the active environment only.
    const onResponse = overrides.isOtherProfile ? () => undefined : recorder.record;
    const recording = { onResponse, observe: serviceClock.observe };
    const opened = await openClient({ ...base, ...recording });
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
      return resolveNetwork(globals.caFile, env, { url, loopback: isLoopback(url.hostname) });
    },
    client: () => {
      client ??= context.apiKey().then((apiKey) => {
        const { baseUrl, keyFrom } = target();
        const isSandbox = keyFrom.kind === 'profile' && keyFrom.profile.sandbox;
        return clientFor(baseUrl.value, apiKey, isSandbox ? { sandbox: keyFrom.name } : {});
      });
      return client;
    },
    service: async (name) => (await import('./service.ts')).openService(context, name),
    serviceNow: serviceClock.now,
    async *pages(id, input, range) {
      const limit = range.all ? Number.POSITIVE_INFINITY : (range.limit ?? 50);
      const options: PagingOptions = { limit, signal: host.shutdownSignal };
      if (range.pageSize !== undefined) options.pageSize = range.pageSize;
      yield* pages(await context.client(), id, input, options);
    },
    fetchAllItems: async (request) =>
      (await import('../api/paginate-raw.ts')).fetchAllItems(await context.client(), request),
    bodyFields: async (id, member) =>
      (await import('../api/body-fields.ts')).bodyFields(id, member),
    batchLimits: (id) => {
      const { batch } = record(id);
      if (!batch) throw new Error(`${id} accepts one item only`);
      return batch;
    },
    describe: async (id) => (await import('../api/describe.ts')).describeOperations(id),
    get canAsk() {
      return host.stdinIsTty && host.stderr.isTty && preferences.mayAsk;
    },
    prompter: lazyPrompter(host, preferences),
    pick: async (kind, label) => {
      if (context.canAsk)
        return (await import('./resource-prompt.ts')).promptForResource(context, kind, {});
      throw usageError(`Missing required argument \`${label}\`.`);
    },
    place: () => describeTarget(target()),
    confirm: (action, warning, place) => confirm(context, action, { isLocal, warning, place }),
    ...createNotes(host, preferences),
    recentTransactions: createRecentTransactions(completionFolder, host.clock.now),
    // Uses a prototype instead of a copy, so standard input is not opened before it is needed.
    runCommandLine: (argv, { env: more, stdout }) => {
      const changed = { env: { ...env, ...more }, stdout };
      return runLine(argv, Object.create(host, Object.getOwnPropertyDescriptors(changed)));
    },
    sandbox: () => import('../sandbox/index.ts'),
    lastResponse: recorder.lastResponse,
    close: async () => {
      recorder.save(completionFolder);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
  return context;
}
