// Faults of deliveries: messages of a channel or provider that fail as if the provider rejected them, and jobs that get
// lost as if a worker or its queue had failed.

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
  /** Starts to lose jobs at a rate from 0 to 1. */
  loseJobs(rate: number, faultSeed: number): void;
  /** Whether the next job gets lost: it is not created, never runs, or waits forever. */
  losesJob(): boolean;
}

const defaultError = 'Fault injected by the sandbox';

export function createDeliveryFaults(): DeliveryFaults {
  let faults: DeliveryFault[] = [];
  let deliveries = 0;
  let lost = { rate: 0, faultSeed: 0, jobs: 0 };
  const isOn = ({ failNext = 0, fail = 0 }: DeliveryFault) => failNext > 0 || fail > 0;
  const set = (fault: DeliveryFault) => {
    const isSame = ({ channel, provider }: DeliveryFault) =>
      channel === fault.channel && provider === fault.provider;
    const changed = { ...faults.find(isSame), ...fault };
    faults = [...faults.filter((other) => !isSame(other)), changed].filter(isOn);
  };
  const isHit = (fault: DeliveryFault, index: number): boolean => {
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
      lost = { rate: 0, faultSeed: 0, jobs: 0 };
    },
    save() {
      const saved = { faults, deliveries, lost: { ...lost } };
      return () => {
        ({ faults, deliveries } = saved);
        lost = { ...saved.lost };
      };
    },
    next(channel, provider) {
      if (faults.length === 0) return undefined;
      deliveries += 1;
      const hit = faults.find(
        (fault, index) =>
          (fault.channel ?? channel) === channel &&
          (fault.provider ?? provider) === provider &&
          isHit(fault, index),
      );
      return hit && (hit.error ?? defaultError);
    },
    loseJobs(rate, faultSeed) {
      lost = { rate, faultSeed, jobs: 0 };
    },
    losesJob() {
      if (lost.rate === 0) return false;
      lost.jobs += 1;
      return pseudoRandom(`${lost.faultSeed} job ${lost.jobs}`) < lost.rate;
    },
  };
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), always the same for the same text. */
export const pseudoRandom = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
