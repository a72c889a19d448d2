// `svc activity audit`: reads the listing once, asks about the recipients that a result depends on, reports or fixes.
import type { Context } from '../../app/context.ts';
import { bulkOptions } from '../../bulk/command/options.ts';
import type { Options } from '../../cli/command.ts';
import { optionText } from '../../cli/spelling.ts';
import { durationText, unitMs } from '../../core/durations.ts';
import { usageError } from '../../core/errors.ts';
import { counted, grouped } from '../../core/text.ts';
import { type Finding, type FindingGroup, unreadReasons } from '../../deliveries/audit.ts';
import { type AuditPass, createAuditPass, type SavedPass } from '../../deliveries/audit-pass.ts';
import { showReading } from '../../output/progress-line.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import { chooseOutputFile, outputError } from '../../platform/files/output-file.ts';
import { exportToFile, pageFormatter } from '../shared/resumable-export.ts';
import { createServiceTime } from '../shared/server-facts.ts';
import type { AuditOptions } from './audit.ts';
import { activityPages, activityQuery, sinceRetention } from './filters.ts';
import { advance, itemsAfter, type Position, startPosition, upperBound } from './follow.ts';

type RunOptions = AuditOptions & { resume?: boolean | string };

export async function runAudit(
  context: Context,
  file: string | undefined,
  options: RunOptions,
  declared: Options,
) {
  const { resume, fix, metrics } = options;
  if (typeof resume === 'string')
    return deleteAddresses(context, { ...options, resume }, declared, []);
  if (file !== undefined && fix !== undefined)
    throw usageError('--fix deletes the credentials itself: it cannot be combined with a file.');
  if (file === undefined && resume)
    throw usageError('--resume needs the file of the findings: without it, nothing is stored.');
  const isOwn = (start: string) => start.startsWith('# HELP svc_audit_');
  const output =
    metrics === undefined ? undefined : chooseOutputFile(context.host, metrics, { isOwn });
  const audited =
    file === undefined
      ? await auditNow(context, options)
      : await auditToFile(context, file, options);
  const { pass, now, findings } = audited;
  if (output) {
    try {
      // Programs of other users read the file, and it contains no data of people.
      replaceFile(output.path, pass.metrics(now), { mode: 0o644 });
    } catch (error) {
      throw outputError(output.shownAs, error);
    }
  }
  warnOfRest(context, audited, options, file);
  if (fix === undefined) return auditReport(context, audited, file);
  return deleteAddresses(context, { ...options, resume: undefined }, declared, findings);
}

type Query = Awaited<ReturnType<typeof activityQuery>>;

interface Window {
  query: Query;
  /** Milliseconds since 1970. */
  now: number;
  since: string;
  until: string;
}

interface Audited extends Window {
  pass: AuditPass;
  /** The first ones, in the order of the listing; none if they are in a file. */
  findings: readonly Finding[];
}

async function readSince<T>(
  context: Context,
  options: AuditOptions,
  read: (window: Window) => Promise<T>,
): Promise<T> {
  const serviceTime = createServiceTime(context);
  const query = await activityQuery(context, options, serviceTime);
  const now = await serviceTime();
  const until = query.before ?? new Date(now).toISOString();
  const time = { after: query.after, until, defaultMs: unitMs.d, serviceTime };
  return sinceRetention(context, time, (since) =>
    read({ query: { ...query, after: since }, now, since, until }),
  );
}

/** The options that select the same events. */
const selectionText = ({ since, until, workflow, grace }: AuditOptions) =>
  optionText({ since, until, workflow, grace: grace && durationText(grace) });

/** Findings beyond this number are only counted. */
const maxFindings = 100_000;

const auditNow = (context: Context, options: AuditOptions): Promise<Audited> =>
  readSince(context, options, async (window) => {
    const { grace, only, fix } = options;
    const pass = createAuditPass(context, {
      now: window.now,
      grace,
      only: fix === undefined ? only : [fix],
      selection: selectionText(options),
    });
    const findings: Finding[] = [];
    const keep = (found: readonly Finding[]) =>
      findings.push(...found.slice(0, maxFindings - findings.length));
    const progress = showReading(context);
    const allowHeapGrowth = context.host.limitHeapGrowth();
    try {
      for await (const { items } of activityPages(context, window.query)) {
        keep(await pass.add(items));
        progress.add(items.length);
      }
      keep(await pass.finish());
    } finally {
      progress.stop();
      allowHeapGrowth();
    }
    return { ...window, pass, findings };
  });

// An audit that writes its findings to a file and continues after an interruption, as exports do.

interface FilePosition extends Position {
  saved?: SavedPass;
}

type StoredQuery = Window & Pick<AuditOptions, 'grace' | 'only'> & { selection: string };

/** Events between two writes of the position, which contains what the audit remembers. */
const savedEvents = 5_000;

async function auditToFile(context: Context, file: string, options: RunOptions): Promise<Audited> {
  const { resume, since, until, workflow, grace, only } = options;
  const columns = result.fieldColumns(findingFields);
  let audited: Audited | undefined;
  await exportToFile<FilePosition>(context, {
    command: 'activity audit',
    file,
    options: { since, until, workflow, grace: grace && durationText(grace), only },
    resume: resume === true,
    force: false,
    start: startPosition,
    fields: findingFields,
    members: findingFields,
    async open(format, stored) {
      const query = (stored?.query as StoredQuery | undefined) ?? {
        ...(await readSince<Window>(context, options, async (window) => {
          // One event is enough to find out whether the service keeps those of this time.
          await context.call('listActivity', { query: { ...window.query, limit: 1 } });
          return window;
        })),
        grace,
        only,
        selection: selectionText(options),
      };
      const { saved } = (stored?.position ?? {}) as Partial<FilePosition>;
      const pass = createAuditPass(context, query, saved);
      audited = { ...query, pass, findings: [] };
      const text = await pageFormatter(context, format, columns);
      return {
        query: { ...query },
        headers: [text.header],
        async *chunks(start) {
          let position: FilePosition = start;
          let found: Finding[] = [];
          const chunk = async () => {
            const texts = [await text.page(found)];
            found = [];
            return { texts, position: { ...position, saved: pass.save() } };
          };
          let savedAt = position.items;
          const pages = activityPages(context, { ...query.query, ...upperBound(start) });
          for await (const page of pages) {
            const items = itemsAfter(start, page.items);
            found.push(...(await pass.add(items)));
            position = items.length === 0 ? position : advance(position, items);
            if (position.items - savedAt < savedEvents) continue;
            savedAt = position.items;
            yield await chunk();
          }
          found.push(...(await pass.finish()));
          yield await chunk();
        },
      };
    },
  });
  if (!audited) throw new Error('the audit has not read the events');
  return audited;
}

// The report.

function warnOfRest(
  context: Context,
  { pass, findings }: Audited,
  { fix }: RunOptions,
  file: string | undefined,
): void {
  for (const [reason, count] of pass.unread())
    context.warn(`${counted(count, 'event')} not decided: ${unreadReasons[reason]}.`);
  const rest = file === undefined ? pass.count() - findings.length : 0;
  if (rest > 0)
    context.warn(
      `${grouped(rest)} more findings are only counted. ${fix === undefined ? 'Name a file for all.' : 'Run the command again to fix them.'}`,
    );
}

function auditReport(
  context: Context,
  { since, until, pass, findings }: Audited,
  file: string | undefined,
) {
  const groups = pass
    .groups()
    .map((group) => ({ ...group, next: group.next.map((line) => context.propose(line)) }));
  const [count, events] = [pass.count(), pass.events()];
  const unread = [...pass.unread()].map(([reason, events]) => ({ reason, count: events }));
  const undecided = unread.reduce((sum, { count: events }) => sum + events, 0);
  const message = `${counted(count, 'finding')} in ${counted(events, 'event')}.`;
  const end = count === 0 ? {} : { end: { ...result.exit('undelivered'), failure: { message } } };
  if (file === undefined && context.settings.output === 'ndjson')
    return result.report({
      value: findings,
      lines: [],
      ids: findings.map(({ transactionId }) => transactionId),
      ...end,
    });
  const rows = {
    items: findings,
    columns: result.fieldColumns(findingFields),
    id: ({ transactionId }: Finding) => transactionId,
  };
  const next = [...new Set(groups.flatMap((group) => group.next))];
  return result.one({
    value: { since, until, events, findings: count, groups, unread },
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
        empty:
          undecided === 0
            ? 'Every event is finished or still in time.'
            : `${counted(undecided, 'event')} not decided. Every other event is finished or still in time.`,
      },
      ...(next.length === 0 ? [] : [{ title: 'Next', commands: next.slice(0, maxCommands) }]),
    ],
    ...(file === undefined ? { rows } : {}),
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
  { field: 'channel', header: 'CHANNEL', drop: 4 },
  { field: 'providerId', header: 'PROVIDER', drop: 5 },
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
  { resume, fix, ...sending }: AuditOptions & { resume: string | undefined },
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
