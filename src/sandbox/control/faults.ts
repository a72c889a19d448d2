// Fault injection: the current settings, and which faults apply to each request.
// The same seed and the same order of requests produce the same faults.

import { withoutUndefined } from '../../core/objects.ts';
import { fromServiceId } from '../../service/providers.ts';
import type { StartTimer } from '../engine/scheduler.ts';
import { HttpError } from '../http/http-error.ts';
import { ConnectionCut } from '../http/responses.ts';
import { type DeliveryFaults, pseudoRandom } from '../store/delivery-faults.ts';
import type { FaultSettings, FaultState, RequestFaultSettings } from './fault-settings.ts';

/** The faults of one request. */
export interface RequestFaults {
  latency: number;
  status: number;
  beforeHandler: 'fail' | 'reset' | undefined;
  afterCommit: 'fail' | 'reset' | undefined;
  truncate: boolean;
}

interface FaultPlan {
  settings(): FaultState;
  /** Merges the settings into the current ones and restarts the sequence of faults. */
  set(settings: FaultSettings): void;
  clear(): void;
  /** Restores the faults from the start of the sandbox. */
  reset(): void;
  /** Returns a function that restores the faults as they are now. */
  save(): () => void;
  /** The faults of the next request. */
  next(): RequestFaults;
}

export interface FaultPlans {
  /** The plan of a copy, or the one that all other environments share. */
  of(environmentId: string): FaultPlan;
}

/** `findDeliveries` returns the same object for environments that share their faults. */
export function createFaultPlans(
  findDeliveries: (environmentId: string) => DeliveryFaults,
  initial: readonly FaultSettings[],
): FaultPlans {
  const plans = new WeakMap<DeliveryFaults, FaultPlan>();
  return {
    of(environmentId) {
      const deliveries = findDeliveries(environmentId);
      const plan = plans.get(deliveries) ?? createFaultPlan(deliveries, initial);
      plans.set(deliveries, plan);
      return plan;
    },
  };
}

const defaultStatus = 503;

function createFaultPlan(deliveries: DeliveryFaults, initial: readonly FaultSettings[]): FaultPlan {
  let settings: RequestFaultSettings = {};
  let requests = 0;
  const takeFailure = (): boolean => {
    const { failNext = 0, ...others } = settings;
    if (failNext === 0) return false;
    settings = failNext === 1 ? others : { ...others, failNext: failNext - 1 };
    return true;
  };
  const set = ({ channel, provider, error, ...changes }: FaultSettings) => {
    requests = 0;
    if (channel === undefined && provider === undefined) {
      settings = { ...settings, ...changes };
      deliveries.setWorker(settings);
    } else
      deliveries.set(
        withoutUndefined({
          channel,
          provider: provider && fromServiceId(provider),
          ...changes,
          error,
        }),
      );
  };
  const clear = () => {
    settings = {};
    requests = 0;
    deliveries.clear();
  };
  const reset = () => {
    clear();
    initial.forEach(set);
  };
  reset();
  return {
    settings() {
      const list = deliveries.list() as NonNullable<FaultState['deliveries']>;
      return { ...settings, ...(list.length === 0 ? {} : { deliveries: list }) };
    },
    set,
    clear,
    reset,
    save() {
      const saved = { settings, requests };
      const restoreDeliveries = deliveries.save();
      return () => {
        ({ settings, requests } = saved);
        restoreDeliveries();
      };
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

export const waitLatency = (ms: number, startTimer: StartTimer | undefined): Promise<void> =>
  new Promise((resolve) => void (startTimer ? startTimer(ms, resolve) : resolve()));

export function injectFault(fault: 'fail' | 'reset' | undefined, status: number): void {
  if (fault === 'reset') throw new ConnectionCut();
  if (fault === 'fail') throw new HttpError(status, 'Fault injected by the sandbox');
}
