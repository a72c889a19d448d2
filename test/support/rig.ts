// Runs the whole program in the test process: the real parser and client, the sandbox as the service, a frozen clock,
// and its own folders.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Transport } from '../../src/api/transport/transport.ts';
import type { Host } from '../../src/platform/host.ts';
import type { Mode } from '../../src/service/mode.ts';
import type { SandboxVersion } from '../../src/service/versions.ts';
import { baseUrl, frozenNow, testKey } from './fixed.ts';
import { numberedIds, type Output, type ProcessOptions, runMain } from './rig-host.ts';
import { createSandbox, openStore, type SandboxState, sandboxVariables } from './sandbox-311.ts';
import { openSeededStore } from './seeded-store.ts';
import { watchFailures } from './unread-failures.ts';

/** The result of one command line. */
export interface Ran extends Output {
  /** `GET /v2/topics?limit=50`, in order, with the bodies of writes. */
  requests: { line: string; headers: Record<string, string>; body: unknown }[];
  /** Milliseconds that the command has slept. */
  slept: number;
}

/** Responds instead of the sandbox; if undefined is returned, the sandbox responds. */
export type Answerer = (request: {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: unknown;
  /** Milliseconds that the command has slept so far. */
  slept: number;
}) => FakeAnswer | undefined;

export interface RunOptions extends ProcessOptions {
  /** The output streams that are terminals; `true` means both. */
  tty?: boolean | 'stdout' | 'stderr';
  columns?: number;
  stdin?: string | Readable;
  env?: Record<string, string>;
  /** The working directory; defaults to `folder`. */
  cwd?: string;
  /** Aborts like a signal; its reason is a `SignalReason`. */
  shutdownSignal?: AbortSignal;
  /** Receives standard output as it is written. */
  onStdout?: (text: string) => void;
  /** Receives what a prompt draws. */
  onPrompt?: (text: string) => void;
  /** Standard input is a terminal, whose keys come from this function. */
  readKeys?: Host['readKeys'];
  /** Repeating timers, such as a line of progress, tick each time the command sleeps. */
  hasTimers?: boolean;
}

export interface Rig {
  svc(argv: readonly string[], options?: RunOptions): Promise<Ran>;
  /** A folder for files of the test; it also contains configuration and state. */
  folder: string;
  /** Queues responses for the next requests, instead of the sandbox. */
  answer(...answers: readonly (FakeAnswer | Error)[]): void;
  /** Queues responses for the next requests that are not reads; `sandbox` lets the sandbox respond. */
  answerWrites(...answers: readonly (FakeAnswer | Error | 'sandbox')[]): void;
  /** Sets a function that responds to all requests without a queued response, before the sandbox. */
  answerBy(answerer: Answerer): void;
  /** Removes the remaining queued responses. */
  clearResponses(): void;
  /** Queues `requests` responses of the sandbox. */
  pass(requests: number): void;
}

export interface FakeAnswer {
  status: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

export interface RigOptions {
  envelope?: boolean;
  /** The mode of the sandbox; default: that of the service. */
  mode?: Mode;
  /** The version of the service that the sandbox behaves like; default: 3.11. */
  service?: SandboxVersion | undefined;
  /** Set no base URL and key in the environment. */
  bare?: boolean;
  /** The sandbox has a page. */
  page?: boolean;
  /** The state of the sandbox, instead of the built-in seed. */
  seed?: SandboxState;
}

export async function openRig({
  mode,
  service,
  envelope,
  bare = false,
  page = false,
  seed,
}: RigOptions = {}): Promise<Rig> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-rig-'));
  const clock = { now: () => frozenNow };
  const openSandbox = async () => {
    const options = { clock, key: testKey, mode, service };
    const store = await (seed ? openStore({ ...options, seed }) : openSeededStore(options));
    const handle = createSandbox({
      ...{ store, clock },
      ...(envelope === undefined ? {} : { envelope }),
      pageUrl: page ? baseUrl : undefined,
    });
    return { store, handle };
  };
  // Opened by its first request: two in five rigs send none to it.
  let sandbox: ReturnType<typeof openSandbox> | undefined;
  onTestFinished(async () => {
    (await sandbox)?.store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const watched = watchFailures();
  const queued: (FakeAnswer | Error | 'sandbox')[] = [];
  const queuedWrites: typeof queued = [];
  let answerer: Answerer = () => undefined;

  // Shared by all command lines, so that no idempotency key is used twice.
  const newId = numberedIds();

  const svc = async (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const requests: Ran['requests'] = [];
    const send = async (request: Parameters<Transport>[0]) => {
      const { pathname, search } = new URL(request.url);
      const body = request.body
        ? JSON.parse(Buffer.from(request.body).toString('utf8'))
        : undefined;
      requests.push({
        line: `${request.method} ${pathname}${search}`,
        headers: request.headers,
        body,
      });
      const write = request.method === 'GET' ? undefined : queuedWrites.shift();
      const fake = write ?? queued.shift();
      if (fake instanceof Error) throw fake;
      if (fake && fake !== 'sandbox') return toWireResponse(fake);
      const url = new URL(request.url);
      const { method, headers } = request;
      const response = fake ? undefined : answerer({ method, url, headers, body, slept });
      if (response) return toWireResponse(response);
      sandbox ??= openSandbox();
      const { handle } = await sandbox;
      const sandboxResponse = await handle(
        new Request(request.url, {
          method: request.method,
          headers: request.headers,
          ...(request.body ? { body: Buffer.from(request.body) } : {}),
        }),
      );
      return {
        status: sandboxResponse.status,
        headers: Object.fromEntries(sandboxResponse.headers),
        bytes: Buffer.from(await sandboxResponse.arrayBuffer()),
      };
    };
    // As on a machine that has run for a while.
    const startTicks = 60_000;
    let slept = 0;
    const timers = new Set<() => void>();
    const output = await runMain(argv, {
      ...options,
      env: {
        NO_COLOR: '1',
        SVC_CONFIG_DIR: path.join(folder, 'config'),
        SVC_STATE_DIR: path.join(folder, 'state'),
        SVC_CACHE_DIR: path.join(folder, 'cache'),
        ...sandboxVariables,
        ...(bare ? {} : { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey }),
        ...options.env,
      },
      home: folder,
      cwd: options.cwd ?? folder,
      newId,
      clock: {
        // Advances only while the program sleeps.
        now: () => frozenNow + slept,
        ticks: () => startTicks + slept,
        sleep: async (ms, signal) => {
          signal?.throwIfAborted();
          slept += ms;
          for (const tick of timers) tick();
        },
        deadline: (_ms, signal) => ({
          signal: signal ?? new AbortController().signal,
          clear: () => undefined,
        }),
        every: (_ms, tick) => {
          if (options.hasTimers) timers.add(tick);
          return () => timers.delete(tick);
        },
      },
      openTransport: () => Object.assign(send, { close: async () => undefined }),
    });
    return watched(argv, { ...output, requests, slept });
  };
  return {
    svc,
    folder,
    answer: (...answers) => void queued.push(...answers),
    answerWrites: (...answers) => void queuedWrites.push(...answers),
    answerBy: (given) => {
      answerer = given;
    },
    clearResponses: () => {
      queued.length = 0;
    },
    pass: (requests) => void queued.push(...Array<'sandbox'>(requests).fill('sandbox')),
  };
}

function toWireResponse({ status, body, text, headers = {} }: FakeAnswer) {
  const content = text ?? (body === undefined ? '' : JSON.stringify(body));
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    bytes: Buffer.from(content),
  };
}

/** Writes a file in the folder of a rig and returns its path. */
export function writeInput({ folder }: Rig, name: string, text: string | Buffer): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The JSON object that a command printed. */
export const parsed = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;
