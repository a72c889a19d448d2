// Reads the outcome of each row from the response to a batch of subscribers, whose lists contain ids instead of rows.
import type { JsonObject } from '../../core/objects.ts';
import { listText } from '../../core/text.ts';
import type { Outcome } from '../engine/sender.ts';
import { listAt, nonEmptyText, toMessage } from './responses.ts';

type Items = readonly { id: string }[];
/** An id that is sent twice is first created, then updated, so its rows are matched in that order. */
export function readImportOutcomes(response: unknown, items: Items): Outcome[] {
  const created = listAt(response, 'created');
  const updated = listAt(response, 'updated');
  const failed = listAt(response, 'failed');
  for (const [state, list, others] of [
    ['created', created, updated],
    ['updated', updated, created],
  ] as const) {
    const isOnly = others.length === 0 && failed.length === 0;
    if (isOnly && hasSameIds(list, items)) return Array<Outcome>(items.length).fill({ state });
  }
  const idsByOutcome: IdsByOutcome = {
    created: countIds(created),
    updated: countIds(updated),
    reasons: reasonsById(failed),
  };
  const conflicts = findConflicts(
    idsByOutcome,
    countIds(items.map(({ id }) => ({ subscriberId: id }))),
  );
  return items.map(({ id }): Outcome => {
    const conflict = conflicts.get(id);
    if (conflict) return conflict;
    if (takeOne(idsByOutcome.created, id)) return { state: 'created' };
    if (takeOne(idsByOutcome.updated, id)) return { state: 'updated' };
    const reason = idsByOutcome.reasons.get(id)?.shift();
    return reason === undefined ? { state: 'unknown' } : { state: 'failed', reason };
  });
}

interface IdsByOutcome {
  created: Map<string, number>;
  updated: Map<string, number>;
  reasons: Map<string, string[]>;
}

/** Finds ids that several lists contain, more often in total than rows were sent. Their outcome is ambiguous. */
function findConflicts(
  { created, updated, reasons }: IdsByOutcome,
  sent: ReadonlyMap<string, number>,
): Map<string, Outcome> {
  const conflicts = new Map<string, Outcome>();
  for (const [id, rows] of sent) {
    const [message, ...others] = reasons.get(id) ?? [];
    const lists = [
      { name: 'created', count: created.get(id) ?? 0 },
      { name: 'updated', count: updated.get(id) ?? 0 },
      { name: 'failed', count: message === undefined ? 0 : others.length + 1 },
    ].filter(({ count }) => count > 0);
    const outcomes = lists.reduce((sum, { count }) => sum + count, 0);
    if (lists.length < 2 || outcomes <= rows) continue;
    const names = listText(lists.map(({ name }) => name));
    const suffix = message === undefined ? '' : `: ${message}`;
    conflicts.set(id, { state: 'failed', reason: `the response lists it as ${names}${suffix}` });
  }
  return conflicts;
}

/** Fast path: whether a list contains exactly the ids that were sent, in the same order. */
const hasSameIds = (entries: readonly JsonObject[], items: Items) =>
  entries.length === items.length &&
  items.every(({ id }, index) => entries[index]?.subscriberId === id);

function reasonsById(failed: readonly JsonObject[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { subscriberId, message } of failed) {
    const id = nonEmptyText(subscriberId);
    if (id === undefined) continue;
    const ofId = reasons.get(id) ?? [];
    ofId.push(toMessage(message) ?? 'the service gave no reason');
    reasons.set(id, ofId);
  }
  return reasons;
}

function countIds(entries: readonly JsonObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subscriberId } of entries) {
    const id = nonEmptyText(subscriberId);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function takeOne(counts: Map<string, number>, id: string): boolean {
  const remaining = counts.get(id) ?? 0;
  if (remaining > 0) counts.set(id, remaining - 1);
  return remaining > 0;
}
