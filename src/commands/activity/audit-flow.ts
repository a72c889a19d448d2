// `svc activity audit`: reads the listing once, asks about the recipients that a result depends on, reports or fixes.
import { readOptional } from '../../api/read-optional.ts';
import type { Context } from '../../app/context.ts';
import { bulkOptions } from '../../bulk/command/options.ts';
import type { Options } from '../../cli/command.ts';
import { mapConcurrently } from '../../core/async.ts';
import { unitMs } from '../../core/durations.ts';
import { ifExists } from '../../core/errors.ts';
import { counted, grouped } from '../../core/text.ts';
import {
  createAudit,
  createFindings,
  type Finding,
  type FindingGroup,
  type OpenQuestion,
  type UnreadReason,
  unreadReasons,
} from '../../deliveries/audit.ts';
import { createMetrics } from '../../deliveries/audit-metrics.ts';
import type { Person } from '../../deliveries/latest-end.ts';
import { createDigestEvents } from '../../deliveries/read.ts';
import { type FindEvent, recipientOf } from '../../deliveries/verdict.ts';
import { showReading } from '../../output/progress-line.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import { chooseOutputFile, outputError } from '../../platform/files/output-file.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { createServiceTime } from '../shared/server-facts.ts';
import type { AuditOptions } from './audit.ts';
import { activityPages, activityQuery, sinceRetention } from './filters.ts';

/** Recipients whose schedule is read, at most. */
const maxPeople = 500;
const maxConcurrent = 4;

type RunOptions = AuditOptions & { resume?: string };

export async function runAudit(context: Context, options: RunOptions, declared: Options) {
  const { resume, fix, metrics: file } = options;
  if (resume !== undefined) return deleteAddresses(context, options, declared, []);
  const isOwn = (start: string) => start.startsWith('# HELP svc_audit_');
  const output = file === undefined ? undefined : chooseOutputFile(context.host, file, { isOwn });
  const serviceTime = createServiceTime(context);
  const query = await activityQuery(context, options, serviceTime);
  const now = await serviceTime();
  const until = query.before ?? new Date(now).toISOString();
  const time = { after: query.after, until, defaultMs: unitMs.d, serviceTime };
  const audited = await sinceRetention(context, time, async (since) => ({
    since,
    ...(await readAndJudge(context, { ...query, after: since }, options, now)),
  }));
  const { findings, metrics } = audited;
  if (output) {
    try {
      // Programs of other users read the file, and it contains no data of people.
      replaceFile(output.path, metrics.text(findings.groups(), now), { mode: 0o644 });
    } catch (error) {
      throw outputError(output.shownAs, error);
    }
  }
  if (fix === undefined) return auditReport(context, { ...audited, until });
  return deleteAddresses(context, options, declared, findings.list());
}

async function readAndJudge(
  context: Context,
  query: Record<string, unknown>,
  { grace = 10 * unitMs.m, only, fix }: AuditOptions,
  now: number,
) {
  const audit = createAudit({ now, graceMs: grace });
  const findings = createFindings(fix === undefined ? only : [fix]);
  const metrics = createMetrics();
  const unread = new Map<UnreadReason, number>();
  const questions: OpenQuestion[] = [];
  let events = 0;
  const take = ({ findings: found, unread: reason, question }: ReturnType<typeof audit.judge>) => {
    for (const finding of found) {
      findings.add(finding);
      metrics.addFinding(finding);
    }
    if (question && questions.length < maxPeople) questions.push(question);
    else if (question) unread.set('people', (unread.get('people') ?? 0) + 1);
    if (reason) unread.set(reason, (unread.get(reason) ?? 0) + 1);
  };
  const digests = createDigestEvents(context);
  const queue = digests.queue((item: ActivityItem, find?: FindEvent) => {
    metrics.add(item, find);
    take(audit.judge(item, find));
  });
  const progress = showReading(context);
  const allowHeapGrowth = context.host.limitHeapGrowth();
  try {
    for await (const { items } of activityPages(context, query)) {
      for (const item of items) queue.add(item);
      events += items.length;
      progress.add(items.length);
    }
    await queue.finish();
    const answers = mapConcurrently(questions, maxConcurrent, async (question) => {
      const person = await readPerson(context, recipientOf(question.item));
      return person ? audit.answer(question, person) : { findings: [], unread: 'people' as const };
    });
    for await (const answer of answers) take(answer);
  } finally {
    progress.stop();
    allowHeapGrowth();
  }
  return { events, findings, metrics, unread };
}

async function readPerson(context: Context, subscriberId: string): Promise<Person | undefined> {
  const client = await context.client();
  const path = { subscriberId };
  const [subscriber, preferences] = await Promise.all([
    ifExists(client.call('getSubscriber', { path })),
    readOptional(client, 'getSubscriberPreferences', { path, query: { criticality: 'all' } }),
  ]);
  if (!subscriber) return undefined;
  return { timeZone: subscriber.timezone ?? 'UTC', schedule: preferences?.global?.schedule };
}

// The report.

interface Audited {
  since: string;
  until: string;
  events: number;
  findings: ReturnType<typeof createFindings>;
  unread: ReadonlyMap<UnreadReason, number>;
}

function auditReport(context: Context, { since, until, events, findings, unread }: Audited) {
  const [groups, count] = [findings.groups(), findings.count()];
  const list = findings.list();
  const unreadCounts = [...unread].map(([reason, count]) => ({ reason, count }));
  for (const { reason, count } of unreadCounts)
    context.warn(`${counted(count, 'event')} not decided: ${unreadReasons[reason]}.`);
  if (list.length < count)
    context.warn(`${grouped(count - list.length)} more findings are only counted.`);
  const message = `${counted(count, 'finding')} in ${counted(events, 'event')}.`;
  const end = count === 0 ? {} : { end: { ...result.exit('undelivered'), failure: { message } } };
  if (context.settings.output === 'ndjson')
    return result.report({
      value: list,
      lines: [],
      ids: list.map(({ transactionId }) => transactionId),
      ...end,
    });
  const next = [...new Set(groups.flatMap((group) => group.next))];
  return result.one({
    value: { since, until, events, findings: count, groups, unread: unreadCounts },
    fields: [
      { field: 'since', header: 'SINCE', time: true },
      { field: 'events', header: 'EVENTS', value: () => grouped(events) },
      { field: 'findings', header: 'FINDINGS', value: () => grouped(count) },
    ],
    parts: [
      {
        title: 'Findings by kind, workflow and cause',
        rows: groups,
        columns: groupColumns,
        empty: 'Every event is finished or still in time.',
      },
      ...(next.length === 0 ? [] : [{ title: 'Next', commands: next.slice(0, maxCommands) }]),
    ],
    rows: {
      items: list,
      columns: result.fieldColumns(findingFields),
      id: ({ transactionId }: Finding) => transactionId,
    },
    ...end,
  });
}

const maxCommands = 12;

const findingFields: readonly (keyof Finding)[] = [
  ...(['kind', 'transactionId', 'subscriberId', 'workflow', 'channel', 'cause'] as const),
  ...(['at', 'since', 'providerId', 'message'] as const),
];

const groupColumns: readonly Column<FindingGroup>[] = [
  { field: 'kind', header: 'KIND', tone: () => 'bad' },
  { field: 'count', header: 'COUNT', right: true, value: ({ count }) => grouped(count) },
  { field: 'workflow', header: 'WORKFLOW', tone: () => 'strong', shrink: true },
  { field: 'cause', header: 'CAUSE', drop: 3 },
  { field: 'since', header: 'SINCE', time: true, drop: 2 },
  {
    field: 'examples',
    header: 'EXAMPLES',
    value: ({ examples }) => examples.map(({ transactionId }) => transactionId).join(', '),
    drop: 1,
    shrink: 12,
  },
  { field: 'message', header: 'MESSAGE', wrap: true, shrink: 20 },
];

// --fix dead-addresses

/** A bulk run with a row for each recipient and provider. */
async function deleteAddresses(
  context: Context,
  { resume, fix, ...sending }: RunOptions,
  declared: Options,
  findings: readonly Finding[],
) {
  const { createCredentialDeletion } = await import('../../bulk/operations/id-list.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  if (resume === undefined && findings.length === 0)
    return result.report({
      value: { runId: null, rows: 0, deleted: 0 },
      lines: ['No recipient has a dead address.'],
      ids: [],
    });
  const { since: _since, until: _until, workflow: _workflow, grace: _grace, ...others } = sending;
  const { only: _only, metrics: _metrics, ...options } = others;
  const rows = async function* () {
    for (const { subscriberId, providerId } of findings)
      yield `${JSON.stringify({ subscriberId, providerId })}\n`;
  };
  return runBulk(context, {
    command: 'activity audit',
    activeVerb: 'Deleting credentials',
    pastVerb: 'Deleted the credentials of',
    args: {},
    options: { ...options, fix, format: 'ndjson', ...(resume === undefined ? {} : { resume }) },
    declaredOptions: { ...bulkOptions, ...declared },
    file: '-',
    isRepeatable: true,
    ...(resume === undefined ? { makeRows: rows } : {}),
    confirm: () =>
      context.confirm(
        `Delete the credentials of ${counted(findings.length, 'recipient')} with dead addresses`,
        `${providersText(findings)} This cannot be undone.`,
      ),
    openSender: async () => createCredentialDeletion(),
  });
}

/** `fcm: 12, apns: 3.` */
function providersText(findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { providerId } of findings)
    counts.set(providerId ?? '', (counts.get(providerId ?? '') ?? 0) + 1);
  return `${[...counts].map(([provider, count]) => `${provider}: ${count}`).join(', ')}.`;
}
