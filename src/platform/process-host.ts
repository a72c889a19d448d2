// The host of the real process. Only this folder, svc.ts and the sandbox's server use `process`, timers and randomness.
// Modules and streams are opened on demand, to keep startup fast.
import { homeFolder } from './home-folder.ts';
import type { Host, SignalReason, Spawned } from './host.ts';
import { currentProcess } from './process-identity.ts';
import { isTerminal, openProcessOutput } from './process-output.ts';

const signals: Record<string, SignalReason> = {
  SIGHUP: 'hangup',
  SIGINT: 'interrupted',
  SIGTERM: 'terminated',
};

/** Resident memory in bytes above which the heap grows more slowly, at the cost of some speed. */
const highMemoryBytes = 100 * 1024 * 1024;
const memoryCheckMs = 200;

export function processHost(version: string): Host {
  const interrupts = once(listenForSignals);
  const defect = once(listenForUncaughtErrors);
  const stdout = once(() => openProcessOutput(1, 'standard output', () => process.stdout));
  const stderr = once(() => openProcessOutput(2, 'standard error', () => process.stderr));
  return {
    env: process.env,
    platform: process.platform,
    get home() {
      return homeFolder();
    },
    cwd: process.cwd(),
    pid: process.pid,
    limitHeapGrowth: () =>
      every(memoryCheckMs, () => {
        if (residentBytes() < highMemoryBytes) return;
        // The heap may grow by 20% before a garbage collection; by default V8 lets it double.
        process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=20');
      }),
    get identity() {
      return currentProcess.identity;
    },
    isAlive: currentProcess.isAlive,
    version,
    nodeVersion: process.version,
    script: process.argv[1] ?? '',
    get stdin() {
      return process.stdin;
    },
    get stdinIsTty() {
      return isTerminal(0);
    },
    readKeys: async (onKey) => (await import('./read-keys.ts')).readKeys(process.stdin, onKey),
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    clock: { now: () => Date.now(), ticks, sleep, deadline, every },
    random: () => Math.random(),
    newId: () => process.getBuiltinModule('node:crypto').randomUUID(),
    spawn,
    runChild: async (line, options) => (await import('./run-child.ts')).runChild(line, options),
    get shutdownSignal() {
      return interrupts().shutdown;
    },
    get forceSignal() {
      return interrupts().force;
    },
    get uncaughtError() {
      return defect();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The first signal starts a shutdown, the second forces it. */
function listenForSignals() {
  const shutdown = new AbortController();
  const force = new AbortController();
  for (const [signal, reason] of Object.entries(signals)) {
    process.on(signal, () => (shutdown.signal.aborted ? force : shutdown).abort(reason));
  }
  return { shutdown: shutdown.signal, force: force.signal };
}

/** Without this listener, Node would print a stack trace and exit. */
function listenForUncaughtErrors(): Promise<never> {
  return new Promise((_resolve, reject) => {
    process.once('uncaughtException', reject);
  });
}

/** Milliseconds of the monotonic clock. Unlike `performance`, it loads no more modules. */
const ticks = () => Number(process.hrtime.bigint()) / 1e6;

/** Node fires a longer timer immediately. */
const maxTimerMs = 2 ** 31 - 1;

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const timers = process.getBuiltinModule('node:timers/promises');
  const until = ticks() + ms;
  // A timer can fire slightly early, so it is repeated until the full time has passed.
  for (let left = ms; left > 0 || left === ms; left = until - ticks()) {
    await timers.setTimeout(
      Math.min(Math.ceil(left), maxTimerMs),
      undefined,
      signal ? { signal } : {},
    );
  }
}

function deadline(ms: number, signal?: AbortSignal) {
  const controller = new AbortController();
  const expired = () => controller.abort(new DOMException('timed out', 'TimeoutError'));
  const forwardAbort = () => controller.abort(signal?.reason);
  const timer = setTimeout(expired, Math.min(ms, maxTimerMs));
  if (signal?.aborted) forwardAbort();
  // Many concurrent requests listen to the same signal.
  if (signal) process.getBuiltinModule('node:events').setMaxListeners(0, signal);
  signal?.addEventListener('abort', forwardAbort, { once: true });
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', forwardAbort);
    },
  };
}

function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}

async function spawn(argv: readonly string[]): Promise<Spawned> {
  const { spawn: spawnProcess } = process.getBuiltinModule('node:child_process');
  const [, script = ''] = process.argv;
  const child = spawnProcess(process.execPath, [script, ...argv], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', error: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.error += text;
  });
  const ready = new Promise<Awaited<Spawned['ready']>>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.out += text;
      if (said.out.endsWith('\n')) resolve({ output: said.out });
    });
    child.on('error', (error) => resolve({ code: 8, error: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, error: said.error }));
  });
  const release = () => {
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  };
  return { pid: child.pid, ready, release };
}

/** Resident memory; 0 if it cannot be read, for example without free file descriptors. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}
