// `startSandbox` of `svc-cli/testing`: the sandbox inside the process of an application's test. It reads no
// profiles, no SVC_ variables and no state folder.

import { raceAbort } from '../core/async.ts';
import {
  ConnectionCut,
  type OpenedSandbox,
  openSandbox,
  readApplicationIdentifier,
  type SandboxCopy,
  serveSandbox,
} from '../sandbox/index.ts';
import { createMembers, createUnhandledError, inPlainErrors, openEnvironment } from './members.ts';
import { readOptions } from './read-options.ts';
import type { Sandbox, SandboxOptions } from './types.ts';

/** The top-level domain `invalid` has no addresses, so a request that does not use `sandbox.fetch` fails at once. */
const unreachableUrl = 'http://sandbox.invalid';

interface Running extends Pick<OpenedSandbox, 'handle' | 'story' | 'copy' | 'paste'> {
  url: string;
  key: string;
  applicationIdentifier: string;
  close(): Promise<void>;
}

/** Starts a sandbox in this process. Each call starts another one, with its own data, key and port. */
export const startSandbox = (options: SandboxOptions = {}): Promise<Sandbox> => start(options);

/** `copy`: the data of another sandbox, instead of the initial data until a reset. */
async function start(options: SandboxOptions, copy?: SandboxCopy): Promise<Sandbox> {
  const { listen = true, onUnhandled = 'ignore' } = options;
  const running = await inPlainErrors(async () => {
    const sandboxOptions = readOptions(options);
    return listen ? serve(sandboxOptions) : open(sandboxOptions);
  });
  const { url, key, applicationIdentifier, handle, close } = running;
  if (copy) running.paste(copy);
  let stopped: Promise<void> | undefined;
  const handleUntilStopped = async (request: Request) => {
    if (stopped) throw new Error('The sandbox has stopped.');
    return handle(request);
  };
  const unhandledError =
    onUnhandled === 'error' ? createUnhandledError({ url, key, handle }) : none;
  const target = { url, key, handle: handleUntilStopped };
  const fetch = createFetch(url, handleUntilStopped);
  const stop = async () => {
    const error = await unhandledError();
    await close();
    if (error) throw error;
  };
  return {
    url,
    key,
    applicationIdentifier,
    fetch,
    ...createMembers(target, unhandledError),
    environment: () => openEnvironment(target, fetch, unhandledError),
    // Another one cannot have the same key and port.
    fork: () => start({ ...options, key: undefined }, running.copy()),
    story: (filter = {}) => running.story(filter),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

const none = async () => undefined;

type GivenOptions = ReturnType<typeof readOptions>;

async function serve(options: GivenOptions): Promise<Running> {
  const server = await serveSandbox({ ...options, host: '127.0.0.1', port: 0, isBackground: true });
  return { ...server, url: server.baseUrl };
}

async function open(options: GivenOptions): Promise<Running> {
  const { store, ...members } = await openSandbox(options);
  const applicationIdentifier = readApplicationIdentifier(store);
  const close = async () => store.close();
  return { ...members, url: unreachableUrl, key: store.key, applicationIdentifier, close };
}

export type * from './types.ts';

/** Sends requests to the sandbox without a socket. Injected faults look as they do over a connection. */
function createFetch(
  baseUrl: string,
  handle: (request: Request) => Promise<Response>,
): Sandbox['fetch'] {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const target = typeof input === 'string' || 'href' in input ? new URL(input, baseUrl) : input;
    const request = new Request(target, init);
    if (new URL(request.url).origin !== origin)
      throw new TypeError(`sandbox.fetch sends requests only to ${baseUrl}, not to ${request.url}`);
    request.signal.throwIfAborted();
    try {
      return await raceAbort(handle(request), request.signal);
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error;
      const { truncatedResponse } = error;
      if (!truncatedResponse?.text) throw new TypeError('fetch failed', { cause: error });
      const { status, headers = {}, text } = truncatedResponse;
      return new Response(cutOff(text), {
        status,
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      });
    }
  };
}

/** A body that ends with an error after half of its bytes. */
function cutOff(text: string): ReadableStream {
  const bytes = new TextEncoder().encode(text);
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new TypeError('terminated'));
      isSent = true;
      controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    },
  });
}
