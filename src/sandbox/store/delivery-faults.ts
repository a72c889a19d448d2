// Faults of deliveries: messages of a channel or provider that fail as if the provider rejected them, and jobs that get
// lost and events that are processed twice as if a worker or its queue had failed.

import { createHash } from 'node:crypto';

interface DeliveryFault {
  channel?: string | undefined;
  provider?: string | undefined;
  /** The number of deliveries that fail next. */
  failNext?: number | undefined;
  /** The rate of deliveries that fail, from 0 to 1. */
  fail?: number | undefined;
  /** The text of the provider. */
  error?: string | undefined;
  faultSeed?: number | undefined;
}

export interface DeliveryFaults {
  list(): readonly DeliveryFault[];
  /** Replaces the members of the fault for the same channel and provider. */
  set(fault: DeliveryFault): void;
  clear(): void;
  /** Returns a function that restores the faults as they are now. */
  save(): () => void;
  /** The error of the next delivery; undefined if it does not fail. */
  next(channel: string, provider: string): string | undefined;
  setWorker(rates: WorkerFaults): void;
  /** Whether the worker makes this mistake now. */
  isHit(fault: keyof WorkerRates): boolean;
}

/** Rates from 0 to 1. */
interface WorkerRates {
  /** Jobs are not created, never run, or wait forever. */
  loseJobs?: number | undefined;
  /** Events are processed twice. */
  repeatEvents?: number | undefined;
}

interface WorkerFaults extends WorkerRates {
  faultSeed?: number | undefined;
}

const defaultError = 'Fault injected by the sandbox';

export function createDeliveryFaults(): DeliveryFaults {
  let faults: DeliveryFault[] = [];
  let deliveries = 0;
  let worker: WorkerFaults = {};
  let attempts = { loseJobs: 0, repeatEvents: 0 };
  const isOn = ({ failNext = 0, fail = 0 }: DeliveryFault) => failNext > 0 || fail > 0;
  const set = (fault: DeliveryFault) => {
    const isSame = ({ channel, provider }: DeliveryFault) =>
      channel === fault.channel && provider === fault.provider;
    const changed = { ...faults.find(isSame), ...fault };
    faults = [...faults.filter((other) => !isSame(other)), changed].filter(isOn);
  };
  const failsNext = (fault: DeliveryFault, index: number): boolean => {
    const { failNext = 0, fail = 0, faultSeed = 0 } = fault;
    if (failNext === 0) return pseudoRandom(`${faultSeed} ${deliveries} ${index}`) < fail;
    const { failNext: _, ...others } = fault;
    set(failNext === 1 ? { ...others, failNext: 0 } : { ...fault, failNext: failNext - 1 });
    return true;
  };
  return {
    list: () =>
      faults.map((fault) => {
        const { failNext, ...others } = fault;
        return failNext === 0 ? others : fault;
      }),
    set(fault) {
      deliveries = 0;
      set(fault);
    },
    clear() {
      faults = [];
      worker = {};
    },
    save() {
      const saved = { faults, deliveries, worker, attempts: { ...attempts } };
      return () => {
        ({ faults, deliveries, worker } = saved);
        attempts = { ...saved.attempts };
      };
    },
    next(channel, provider) {
      if (faults.length === 0) return undefined;
      deliveries += 1;
      const hit = faults.find(
        (fault, index) =>
          (fault.channel ?? channel) === channel &&
          (fault.provider ?? provider) === provider &&
          failsNext(fault, index),
      );
      return hit && (hit.error ?? defaultError);
    },
    setWorker(rates) {
      worker = rates;
      attempts = { loseJobs: 0, repeatEvents: 0 };
    },
    isHit(fault) {
      const rate = worker[fault] ?? 0;
      if (rate === 0) return false;
      attempts[fault] += 1;
      return pseudoRandom(`${worker.faultSeed ?? 0} ${fault} ${attempts[fault]}`) < rate;
    },
  };
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), always the same for the same text. */
export const pseudoRandom = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
