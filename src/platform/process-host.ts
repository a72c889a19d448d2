// The real outside: this process. With main, the only place that touches `process`, timers and chance.
// Everything is opened by need: a module or stream that is not used costs no start-up.

import type { Host, SignalReason, Spawned } from './host.ts';
import { currentProcess } from './process-identity.ts';
import { openProcessOutput } from './process-output.ts';

const signals: Record<string, SignalReason> = {
  SIGHUP: 'hangup',
  SIGINT: 'interrupted',
  SIGTERM: 'terminated',
};

/** Resident bytes from which on memory is spared, at the cost of some speed. */
const highMemoryBytes = 100 * 1024 * 1024;

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
    limitHeapGrowth: () => {
      if (residentBytes() < highMemoryBytes) return;
      // The heap may grow by this share before it is cleaned; V8 would let it double and more.
      process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=20');
    },
    get identity() {
      return currentProcess.identity;
    },
    isAlive: currentProcess.isAlive,
    version,
    nodeVersion: process.version,
    get stdin() {
      return process.stdin;
    },
    get stdinIsTty() {
      return process.getBuiltinModule('node:tty').isatty(0);
    },
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    clock: { now: () => Date.now(), ticks: () => performance.now(), sleep, deadline, every },
    random: () => Math.random(),
    newId: () => process.getBuiltinModule('node:crypto').randomUUID(),
    spawn,
    get shutdownSignal() {
      return interrupts().interruption;
    },
    get forceSignal() {
      return interrupts().abortion;
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

/** The first signal interrupts, the second aborts. */
function listenForSignals() {
  const interruption = new AbortController();
  const abortion = new AbortController();
  for (const [signal, reason] of Object.entries(signals)) {
    process.on(signal, () => (interruption.signal.aborted ? abortion : interruption).abort(reason));
  }
  return { interruption: interruption.signal, abortion: abortion.signal };
}

/** Without this, Node would print a stack and end by itself. */
function listenForUncaughtErrors(): Promise<never> {
  return new Promise((_resolve, reject) => {
    process.once('uncaughtException', reject);
  });
}

/** os.homedir throws where neither HOME nor a user entry exists. */
function homeFolder(): string {
  if (process.env.HOME) return process.env.HOME;
  try {
    return process.getBuiltinModule('node:os').homedir();
  } catch {
    return '';
  }
}

/** A longer timer goes off at once. */
const maxTimerMs = 2 ** 31 - 1;

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const timers = await import('node:timers/promises');
  const until = performance.now() + ms;
  // A timer may also go off a moment early, which is earlier than somebody was told to come.
  for (let left = ms; left > 0 || left === ms; left = until - performance.now()) {
    await timers.setTimeout(
      Math.min(Math.ceil(left), maxTimerMs),
      undefined,
      signal ? { signal } : {},
    );
  }
}

function deadline(ms: number, signal?: AbortSignal) {
  const controller = new AbortController();
  const expired = () =>
    controller.abort(Object.assign(new Error('timed out'), { name: 'TimeoutError' }));
  const passOn = () => controller.abort(signal?.reason);
  const timer = setTimeout(expired, Math.min(ms, maxTimerMs));
  if (signal?.aborted) passOn();
  // Many requests at a time listen to one signal.
  if (signal) process.getBuiltinModule('node:events').setMaxListeners(0, signal);
  signal?.addEventListener('abort', passOn, { once: true });
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', passOn);
    },
  };
}

function every(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
}

async function spawn(argv: readonly string[]): Promise<Spawned> {
  const { spawn: spawnProcess } = await import('node:child_process');
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

/** Memory in use; 0 where the system does not say, as without a free file descriptor to read it. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}
