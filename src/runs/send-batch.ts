// One batch to its end: sent, halved on 413, sent again without the rows that a 422 names.
import type { Exchange } from '../api/client.ts';
import { SvcError } from '../errors.ts';
import type { Row } from './batches.ts';
import type { Outcome, Plan } from './plan.ts';
import type { Tally } from './tally.ts';

export interface Sending {
  plan: Plan;
  post: (rows: readonly Row[]) => Promise<Exchange<unknown>>;
  settle: (row: Row, outcome: Outcome) => Promise<void>;
  tally: Tally;
}

/** Resolves when every row has its outcome; rejects when the run cannot go on. */
export async function sendBatch(rows: readonly Row[], sending: Sending): Promise<void> {
  const { plan, post, settle, tally } = sending;
  let answer: Exchange<unknown>;
  try {
    answer = await post(rows);
  } catch (error) {
    tally.sent(error instanceof SvcError ? (error.facts.attempts ?? 1) : 1);
    return refused(rows, error, sending);
  }
  tally.sent(answer.attempts);
  const outcomes = plan.settle(
    answer.value,
    rows.map(({ id }) => id),
  );
  for (const [index, row] of rows.entries())
    await settle(row, outcomes[index] ?? { state: 'unknown' });
}

async function refused(rows: readonly Row[], error: unknown, sending: Sending): Promise<void> {
  if (!(error instanceof SvcError) || stopsTheRun(error)) throw error;
  const [only] = rows;
  if (rows.length === 1 && only)
    return sending.settle(only, { state: 'failed', why: reasonOf(error, 0, sending.plan.member) });
  if (error.facts.status === 413) {
    const half = Math.ceil(rows.length / 2);
    await sendBatch(rows.slice(0, half), sending);
    return sendBatch(rows.slice(half), sending);
  }
  const named = namedItems(error, sending.plan.member);
  if (named.size === 0) {
    for (const row of rows) await sending.settle(row, { state: 'failed', why: error.message });
    return;
  }
  const rest: Row[] = [];
  for (const [index, row] of rows.entries()) {
    const why = named.get(index);
    if (why === undefined) rest.push(row);
    else await sending.settle(row, { state: 'failed', why });
  }
  if (rest.length > 0) await sendBatch(rest, sending);
}

/** Everything but a complaint about the rows themselves. */
const stopsTheRun = ({ ending, facts }: SvcError) =>
  ending !== 'refused' || facts.status === 402 || facts.status === 409;

/** Which items a validation failure names, as `subscribers.<index>.<field> …`. */
function namedItems(error: SvcError, member: string): Map<number, string> {
  const found = new Map<number, string>();
  const pattern = new RegExp(`^${member}\\.(\\d+)\\.?(.*)$`, 's');
  for (const { field, message } of error.facts.details ?? []) {
    const text = field === '' || field === 'general' ? message : `${field} ${message}`;
    const match = pattern.exec(text);
    if (!match) continue;
    const index = Number(match[1]);
    found.set(index, [found.get(index), match[2]].filter(Boolean).join('; '));
  }
  return found;
}

const reasonOf = (error: SvcError, index: number, member: string) =>
  namedItems(error, member).get(index) ?? error.facts.details?.[0]?.message ?? error.message;
