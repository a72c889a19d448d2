import type { Client } from '../api/client.ts';
import { type PagingOptions, pages } from '../api/paginate.ts';
import type { WireEvent } from '../api/request.ts';
import type { Globals } from '../cli/globals.ts';
import { valueFolder } from '../completion/cache.ts';
import { createCompletionRecorder, type LastResponse } from '../completion/recorder.ts';
import { normalizeBaseUrl } from '../config/base-url.ts';
import { cacheFolder, configFolder } from '../config/folders.ts';
import { createPropose } from '../config/propose.ts';
import { createSettings, type Settings } from '../config/settings.ts';
import { openConfigStore } from '../config/store.ts';
import {
  chooseProfile,
  overriddenText,
  overriddenVariables,
  resolveTarget,
} from '../config/target.ts';
import { errorMessage, SvcError, usageError } from '../core/errors.ts';
import type { Prompter } from '../input/prompts.ts';
import type { Line } from '../output/result.ts';
import { safeText } from '../output/safe-text.ts';
import { plainStyle, styledLine, wantsColor } from '../output/style.ts';
import type { Host } from '../platform/host.ts';
import { loadKey, openClient } from './client.ts';
import { confirm, describeTarget } from './confirm.ts';
import type { Connection, Context } from './context.ts';
import type { MessageWrapper } from './message-wrapper.ts';
import { createProfileUpdater } from './profile-updater.ts';
import { type AllowedWrite, findProfilesOfKey } from './protection.ts';

interface ContextOptions {
  host: Host;
  globals: Globals;
  /** Treat a configuration file that cannot be read as empty. */
  allowInvalidConfig: boolean;
  isLocal: boolean;
  /** Breaks the lines of notes. */
  wrap: MessageWrapper;
  observe?: (event: WireEvent) => void;
}

/** A context, with what only the runner of the command needs. */
interface OpenContext {
  context: Context;
  /** The latest response of the service, for diagnosing unexpected errors. */
  lastResponse(): LastResponse | undefined;
  /** Lets the questions and reports of the command name where it writes, and ask for the names to confirm. */
  allowWrite(write: AllowedWrite): void;
  close(): Promise<void>;
}

export function createContext({
  host,
  globals,
  allowInvalidConfig,
  isLocal,
  wrap,
  observe,
}: ContextOptions): OpenContext {
  const { env } = host;
  const store = openConfigStore(configFolder(host), host);
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
  const profileUpdater = createProfileUpdater(store);
  // Cached, because standard input cannot be read twice.
  let key: string | undefined;
  // One client per command, because it holds the retry budget.
  let client: Promise<Client> | undefined;

  let write: AllowedWrite = {};

  const profile = () => chooseProfile({ globals, env }, store.read());
  const target = () => {
    const configuration = store.read();
    return resolveTarget({
      sources: { globals, env },
      // If address and key are given, no profile is needed. A profile that is named must still exist.
      profile: chooseProfile({ globals, env }, configuration),
      profileNames: Object.keys(configuration.profiles),
      normalize: normalizeBaseUrl,
    });
  };
  const connection: Connection = {
    target,
    findTarget() {
      try {
        return target();
      } catch (error) {
        if (error instanceof SvcError && error.exitReason === 'auth') return undefined;
        throw error;
      }
    },
    apiKey: async () => {
      key ??= await loadKey(target(), host);
      return key;
    },
    profilesOfKey: () => findProfilesOfKey(context),
    clientFor: async (baseUrl, apiKey, overrides = {}) => {
      const base = { ...overrides, host, globals, settings, baseUrl, apiKey };
      // Tab completion offers values of the active environment only.
      const onResponse: typeof recorder.record = (operationId, input, response) => {
        profileUpdater.record(baseUrl, operationId, response);
        if (!overrides.isOtherProfile) recorder.record(operationId, input, response);
      };
      const recording = { onResponse, observe: serviceClock.observe };
      const opened = await openClient({ ...base, ...recording });
      clients.push(opened);
      return opened;
    },
    place: () => write.place ?? describeTarget(target()),
    service: async (name) => (await import('./service.ts')).openService(context, name),
  };
  const openTargetClient = async () => {
    const resolved = target();
    const { baseUrl, keyFrom } = resolved;
    key ??= await loadKey(resolved, host);
    const sandbox = keyFrom.type === 'profile' && keyFrom.profile.sandbox && keyFrom.name;
    const named = sandbox ? { sandbox } : {};
    const overridden = host.stderr.isTty && overriddenVariables({ globals, env }, resolved);
    if (overridden) context.note(`${overriddenText(overridden)}.`);
    return connection.clientFor(baseUrl.value, key, { ...named, address: baseUrl });
  };

  const printNote = (line: Line, style = plainStyle) => {
    if (settings.quiet) return;
    const lines = typeof line === 'string' ? wrap(safeText(line)) : [line];
    const text = lines.map((part) => styledLine(part, style)).join('');
    void host.stderr.write(text).catch(() => undefined);
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
    call: async (...request) => (await context.client()).call(...request),
    async *pages(id, input, range) {
      const limit = range.all ? Number.POSITIVE_INFINITY : (range.limit ?? 50);
      const { from } = range;
      const options: PagingOptions = { limit, from, signal: host.shutdownSignal };
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
        throw usageError(`Missing <${label}>.`);
      },
    },
    confirm: async (action, warning, place) => {
      await write.confirmNames?.();
      await confirm(context, action, { isLocal, warning, place });
    },
    serviceNow: serviceClock.now,
    propose: createPropose({ globals, env }, store.read),
    note: (line, style) => {
      if (!settings.forPrograms || host.stderr.isTty) printNote(line, style);
    },
    warn: (text) => printNote(`Warning: ${text}`),
    sandbox: () => import('../sandbox/index.ts'),
  };
  return {
    context,
    lastResponse: recorder.lastResponse,
    allowWrite: (allowed) => {
      write = allowed;
    },
    close: async () => {
      recorder.save(() => valueFolder(cacheFolder(host), { ...globals, env }, store.read()));
      await profileUpdater.save(context.warn);
      await Promise.all(clients.map((opened) => opened.close()));
    },
  };
}

// Asks questions on the terminal. The prompt library is large, so it is loaded with the first question. The text of a
// question may come from the service or a file, so it is made safe for the terminal.

function lazyPrompter(host: Host, settings: Settings): Prompter {
  const opened = async () => {
    const { openPrompter } = await import('../input/prompts.ts');
    const { stdin, stderr, shutdownSignal, env } = host;
    const hasColors = wantsColor({ isTty: stderr.isTty, ...settings.color, env });
    const { unicode } = settings;
    return openPrompter(stdin, stderr.stream, shutdownSignal, { hasColors, unicode });
  };
  /** Breaks a question between words. `reserved` is the width of what follows it. */
  const wrapped = async (message: string, reserved: number) => {
    const { wrapTerminal } = await import('../output/wrap.ts');
    const width = host.stderr.columns - '? '.length - reserved;
    return wrapTerminal(safeText(message), width).join('\n  ');
  };
  return {
    async confirm(message, options) {
      const question = await wrapped(message, ' (y/N)'.length);
      return (await opened()).confirm(question, options);
    },
    async text(message, suggested) {
      const question = await wrapped(message, suggested === undefined ? 0 : suggested.length);
      return (await opened()).text(
        question,
        suggested === undefined ? undefined : safeText(suggested),
      );
    },
    secret: async (message) => (await opened()).secret(safeText(message)),
    pick: async (message, find) =>
      (await opened()).pick(safeText(message), (typed) => find(typed).catch(rethrowSanitized)),
  };
}

/** The library prints the message of an error in a search, so it must be safe for the terminal. */
function rethrowSanitized(error: unknown): never {
  throw new Error(safeText(errorMessage(error)), { cause: error });
}

// The time of the service, by the `Date` header of its responses.

interface ServiceClock {
  /** Milliseconds since 1970: the `Date` header of the newest response plus the time since then; without one, this machine's time. */
  now(): number;
  /** Reads the header and passes the event on. */
  observe(event: WireEvent): void;
}

/** Added to the header, which has no milliseconds. Without it, an item that is just created would be in the future. */
const middleOfSecond = 499;

function createServiceClock(
  machineNow: () => number,
  next?: (event: WireEvent) => void,
): ServiceClock {
  let aheadMs = 0;
  return {
    now: () => machineNow() + aheadMs,
    observe(event) {
      const date = event.type === 'response' ? Date.parse(event.headers.date ?? '') : Number.NaN;
      if (!Number.isNaN(date)) aheadMs = date + middleOfSecond - machineNow();
      next?.(event);
    },
  };
}
