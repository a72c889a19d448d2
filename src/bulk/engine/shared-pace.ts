// Shares the rate limit of the service between the processes of this machine. Each process has a file, named by its
// process id, with the time of its latest request; a request reserves the next free time after those of all others.
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createUnitEstimate, type RateLimit, readRateLimit } from './rate-limit.ts';

interface PaceClock {
  now(): number;
  ticks(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  every(ms: number, tick: () => void): () => void;
}

export interface PaceOptions {
  /** Shared by the processes that use the same service and environment. */
  folder: string;
  pid: number;
  /** Rate limit category of the requests, and the units of one request. */
  category: string;
  requestCost: number;
  clock: PaceClock;
  signal: AbortSignal;
}

/** The content of a file. `limit` is absent until the first response, and null without a rate limit. */
interface Peer {
  category: string;
  /** Milliseconds since 1970 of the latest request, which may be in the future. Processes whose clocks differ ignore each other. */
  next: number;
  /** The service accepts no request before this time, in milliseconds since 1970. */
  blockedUntil: number;
  limit?: RateLimit | null;
}

const touchEveryMs = 1_000;
/** Files without changes for longer belong to processes that have ended. */
const staleAfterMs = 5_000;
const pollMs = 50;
/** How long a process waits for the first response of another one. */
const maxProbeWaitMs = 10_000;

export interface SharedPace {
  /** Reserves the time of a request and waits for it. */
  waitForTurn(): Promise<void>;
  /** Whether no response has shown the rate limit yet. Only one request is sent until then. */
  isProbing(): boolean;
  onResponse(headers: Record<string, string>, inFlight: number): void;
  /** The service accepts no request for this time. Other processes wait, too. */
  blockFor(ms: number): void;
  /** Leaves the file, whose times still count for a few seconds, unless there was no response. A later process removes it. */
  close(): void;
}

export function openSharedPace(options: PaceOptions): SharedPace {
  const { folder, pid, category, requestCost, clock, signal } = options;
  const startedAt = clock.now() - clock.ticks();
  /** Milliseconds since 1970, also correct for intervals when the system clock is set back. */
  const now = () => startedAt + clock.ticks();
  const own: Peer = { category, next: 0, blockedUntil: 0 };
  const file = path.join(folder, String(pid));
  const estimate = createUnitEstimate(requestCost);
  const write = () =>
    bestEffort(() => {
      writeFileSync(file, JSON.stringify(own), { mode: 0o600 });
      touch();
    });
  const touch = () => utimesSync(file, now() / 1_000, now() / 1_000);
  bestEffort(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  removeAbandoned(folder, now());
  write();
  const stopTouching = clock.every(touchEveryMs, () => bestEffort(touch));

  const others = () => readPeers(folder, pid, now()).filter((peer) => peer.category === category);

  /** Waits until this process or an older one has seen the rate limit. The lowest process id sends the first request. */
  const probe = async () => {
    for (let waited = 0; own.limit === undefined && waited < maxProbeWaitMs; waited += pollMs) {
      const peers = others();
      const known = peers.find(({ limit }) => limit !== undefined)?.limit;
      if (known !== undefined) {
        own.limit = known;
        // Later processes may find only this file.
        write();
      }
      if (known !== undefined || peers.every((peer) => peer.pid > pid)) return;
      await clock.sleep(pollMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
  };

  const blockedUntil = (peers: Peer[]) =>
    Math.max(...[own, ...peers].map((peer) => peer.blockedUntil));

  /** The latest request of another process, also after that process has ended. */
  let othersNext = 0;

  const reserveNext = (limit: RateLimit) => {
    const peers = others();
    othersNext = Math.max(othersNext, ...peers.map(({ next }) => next));
    const afterOwn =
      peers.length === 0 ? now() + estimate.take(limit, now()) : own.next + limit.intervalMs;
    own.next = Math.max(afterOwn, othersNext + limit.intervalMs, blockedUntil(peers), now());
  };

  return {
    async waitForTurn() {
      if (own.limit === undefined) await probe();
      while (own.limit && !signal.aborted) {
        const release = await lock(folder, options);
        reserveNext(own.limit);
        write();
        release();
        const waitMs = own.next - now();
        if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined);
        if (blockedUntil(others()) <= now()) return;
      }
    },
    isProbing: () => own.limit === undefined,
    onResponse(headers, inFlight) {
      if (own.limit === undefined) {
        own.limit = readRateLimit(headers, requestCost) ?? null;
        write();
      }
      const remaining = Number(headers['ratelimit-remaining'] ?? Number.NaN);
      if (!Number.isNaN(remaining)) estimate.update(remaining, inFlight, now());
    },
    blockFor(ms) {
      own.blockedUntil = Math.max(own.blockedUntil, now() + ms);
      write();
    },
    close() {
      stopTouching();
      if (own.limit === undefined) bestEffort(() => rmSync(file));
    },
  };
}

function readPeers(folder: string, pid: number, now: number): (Peer & { pid: number })[] {
  const names = bestEffort(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => /^\d+$/.test(name) && name !== String(pid))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const peer = bestEffort(() =>
        isFresh(file, now) ? (JSON.parse(readFileSync(file, 'utf8')) as Peer) : undefined,
      );
      return peer && Number.isFinite(peer.next + peer.blockedUntil)
        ? [{ ...peer, pid: Number(name) }]
        : [];
    });
}

const isFresh = (file: string, now: number) =>
  Math.abs(now - statSync(file).mtimeMs) < staleAfterMs;

function removeAbandoned(folder: string, now: number): void {
  for (const name of bestEffort(() => readdirSync(folder)) ?? []) {
    const file = path.join(folder, name);
    if (bestEffort(() => isFresh(file, now)) === false) bestEffort(() => rmSync(file));
  }
}

/** Locks the folder for the time of one reservation. Ignores a lock that is older than a second, because its process was killed. */
async function lock(folder: string, { clock, signal }: PaceOptions): Promise<() => void> {
  const file = path.join(folder, 'lock');
  const release = () => bestEffort(() => rmSync(file, { force: true }));
  for (let waited = 0; waited < 1_000 && !signal.aborted; waited += 2) {
    const descriptor = bestEffort(() => openSync(file, 'wx', 0o600));
    if (descriptor !== undefined) {
      closeSync(descriptor);
      return release;
    }
    await clock.sleep(2, signal).catch(() => undefined);
  }
  return release;
}

/** Sharing is an optimization: without it, the service answers some requests with 429. */
function bestEffort<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    // Another process has removed the file, or the folder cannot be written.
  }
}
