// Fault injection: the current settings, and which faults apply to each request.
// The same seed and the same order of requests produce the same faults.
import { createHash } from 'node:crypto';
import type { FaultSettings } from '../control-client/fault-settings.ts';

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
