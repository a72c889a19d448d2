// Lets the past events of the seed happen, each at its time, and what came due since.
import { createHash } from 'node:crypto';
import { acceptEvent } from '../engine/accept-event.ts';
import { cancelTransaction } from '../engine/cancel.ts';
import { runDue } from '../engine/run-due.ts';
import { createIds } from '../ids.ts';
import type { Store } from '../store/open.ts';
import { pastEvents } from './history.ts';
import { developmentId } from './ids.ts';

const minute = 60_000;

/** The same ids in every sandbox that is planted at the same time. */
const fixedBytes = (size: number) =>
  createHash('sha256').update('history').digest().subarray(0, size);

export function seedHistory({
  sql,
  clock,
  scope: open,
}: Pick<Store, 'sql' | 'clock' | 'scope'>): void {
  const ids = createIds(clock, fixedBytes);
  const scope = (environmentId: string) => ({ ...open(environmentId), ids });
  const onDefect = (error: unknown) => {
    throw error;
  };
  const now = clock.now();
  const happen = (time: number, act: () => void) => {
    runDue({ sql, clock, scope, onDefect }, time);
    clock.withTime(time, act);
  };
  for (const { name, minutesAgo, workflow, cancelledAfter, ...event } of pastEvents) {
    const time = now - minutesAgo * minute;
    const transactionId = `seed-${name}`;
    happen(time, () =>
      acceptEvent(scope(developmentId), { name: workflow, transactionId, ...event }),
    );
    if (cancelledAfter === undefined) continue;
    happen(time + cancelledAfter * minute, () =>
      cancelTransaction(scope(developmentId), transactionId),
    );
  }
  runDue({ sql, clock, scope, onDefect }, now);
}
