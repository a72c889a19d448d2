// The response to a batch of subscribers → the outcome of each row. Its lists name subscriber ids, not rows.
import type { Outcome } from '../engine/plan.ts';
import { listAt, messageOf, textOf } from './responses.ts';

type Items = readonly { id: string }[];
type Named = Record<string, unknown>;

/** An id that is sent twice is first created and then updated, so its occurrences are matched in that order. */
export function settleImport(answer: unknown, items: Items): Outcome[] {
  const created = listAt(answer, 'created');
  const updated = listAt(answer, 'updated');
  const failed = listAt(answer, 'failed');
  for (const [state, own, others] of [
    ['created', created, updated],
    ['updated', updated, created],
  ] as const) {
    const isOnly = others.length === 0 && failed.length === 0;
    if (isOnly && isSame(own, items)) return Array<Outcome>(items.length).fill({ state });
  }
  const named: NamedIds = {
    created: countIds(created),
    updated: countIds(updated),
    reasons: reasonsOf(failed),
  };
  const conflicts = conflictsIn(named, countIds(items.map(({ id }) => ({ subscriberId: id }))));
  return items.map(({ id }): Outcome => {
    const conflict = conflicts.get(id);
    if (conflict) return conflict;
    if (takeOne(named.created, id)) return { state: 'created' };
    if (takeOne(named.updated, id)) return { state: 'updated' };
    const why = named.reasons.get(id)?.shift();
    return why === undefined ? { state: 'unknown' } : { state: 'failed', why };
  });
}

interface NamedIds {
  created: Map<string, number>;
  updated: Map<string, number>;
  reasons: Map<string, string[]>;
}

/** Ids with more outcomes, in several lists, than rows: none of the rows is clearly done. */
function conflictsIn(
  { created, updated, reasons }: NamedIds,
  sent: ReadonlyMap<string, number>,
): Map<string, Outcome> {
  const conflicts = new Map<string, Outcome>();
  for (const [id, rows] of sent) {
    const [why, ...more] = reasons.get(id) ?? [];
    const lists = [
      { name: 'created', count: created.get(id) ?? 0 },
      { name: 'updated', count: updated.get(id) ?? 0 },
      { name: 'failed', count: why === undefined ? 0 : more.length + 1 },
    ].filter(({ count }) => count > 0);
    const outcomes = lists.reduce((sum, { count }) => sum + count, 0);
    if (lists.length < 2 || outcomes <= rows) continue;
    const names = lists.map(({ name }) => name).join(' and ');
    const reason = why === undefined ? '' : `: ${why}`;
    conflicts.set(id, { state: 'failed', why: `the response lists it as ${names}${reason}` });
  }
  return conflicts;
}

/** Mostly a batch has one outcome, its ids named in the order in which they were sent. */
const isSame = (named: readonly Named[], items: Items) =>
  named.length === items.length &&
  items.every(({ id }, index) => named[index]?.subscriberId === id);

function reasonsOf(failed: readonly Named[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { subscriberId, message } of failed) {
    const id = textOf(subscriberId);
    if (id === undefined) continue;
    const own = reasons.get(id) ?? [];
    own.push(messageOf(message) ?? 'the service gave no reason');
    reasons.set(id, own);
  }
  return reasons;
}

function countIds(named: readonly Named[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subscriberId } of named) {
    const id = textOf(subscriberId);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function takeOne(counts: Map<string, number>, id: string): boolean {
  const left = counts.get(id) ?? 0;
  if (left > 0) counts.set(id, left - 1);
  return left > 0;
}
