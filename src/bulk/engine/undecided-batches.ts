// Batches whose outcome their response leaves open. They stay unsettled, and so are sent again by a resumed run, until
// the plan has followed them up.
import type { Batch } from './batches.ts';
import type { Decided, FollowFacts, OpenRow, Outcome, Plan } from './plan.ts';

/** Most batches that are held in memory at a time. */
const mostHeld = 10_000;

export function createHeld(
  { follow }: Plan,
  settle: (batch: Batch, outcome: Outcome) => Promise<void>,
) {
  let held: { batch: Batch; row: OpenRow }[] = [];
  let through = 0;
  return {
    /** True when the batch is held; it is settled by `followUp`. */
    takes(batch: Batch, [outcome, ...others]: readonly Outcome[]): boolean {
      through = Math.max(through, batch.last);
      const [row] = batch.rows;
      if (!follow || !row || !outcome || others.length > 0) return false;
      if (!('open' in outcome)) return false;
      held.push({ batch, row: { id: row.id, number: row.number, outcome } });
      return true;
    },
    isFull: () => held.length >= mostHeld,
    /** Settles what is held; call it when nothing is in flight. Ends early when `isOver` says so. */
    async followUp(sent: FollowFacts['sent'], isOver: () => boolean): Promise<void> {
      if (!follow || held.length === 0) return;
      const batches = new Map(held.map(({ batch, row }) => [row, batch]));
      held = [];
      const rows = [...batches.keys()];
      for await (const { row, outcome } of follow(rows, {
        through,
        sent,
      }) as AsyncIterable<Decided>) {
        const batch = batches.get(row);
        if (batch) await settle(batch, outcome);
        if (isOver()) return;
      }
    },
  };
}
