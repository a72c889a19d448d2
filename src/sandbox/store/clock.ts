// The clock of the sandbox: offset from the machine's clock, or frozen at one time. Persisted in the store.

import { maxTime, minTime } from '../../service/time.ts';
import type { Clock } from './ids.ts';
import type { Sql } from './sql.ts';

export interface SandboxClock extends Clock {
  /** The time of the machine, in milliseconds. */
  machineNow(): number;
  isFrozen(): boolean;
  /** Milliseconds ahead of the machine's clock. */
  offset(): number;
  set(time: number): void;
  /** Moves the clock by `ms` milliseconds; back if negative. */
  shift(ms: number): void;
  /** Freezes the clock at its current time, or lets it continue from there. */
  freeze(frozen: boolean): void;
  /** Returns to the machine's time. */
  reset(): void;
  /** Runs `work` with the clock fixed at `time`. */
  withTime<T>(time: number, work: () => T): T;
}

interface State {
  offset_ms: number;
  frozen_at: number | null;
}

export function createClock(sql: Sql, machine: Clock): SandboxClock {
  let state = sql.get<State>('SELECT offset_ms, frozen_at FROM sandbox_clock') ?? {
    offset_ms: 0,
    frozen_at: null,
  };
  let fixedTime: number | undefined;
  const timeAt = (machineTime: number) =>
    boundTime(state.frozen_at ?? machineTime + state.offset_ms);
  const currentTime = () => timeAt(machine.now());
  const currentOffset = () => {
    const machineTime = machine.now();
    return timeAt(machineTime) - machineTime;
  };
  const save = (offset_ms: number, frozen_at: number | null) => {
    sql.run(
      `INSERT INTO sandbox_clock (one, offset_ms, frozen_at) VALUES (1, ?, ?)
       ON CONFLICT (one) DO UPDATE SET offset_ms = excluded.offset_ms, frozen_at = excluded.frozen_at`,
      offset_ms,
      frozen_at,
    );
    state = { offset_ms, frozen_at };
  };
  return {
    now: () => fixedTime ?? currentTime(),
    machineNow: machine.now,
    isFrozen: () => state.frozen_at !== null,
    offset: currentOffset,
    set: (time) => save(time - machine.now(), state.frozen_at === null ? null : time),
    shift: (ms) => save(currentOffset() + ms, state.frozen_at === null ? null : currentTime() + ms),
    freeze(frozen) {
      const now = currentTime();
      save(now - machine.now(), frozen ? now : null);
    },
    reset: () => save(0, null),
    withTime(time, work) {
      const outerTime = fixedTime;
      fixedTime = time;
      try {
        return work();
      } finally {
        fixedTime = outerTime;
      }
    },
  };
}

// The times that the sandbox supports, in milliseconds.

/** Returns the supported time that is closest. */
export const boundTime = (time: number): number => Math.min(Math.max(time, minTime), maxTime);

export const toIso = (time: number): string => new Date(boundTime(time)).toISOString();

export const timeRangeText = `from ${toIso(minTime)} to ${toIso(maxTime)}`;
