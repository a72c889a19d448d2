// The time of the service, by the `Date` header of its responses.
import type { WireEvent } from '../api/wire-event.ts';

interface ServiceClock {
  /** Milliseconds since 1970: the `Date` header of the newest response plus the time since then; without one, this machine's time. */
  now(): number;
  /** Reads the header and passes the event on. */
  observe(event: WireEvent): void;
}

/** Added to the header, which has no milliseconds. Without it, an item that is just created would be in the future. */
const middleOfSecond = 499;

export function createServiceClock(
  machineNow: () => number,
  next?: (event: WireEvent) => void,
): ServiceClock {
  let aheadMs = 0;
  return {
    now: () => machineNow() + aheadMs,
    observe(event) {
      const date = event.kind === 'response' ? Date.parse(event.headers.date ?? '') : Number.NaN;
      if (!Number.isNaN(date)) aheadMs = date + middleOfSecond - machineNow();
      next?.(event);
    },
  };
}
