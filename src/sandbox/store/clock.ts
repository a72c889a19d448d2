// The sandbox's own time: the machine's with an offset, or stopped at a moment. Kept in the store.
import type { Clock } from '../ids.ts';
import type { Sql } from './sql.ts';

export interface SandboxClock extends Clock {
  isFrozen(): boolean;
  /** Milliseconds ahead of the machine's clock. */
  offset(): number;
  set(time: number): void;
  /** Moves it on, or back, by so many milliseconds. */
  shift(by: number): void;
  /** Stops the clock, or lets it go on from where it stands. */
  freeze(frozen: boolean): void;
  /** Forgets what was set: the machine's time. */
  reset(): void;
  /** While `work` runs, it is that moment. */
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
  let moment: number | undefined;
  const running = () => state.frozen_at ?? machine.now() + state.offset_ms;
  const keep = (offset_ms: number, frozen_at: number | null) => {
    sql.run(
      `INSERT INTO sandbox_clock (one, offset_ms, frozen_at) VALUES (1, ?, ?)
       ON CONFLICT (one) DO UPDATE SET offset_ms = excluded.offset_ms, frozen_at = excluded.frozen_at`,
      offset_ms,
      frozen_at,
    );
    state = { offset_ms, frozen_at };
  };
  return {
    now: () => moment ?? running(),
    isFrozen: () => state.frozen_at !== null,
    offset: () => (state.frozen_at === null ? state.offset_ms : state.frozen_at - machine.now()),
    set: (time) => keep(time - machine.now(), state.frozen_at === null ? null : time),
    shift: (by) =>
      keep(state.offset_ms + by, state.frozen_at === null ? null : state.frozen_at + by),
    freeze(frozen) {
      const now = running();
      keep(now - machine.now(), frozen ? now : null);
    },
    reset: () => keep(0, null),
    withTime(time, work) {
      const before = moment;
      moment = time;
      try {
        return work();
      } finally {
        moment = before;
      }
    },
  };
}
