// A canary: the first rows of a run are sent alone, and the rest only after their deliveries were checked.

/** Deliveries of the canary, by event. */
export interface CanaryResult {
  sent: number;
  delivered: number;
  failed: number;
  skipped: number;
  waiting: number;
  /** delivered / (delivered + failed), from 0 to 1; null if there are neither. */
  rate: number | null;
  /** Why messages of these events were not delivered, most frequent first. */
  reasons: readonly { cause: string; count: number }[];
}

export interface CanaryGate {
  /** Number of rows to send first. */
  size: number;
  /** How many of them earlier processes of the run have sent. */
  sentEarlier: number;
  /** Whether to send the other rows. Called when no request is in flight. */
  check: () => Promise<boolean>;
}

/** The reason of a run that its canary stopped. */
export const canaryReason = 'canary';

/** The gate of a run without a canary. */
const openGate: CanaryGate = {
  size: Number.POSITIVE_INFINITY,
  sentEarlier: 0,
  check: async () => true,
};

/** Counts the rows of the canary. */
export function createCanaryCounter(gate = openGate) {
  let left = gate.size - gate.sentEarlier;
  let hasRows = gate.sentEarlier > 0;
  let isChecked = false;
  return {
    /** Counts a row that is sent. */
    count() {
      left -= 1;
      hasRows = true;
    },
    /** Whether all rows of the canary are sent and not yet checked. */
    isDue: () => !isChecked && left <= 0,
    /** Whether the input ended before the canary was complete. */
    isDueAtEnd: () => !isChecked && hasRows,
    check(): Promise<boolean> {
      isChecked = true;
      return gate.check();
    },
  };
}
