// What goes wrong on purpose: which faults hold, and which of them a request meets.
// The same seed and the same order of requests give the same faults.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { plans } from './rate-limits.ts';

const share = z.number().min(0, 'less than 0').max(1, 'more than 1');

/** Body of POST `/__sandbox/faults`; what is not named stays as it is. Shares are from 0 to 1. */
export const faultSettings = z.strictObject({
  /** Milliseconds that every request waits. */
  latency: z.number().min(0, 'less than 0').max(600_000, 'more than 10 minutes').optional(),
  /** Requests that are answered `status` and do nothing. */
  fail: share.optional(),
  status: z.number().int().min(400, 'no error status').max(599, 'no error status').optional(),
  /** The plan whose rate limits hold. */
  rateLimit: z.enum(plans).optional(),
  /** Requests whose connection is cut before anything is done. */
  reset: share.optional(),
  /** Answers whose connection is cut in the middle of their body. */
  truncate: share.optional(),
  /** Writes that are done, and then answered `status` or by a cut connection. */
  afterCommit: share.optional(),
  faultSeed: z.number().int().optional(),
});

export type FaultSettings = z.output<typeof faultSettings>;

/** What one request meets. */
export interface Faults {
  latency: number;
  status: number;
  before: 'fail' | 'reset' | undefined;
  afterCommit: 'fail' | 'reset' | undefined;
  truncate: boolean;
}

export interface FaultPlan {
  settings(): FaultSettings;
  /** Adds to what holds, and begins the sequence of faults anew. */
  set(settings: FaultSettings): void;
  clear(): void;
  /** The faults of the next request. */
  next(): Faults;
}

const defaultStatus = 503;

export function createFaultPlan(initial: FaultSettings = {}): FaultPlan {
  let settings = initial;
  let requests = 0;
  return {
    settings: () => settings,
    set(given) {
      settings = { ...settings, ...given };
      requests = 0;
    },
    clear() {
      settings = {};
      requests = 0;
    },
    next() {
      requests += 1;
      const { latency = 0, status = defaultStatus, faultSeed = 0 } = settings;
      const drawn = (name: string) => draw(`${faultSeed} ${requests} ${name}`);
      const meets = (name: 'fail' | 'reset' | 'truncate' | 'afterCommit') =>
        drawn(name) < (settings[name] ?? 0);
      const before = meets('reset') ? 'reset' : meets('fail') ? 'fail' : undefined;
      const way = drawn('way') < 0.5 ? 'fail' : 'reset';
      const afterCommit = meets('afterCommit') ? way : undefined;
      return { latency, status, before, afterCommit, truncate: meets('truncate') };
    },
  };
}

/** A number from 0 up to 1 that looks like chance. */
const draw = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
