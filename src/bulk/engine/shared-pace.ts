// Shares the rate limit of the service between the processes of this machine. Each run has a file, named by its
// process id, with the time when the units of its latest request are available again. A process that wants to send takes
// its turn when this time has passed for all processes, and looks again when it had to wait: nothing is reserved ahead.
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import { waitForLock } from '../../platform/files/lock.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import type { Processes } from '../../platform/process-identity.ts';
import { createUnitEstimate, type RateLimit, readRateLimit, refillTime } from './rate-limit.ts';

interface PaceClock {
  now(): number;
  ticks(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  every(ms: number, tick: () => void): () => void;
}

export interface PaceOptions {
  /** Shared by the processes that use the same service and environment. */
  folder: string;
  processes: Processes;
  /** Rate limit category of the requests, and the units of one request. */
  category: string;
  requestCost: number;
  clock: PaceClock;
  signal: AbortSignal;
}

/** The content of a file. `limit` is absent until the first response, and null without a rate limit. */
interface Peer {
  category: string;
  /**
   * Milliseconds since 1970 at which the service has added the units of the latest request; 0 before the first one.
   * Processes whose clocks differ ignore each other.
   */
  next: number;
  /** The service accepts no request before this time, in milliseconds since 1970. */
  blockedUntil: number;
  /** Since when the process waits for its turn; absent if it does not. */
  waitingSince?: number;
  limit?: RateLimit | null | undefined;
}

/** The requests of this process. */
export interface OwnRequests {
  /** Requests that were sent and have no response yet. */
  inFlight: number;
  /** Milliseconds for which the service has asked this process to wait. */
  blockedMs: number;
}

const touchEveryMs = 1_000;
/** Files without changes for longer belong to processes that have ended. */
const staleAfterMs = 5_000;
const pollMs = 50;
/** How long a process waits for the first response of another one. */
const maxProbeWaitMs = 10_000;

export interface SharedPace {
  /** Waits until this process may send a request. `own` is called whenever it may be its turn. */
  waitForTurn(own: () => OwnRequests): Promise<void>;
  /** Whether no response has shown the rate limit yet. Only one request is sent until then. */
  isProbing(): boolean;
  onResponse(headers: Record<string, string>, resetMs: number | undefined): void;
  /** The service accepts no request for this time. Other processes wait, too. */
  blockFor(ms: number): void;
  /** Like `blockFor`, for a request that is sent again after this time, without waiting for a turn. */
  retryAfter(ms: number): void;
  /** Leaves the file, whose times still count for a few seconds, unless there was no response. A later process removes it. */
  close(): void;
}

export function openSharedPace(options: PaceOptions): SharedPace {
  const { folder, processes, category, requestCost, clock, signal } = options;
  const startedAt = clock.now() - clock.ticks();
  /** Milliseconds since 1970, also correct for intervals when the system clock is set back. */
  const now = () => startedAt + clock.ticks();
  const own: Peer = { category, next: 0, blockedUntil: 0 };
  const id = freeId(folder, processes.pid, now());
  const file = path.join(folder, String(id));
  const estimate = createUnitEstimate(requestCost);
  const write = () =>
    bestEffort(() => {
      // Atomic: a process that finds a part of the file would take its turn at once.
      replaceFile(file, JSON.stringify(own), { suffix: '.new', durable: false });
      touch();
    });
  const touch = () => utimesSync(file, now() / 1_000, now() / 1_000);
  bestEffort(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  removeAbandoned(folder, now());
  write();
  const stopTouching = clock.every(touchEveryMs, () => bestEffort(touch));

  const others = () => readPeers(folder, id, now()).filter((peer) => peer.category === category);

  const block = (ms: number) => {
    own.blockedUntil = Math.max(own.blockedUntil, now() + ms);
  };

  /** The latest times of other processes, also after these have ended. */
  const ofOthers = { next: 0, blockedUntil: 0 };

  /** One process sends the first request. The others wait for its response, which shows the rate limit. */
  const probeWaitMs = (peers: Peer[], waitedMs: number) => {
    const isProbedByOther = peers.some(({ limit, next }) => limit === undefined && next > 0);
    return isProbedByOther && waitedMs < maxProbeWaitMs ? pollMs : 0;
  };

  /** The time until the service has units for another request, and all processes that wait longer have had theirs. */
  const limitedWaitMs = (limit: RateLimit, peers: PeerFile[], inFlight: number) => {
    const isAlone = peers.length === 0;
    const waitMs = isAlone ? estimate.waitMs(limit, inFlight, now()) : own.next - now();
    return Math.max(waitMs, ofOthers.next - now());
  };

  const countAhead = (peers: PeerFile[], since: number) =>
    peers.filter(
      ({ waitingSince, id: other }) =>
        waitingSince !== undefined &&
        (waitingSince < since || (waitingSince === since && other < id)),
    ).length;

  const stopWaiting = () => {
    delete own.waitingSince;
    write();
  };

  /** Takes the turn if it is the time. If not, returns how long to wait before the next attempt. */
  const tryTurn = (since: number, { inFlight, blockedMs }: OwnRequests): number => {
    const peers = others();
    ofOthers.next = Math.max(ofOthers.next, ...peers.map(({ next }) => next));
    ofOthers.blockedUntil = Math.max(
      ofOthers.blockedUntil,
      ...peers.map((peer) => peer.blockedUntil),
    );
    own.limit ??= peers.find(({ limit }) => limit !== undefined)?.limit;
    const { limit } = own;
    if (limit === null) {
      write();
      return 0;
    }
    const waitMs = Math.max(
      limit ? limitedWaitMs(limit, peers, inFlight) : probeWaitMs(peers, now() - since),
      Math.max(own.blockedUntil, ofOthers.blockedUntil) - now(),
      blockedMs,
    );
    if (waitMs > 0) {
      own.waitingSince = since;
      write();
      return waitMs + (limit ? countAhead(peers, since) * refillTime(limit, requestCost) : 0);
    }
    own.next = now() + (limit ? refillTime(limit, requestCost) : 0);
    stopWaiting();
    return 0;
  };

  return {
    async waitForTurn(requests) {
      const since = now();
      while (own.limit !== null && !signal.aborted) {
        const release = await lock(options);
        const waitMs = tryTurn(since, requests());
        release();
        if (waitMs <= 0) return;
        await clock.sleep(waitMs, signal).catch(() => undefined);
      }
    },
    isProbing: () => own.limit === undefined,
    onResponse(headers, resetMs) {
      if (own.limit === undefined) {
        own.limit = readRateLimit(headers) ?? null;
        if (own.limit) own.next += refillTime(own.limit, requestCost);
        write();
      }
      const remaining = Number(headers['ratelimit-remaining'] ?? Number.NaN);
      if (own.limit && !Number.isNaN(remaining))
        estimate.update(own.limit, remaining, resetMs ?? own.limit.windowMs, now());
    },
    blockFor(ms) {
      block(ms);
      write();
    },
    retryAfter(ms) {
      block(ms);
      if (own.limit)
        own.next = Math.max(own.next, own.blockedUntil + refillTime(own.limit, requestCost));
      write();
    },
    close() {
      stopTouching();
      if (own.limit === undefined) bestEffort(() => rmSync(file));
      else if (own.waitingSince !== undefined) stopWaiting();
    },
  };
}

interface PeerFile extends Peer {
  id: number;
}

/** The process id. With three more digits, if another run of this process has that file, as in `svc mcp`. */
function freeId(folder: string, pid: number, now: number): number {
  let id = pid;
  const isTaken = () => bestEffort(() => isFresh(path.join(folder, String(id)), now)) === true;
  for (let run = 1; isTaken(); run += 1) id = pid * 1_000 + run;
  return id;
}

function readPeers(folder: string, own: number, now: number): PeerFile[] {
  const names = bestEffort(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => /^\d+$/.test(name) && name !== String(own))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const peer = bestEffort(() =>
        isFresh(file, now) ? (JSON.parse(readRegularFile(file)) as Peer) : undefined,
      );
      return peer && Number.isFinite(peer.next + peer.blockedUntil)
        ? [{ ...peer, id: Number(name) }]
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

/** Locks the folder while a process takes its turn. It takes its turn even if it cannot get the lock. */
async function lock({ folder, processes, clock, signal }: PaceOptions): Promise<() => void> {
  const file = path.join(folder, 'lock');
  const waiting = { clock, signal, pollMs: 2, patienceMs: 1_000 };
  const taken = await waitForLock(file, processes, waiting).catch(() => undefined);
  return () => bestEffort(() => taken?.release?.());
}

/** Sharing is an optimization: without it, the service answers some requests with 429. */
function bestEffort<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    // Another process has removed the file, or the folder cannot be written.
  }
}
