// One pass of an audit over the listing of events: what it has found and counted so far, and asking about the recipients
// that a result depends on. Everything that it remembers can be saved, so that an interrupted audit continues.
import type { Context } from '../app/context.ts';
import { mapConcurrently } from '../core/async.ts';
import { unitMs } from '../core/durations.ts';
import { ifPresent } from '../core/errors.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import {
  type Audit,
  type AuditMemory,
  createAudit,
  createGroups,
  type Finding,
  type GroupEntries,
  type OpenQuestion,
  type UnreadReason,
} from './audit.ts';
import { type FindingKind, findingKinds } from './audit-kinds.ts';
import { createMetrics, type SavedMetrics } from './audit-metrics.ts';
import type { Person } from './latest-end.ts';
import { createDigestEvents } from './read.ts';
import { type FindEvent, recipientOf } from './verdict.ts';

/** Recipients whose schedule is read, at most. */
const maxPeople = 500;
const maxConcurrent = 4;

interface PassOptions {
  /** Milliseconds since 1970. */
  now: number;
  grace?: number | undefined;
  only?: readonly FindingKind[] | undefined;
  /** Options that select the same events, for the commands that the groups propose. */
  selection: string;
}

export interface SavedPass {
  events: number;
  count: number;
  memory: AuditMemory;
  groups: GroupEntries;
  metrics: SavedMetrics;
  unread: readonly (readonly [UnreadReason, number])[];
  questions: readonly OpenQuestion[];
  waiting: readonly ActivityItem[];
}

export type AuditPass = ReturnType<typeof createAuditPass>;

export function createAuditPass(
  context: Context,
  { now, grace = 10 * unitMs.m, only = findingKinds, selection }: PassOptions,
  saved?: SavedPass,
) {
  const audit = createAudit({ now, graceMs: grace }, saved?.memory);
  const groups = createGroups(saved?.groups, selection);
  const metrics = createMetrics(saved?.metrics);
  const unread = new Map(saved?.unread);
  let questions = [...(saved?.questions ?? [])];
  let events = saved?.events ?? 0;
  let count = saved?.count ?? 0;
  let found: Finding[] = [];

  const take = ({ findings, unread: reason, question }: ReturnType<Audit['judge']>) => {
    for (const finding of findings) {
      metrics.addFinding(finding);
      if (!only.includes(finding.kind)) continue;
      count += 1;
      groups.add(finding);
      found.push(finding);
    }
    if (question && questions.length < maxPeople) questions.push(question);
    else if (question) unread.set('people', (unread.get('people') ?? 0) + 1);
    if (reason) unread.set(reason, (unread.get(reason) ?? 0) + 1);
  };
  const queue = createDigestEvents(context).queue((item: ActivityItem, find?: FindEvent) => {
    metrics.add(item, find);
    take(audit.judge(item, find));
  });
  for (const item of saved?.waiting ?? []) queue.add(item);

  const takeFound = () => {
    const findings = found;
    found = [];
    return findings;
  };
  return {
    /** Returns the findings of these events and of those that waited for them. */
    async add(items: readonly ActivityItem[]): Promise<readonly Finding[]> {
      for (const item of items) {
        take({ findings: audit.compare(item) });
        queue.add(item);
      }
      await queue.settle();
      events += items.length;
      return takeFound();
    },
    /** Reads the digests and recipients that are still needed, and returns the last findings. */
    async finish(): Promise<readonly Finding[]> {
      await queue.finish();
      const answers = mapConcurrently(questions, maxConcurrent, async (question) => {
        const person = await readPerson(context, recipientOf(question.item));
        return person
          ? audit.answer(question, person)
          : { findings: [], unread: 'people' as const };
      });
      for await (const answer of answers) take(answer);
      questions = [];
      return takeFound();
    },
    save: (): SavedPass => ({
      events,
      count,
      questions,
      memory: audit.memory(),
      groups: groups.entries(),
      metrics: metrics.save(),
      unread: [...unread],
      waiting: queue.waiting(),
    }),
    events: () => events,
    count: () => count,
    groups: groups.list,
    unread: (): ReadonlyMap<UnreadReason, number> => unread,
    metrics: (time: number) => metrics.text(groups.list(), time),
  };
}

/** Undefined if the recipient was deleted: without the schedule, nothing can be said about a late step. */
async function readPerson(context: Context, subscriberId: string): Promise<Person | undefined> {
  const client = await context.client();
  const path = { subscriberId };
  const [subscriber, preferences] = await Promise.all([
    ifPresent(client.call('getSubscriber', { path })),
    ifPresent(client.call('getSubscriberPreferences', { path, query: { criticality: 'all' } })),
  ]);
  if (!subscriber || !preferences) return undefined;
  return { timeZone: subscriber.timezone ?? 'UTC', schedule: preferences.global?.schedule };
}
