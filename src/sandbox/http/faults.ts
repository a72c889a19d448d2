// Fault injection: the current settings, and which faults apply to each request.
// The same seed and the same order of requests produce the same faults.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { plans } from '../values/plans.ts';

const rate = z.number().min(0, 'must be at least 0').max(1, 'must be at most 1');
const errorStatus = 'must be an error status from 400 to 599';

/** Body of POST `/__sandbox/faults`. Omitted fields keep their values. */
export const faultSettings = z
  .strictObject({
    latency: z
      .number()
      .min(0, 'must be at least 0')
      .max(600_000, 'must be at most 600000 (10 minutes)')
      .optional()
      .describe('Delay of every request in milliseconds'),
    failNext: z
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .optional()
      .describe(
        'The number of requests that fail next with `status` and change nothing; each one lowers it',
      ),
    fail: rate.optional().describe('Rate of requests that fail with `status` and change nothing'),
    status: z
      .number()
      .int()
      .min(400, errorStatus)
      .max(599, errorStatus)
      .optional()
      .describe('The status of failed requests; default: 503'),
    rateLimit: z
      .enum(plans)
      .optional()
      .describe('The plan whose rate limits and activity retention apply'),
    reset: rate
      .optional()
      .describe('Rate of requests whose connection is closed before they are processed'),
    truncate: rate
      .optional()
      .describe('Rate of responses whose connection is closed in the middle of the body'),
    afterCommit: rate
      .optional()
      .describe('Rate of writes that are made, but respond with `status` or a closed connection'),
    faultSeed: z
      .number()
      .int()
      .optional()
      .describe('The same seed and the same requests produce the same faults; default: 0'),
  })
  .describe('Rates are from 0 to 1. Omitted members keep their values');

export type FaultSettings = z.output<typeof faultSettings>;

/** The faults of one request. */
export interface RequestFaults {
  latency: number;
  status: number;
  beforeHandler: 'fail' | 'reset' | undefined;
  afterCommit: 'fail' | 'reset' | undefined;
  truncate: boolean;
}

export interface FaultPlan {
  settings(): FaultSettings;
  /** Merges the settings into the current ones and restarts the sequence of faults. */
  set(settings: FaultSettings): void;
  clear(): void;
  /** Restores the faults from the start of the sandbox. */
  reset(): void;
  /** The faults of the next request. */
  next(): RequestFaults;
}

const defaultStatus = 503;

export function createFaultPlan(initial: FaultSettings = {}): FaultPlan {
  let settings = initial;
  let requests = 0;
  const takeFailure = (): boolean => {
    const { failNext = 0, ...others } = settings;
    if (failNext === 0) return false;
    settings = failNext === 1 ? others : { ...others, failNext: failNext - 1 };
    return true;
  };
  return {
    settings: () => settings,
    set(changes) {
      settings = { ...settings, ...changes };
      requests = 0;
    },
    clear() {
      settings = {};
      requests = 0;
    },
    reset() {
      settings = initial;
      requests = 0;
    },
    next() {
      requests += 1;
      const mustFail = takeFailure();
      const { latency = 0, status = defaultStatus, faultSeed = 0 } = settings;
      const random = (name: string) => pseudoRandom(`${faultSeed} ${requests} ${name}`);
      const isHit = (name: 'fail' | 'reset' | 'truncate' | 'afterCommit') =>
        random(name) < (settings[name] ?? 0);
      const randomFault = () =>
        isHit('reset') ? ('reset' as const) : isHit('fail') ? ('fail' as const) : undefined;
      const beforeHandler = mustFail ? 'fail' : randomFault();
      const afterCommitFault = random('way') < 0.5 ? 'fail' : 'reset';
      const afterCommit = isHit('afterCommit') ? afterCommitFault : undefined;
      return { latency, status, beforeHandler, afterCommit, truncate: isHit('truncate') };
    },
  };
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), always the same for the same text. */
const pseudoRandom = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
