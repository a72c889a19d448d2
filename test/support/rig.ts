// The whole program in one process: the real parser, the real client, the sandbox as the service,
// a frozen clock, folders of its own. A request that nobody answers fails the test.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Transport } from '../../src/api/transport/transport.ts';
import { main } from '../../src/app/main.ts';
import type { Host, OutputStream } from '../../src/platform/host.ts';
import { createSandbox, openStore } from '../../src/sandbox/index.ts';
import { baseUrl, frozenNow, testKey } from './fixed.ts';

/** What one command line did. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  /** `GET /v2/topics?limit=50`, in order, with the bodies of writes. */
  requests: { line: string; headers: Record<string, string>; body: unknown }[];
  /** Milliseconds that it has slept. */
  slept: number;
}

/** Answers a request in place of the sandbox; undefined leaves it to the sandbox. */
export type Answerer = (request: {
  method: string;
  url: URL;
  body: unknown;
  /** Milliseconds that the command has slept so far. */
  slept: number;
}) => FakeAnswer | undefined;

export interface RunFacts {
  /** Both output streams and the input are terminals. */
  tty?: boolean;
  columns?: number;
  stdin?: string;
  env?: Record<string, string>;
  /** The folder in which the line is typed; `folder` unless given. */
  cwd?: string;
}

export interface Rig {
  svc(argv: readonly string[], facts?: RunFacts): Promise<Ran>;
  /** A folder for files of the test; configuration and state are below it. */
  folder: string;
  /** Answers the next requests instead of the sandbox. */
  answer(...answers: readonly (FakeAnswer | Error)[]): void;
  /** Puts a stateful service before the sandbox, for all requests without a prepared answer. */
  answerBy(answerer: Answerer): void;
  /** Forgets prepared answers that nobody asked for. */
  forget(): void;
  /** Lets the sandbox answer so many requests before the prepared answers come. */
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
  /** Without a service chosen: no base URL and key in the environment. */
  bare?: boolean;
}

export async function openRig({ envelope = false, bare = false }: RigOptions = {}): Promise<Rig> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-rig-'));
  const clock = { now: () => frozenNow };
  const store = await openStore({ clock, key: testKey });
  const sandbox = createSandbox({ store, clock, envelope });
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const prepared: (FakeAnswer | Error | 'sandbox')[] = [];
  let answerer: Answerer = () => undefined;

  // Across command lines: an idempotency key that came back would be replayed.
  const newId = counter();

  const svc = async (argv: readonly string[], facts: RunFacts = {}): Promise<Ran> => {
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
      const fake = prepared.shift();
      if (fake instanceof Error) throw fake;
      if (fake && fake !== 'sandbox') return wireAnswer(fake);
      const url = new URL(request.url);
      const own = fake ? undefined : answerer({ method: request.method, url, body, slept });
      if (own) return wireAnswer(own);
      const answer = await sandbox(
        new Request(request.url, {
          method: request.method,
          headers: request.headers,
          ...(request.body ? { body: Buffer.from(request.body) } : {}),
        }),
      );
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        bytes: Buffer.from(await answer.arrayBuffer()),
      };
    };
    let slept = 0;
    const stdout = recorder(facts.tty === true, facts.columns ?? 80);
    const stderr = recorder(facts.tty === true, facts.columns ?? 80);
    const host: Host = {
      env: {
        NO_COLOR: '1',
        SVC_CONFIG_DIR: path.join(folder, 'config'),
        SVC_STATE_DIR: path.join(folder, 'state'),
        SVC_CACHE_DIR: path.join(folder, 'cache'),
        ...(bare ? {} : { SVC_BASE_URL: baseUrl, SVC_API_KEY: testKey }),
        ...facts.env,
      },
      platform: 'linux',
      home: folder,
      cwd: facts.cwd ?? folder,
      version: '0.0.0-test',
      nodeVersion: 'v20.20.2',
      pid: 4242,
      identity: undefined,
      isAlive: (pid) => pid === 4242,
      uncaughtError: new Promise(() => undefined),
      limitHeapGrowth: () => undefined,
      stdin: Readable.from(facts.stdin === undefined ? [] : [Buffer.from(facts.stdin)]),
      stdinIsTty: false,
      stdout: stdout.sink,
      stderr: stderr.sink,
      clock: {
        // Stands still but for what the program sleeps.
        now: () => frozenNow + slept,
        ticks: () => slept,
        sleep: async (ms) => {
          slept += ms;
        },
        deadline: (_ms, signal) => ({
          signal: signal ?? new AbortController().signal,
          clear: () => undefined,
        }),
        every: () => () => undefined,
      },
      random: () => 0.5,
      newId,
      shutdownSignal: new AbortController().signal,
      forceSignal: new AbortController().signal,
      spawn: () => Promise.reject(new Error('nothing is started from the rig')),
      openTransport: () => Object.assign(send, { close: async () => undefined }),
    };
    const code = await main(argv, host);
    return { code, stdout: stdout.text(), stderr: stderr.text(), requests, slept };
  };
  return {
    svc,
    folder,
    answer: (...answers) => void prepared.push(...answers),
    answerBy: (given) => {
      answerer = given;
    },
    forget: () => {
      prepared.length = 0;
    },
    pass: (requests) => void prepared.push(...Array<'sandbox'>(requests).fill('sandbox')),
  };
}

function wireAnswer({ status, body, text, headers = {} }: FakeAnswer) {
  const content = text ?? (body === undefined ? '' : JSON.stringify(body));
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    bytes: Buffer.from(content),
  };
}

function counter() {
  let next = 0;
  return () => {
    next += 1;
    return `00000000-0000-4000-8000-${String(next).padStart(12, '0')}`;
  };
}

function recorder(isTty: boolean, columns: number): { sink: OutputStream; text: () => string } {
  let written = '';
  return {
    text: () => written,
    sink: {
      isTty,
      columns,
      stream: new Writable({ write: (_chunk, _encoding, done) => done() }),
      write: async (text) => {
        written += text;
      },
    },
  };
}

/** A file in the folder of a rig; its path. */
export function writeInput({ folder }: Rig, name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The JSON object that a command printed. */
export const parsed = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;
