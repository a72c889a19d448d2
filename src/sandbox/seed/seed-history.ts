// Runs the past events of the seed through the engine, each at its time, and the jobs that came due since.
import { createHash } from 'node:crypto';
import { acceptEvent } from '../engine/accept-event.ts';
import { cancelTransaction } from '../engine/cancel.ts';
import { runDue } from '../engine/run-due.ts';
import { createIds } from '../ids.ts';
import type { Store } from '../store/open.ts';
import { pastEvents } from './history.ts';
import { developmentId } from './ids.ts';

const minute = 60_000;

/** Replaces random bytes, so that sandboxes seeded at the same time have the same ids. */
const fixedBytes = (size: number) =>
  createHash('sha256').update('history').digest().subarray(0, size);

export function seedHistory({
  sql,
  clock,
  scope: open,
}: Pick<Store, 'sql' | 'clock' | 'scope'>): void {
  const ids = createIds(clock, fixedBytes);
  const scope = (environmentId: string) => ({ ...open(environmentId), ids });
  const onInternalError = (error: unknown) => {
    throw error;
  };
  const now = clock.now();
  const runAt = (time: number, act: () => void) => {
    runDue({ sql, clock, scope, onInternalError }, time);
    clock.withTime(time, act);
  };
  for (const { name, minutesAgo, workflow, cancelledAfter, ...event } of pastEvents) {
    const time = now - minutesAgo * minute;
    const transactionId = `seed-${name}`;
    runAt(time, () =>
      acceptEvent(scope(developmentId), { name: workflow, transactionId, ...event }),
    );
    if (cancelledAfter === undefined) continue;
    runAt(time + cancelledAfter * minute, () =>
      cancelTransaction(scope(developmentId), transactionId),
    );
  }
  runDue({ sql, clock, scope, onInternalError }, now);
}
