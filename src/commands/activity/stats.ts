import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { choice, text } from '../../cli/options.ts';
import { unitMs } from '../../core/durations.ts';
import { grouped } from '../../core/text.ts';
import {
  barColumn,
  chooseGlyphs,
  countColumns,
  deliveryRate,
  legend,
  messageCount,
  rateColumn,
  rateTone,
} from '../../deliveries/outcome-tokens.ts';
import { createDigestEvents } from '../../deliveries/read.ts';
import {
  openRunDeliveries,
  profileOfRun,
  readRunDeliveries,
} from '../../deliveries/run-deliveries.ts';
import {
  createStats,
  type Group,
  type Grouping,
  groupings,
  type Stats,
} from '../../deliveries/stats.ts';
import { causeSentence, findDigestId, stepVerdicts } from '../../deliveries/verdict.ts';
import { bar, percent, sparkline } from '../../output/bars.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { stepOutcomes } from '../../service/job-outcomes.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { createServiceTime } from '../shared/server-facts.ts';
import { activityFilters, activityPages, activityQuery, sinceRetention } from './filters.ts';

const defaultDays = 7;

export const stats = command({
  summary: 'Count delivered, failed, skipped and waiting messages, with the reasons',
  details: `Reads all events that match, by default the events of the last 7 days, in constant memory. If the plan of the organization keeps activity for less time, the default is that time.

An event has one recipient per subscriber, and each recipient has one message per channel step: delivered, failed, skipped (not sent, for example because of a preference) or waiting. The rate is delivered / (delivered + failed). A message that was merged into a digest has the outcome of that digest. Days and hours are in UTC; those without events are listed, too.

--run counts the events of a run, whenever they were triggered. svc first prints the number of requests.`,
  options: {
    by: choice('--by <group>', groupings, 'Group by workflow, channel, time or reason', {
      defaultText: 'workflow',
    }),
    run: text('--run <run-id|last>', 'Only the events of this run', {
      complete: 'runs',
      conflicts: Object.keys(activityFilters).filter((name) => name !== 'channel'),
    }),
    ...activityFilters,
  },
  output:
    'Totals, groups and the most frequent reasons. As JSON, {since, until, by, total: {events, recipients, delivered, failed, skipped, waiting}, groups: [{key, …the same}], reasons: [{cause, count}]}. In a pipe, CSV and TSV: one line per group. With -o ids, the keys of the groups. With --run, JSON also has runId, finished and recipients (their numbers) and channels: [{channel, delivered, failed, skipped, waiting}].',
  fields: [
    'since',
    'until',
    'by',
    'total',
    'groups',
    'reasons',
    'key',
    'events',
    'recipients',
  ].concat(['delivered', 'failed', 'skipped', 'waiting', 'runId', 'finished', 'channels']),
  examples: {
    'svc activity stats': 'Show the last 7 days by workflow',
    'svc activity stats --since 24h --by reason --workflow welcome':
      'Show why messages of a workflow did not arrive',
    'svc activity stats --since 30d --by day -o csv': 'Print numbers per day for a spreadsheet',
  },
  operations: ['listActivity', 'getActivity', 'getWorkflow', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: false,
  defaultProfile: async (context, { options: { run } }) =>
    run === undefined ? undefined : profileOfRun(context, run),
  tool: 'read',
  async run(context, { options }) {
    const { by = 'workflow', run, ...filters } = options;
    const { stdout } = context.host;
    const columns = stdout.isTty ? stdout.columns : 80;
    const isWide = context.settings.output === 'wide';
    if (run !== undefined) return statsOfRun(context, run, { by, columns, isWide, ...filters });
    const serviceTime = createServiceTime(context);
    const query = await activityQuery(context, filters, serviceTime);
    const until = query.before ?? new Date(await serviceTime()).toISOString();
    const digests = createDigestEvents(context);
    const { showReading } = await import('../../output/progress-line.ts');
    const progress = showReading(context);
    const countSince = async (after: string) => {
      const counted = createStats({ by, channels: filters.channel, since: after, until });
      const queue = digests.queue((item, findEvent) =>
        counted.add(item, stepVerdicts(item, findEvent)),
      );
      for await (const { items } of activityPages(
        context,
        { ...query, after },
        filters.transaction,
      )) {
        for (const item of items) queue.add(item);
        await queue.settle();
        progress.add(items.length);
      }
      await queue.finish();
      return { since: after, ...counted };
    };
    const time = { after: query.after, until, defaultMs: unitMs.d * defaultDays, serviceTime };
    const counted = await sinceRetention(context, time, countSince).finally(progress.stop);
    return statsResult(
      { since: counted.since, until, by, ...counted.result() },
      { columns, isWide, timeline: counted.timeline() },
    );
  },
});

interface StatsScreen {
  columns: number;
  /** The output format is wide. */
  isWide: boolean;
}

interface RunStatsOptions extends StatsScreen {
  by: Grouping;
  channel?: readonly string[];
}

async function statsOfRun(
  context: Context,
  name: string,
  { by, channel, columns, isWide }: RunStatsOptions,
) {
  const { deliveriesValue } = await import('../../deliveries/run-view.ts');
  const run = await openRunDeliveries(context, name);
  const since = run.run.startedAt;
  const until = new Date(await createServiceTime(context)()).toISOString();
  const counted = createStats({ by, channels: channel, since, until });
  const merged: ActivityItem[] = [];
  const { deliveries, summary } = await readRunDeliveries(context, run, (item) => {
    if (findDigestId(item) === undefined) counted.add(item);
    else merged.push(item);
  });
  for (const item of merged) counted.add(item, deliveries.verdictsOf(item));
  const value = { since, until, by, ...counted.result() };
  return statsResult(
    { ...deliveriesValue(run.run.runId, summary), ...value },
    { columns, isWide, timeline: counted.timeline() },
  );
}

// The result of `svc activity stats`: totals, and tables with bars on a terminal.

type StatsValue = { since: string; until: string; by: Grouping } & Stats;

const wideTerminal = 110;
/** On a narrower terminal, the numbers of a group leave no room for its bar. */
const minBarColumns = 74;
const barWidth = (columns: number) => (columns >= wideTerminal ? 36 : 14);
const maxReasons = 10;

interface BarStyle {
  width: number;
  /** Whether groups have bars. */
  hasBars: boolean;
  /** With -o wide, reasons are the codes of the JSON. */
  isWide: boolean;
}

const totalColumns: readonly Column<Group>[] = [
  {
    ...{ field: 'events', header: 'EVENTS', right: true, drop: 2 },
    value: ({ events }) => grouped(events),
  },
  {
    ...{ field: 'recipients', header: 'RECIPIENTS', right: true, drop: 3 },
    value: ({ recipients }) => grouped(recipients),
  },
];

function groupColumns(
  by: Grouping,
  groups: readonly Group[],
  { width, hasBars, isWide }: BarStyle,
): Column<Group>[] {
  return [
    {
      field: 'key',
      header: by.toUpperCase(),
      tone: () => 'strong',
      ...(by === 'workflow' ? { shrink: true } : {}),
      ...(by === 'hour' ? { time: true } : {}),
      ...(by === 'reason' && !isWide
        ? { tableText: ({ key }) => causeSentence(key), wrap: true, shrink: 20 }
        : {}),
    },
    ...totalColumns,
    ...countColumns.filter(({ field }) => by !== 'reason' || field !== 'delivered'),
    ...(by === 'reason' ? [] : [rateColumn]),
    ...(hasBars ? [barColumn(groups, width)] : []),
  ];
}

type Reason = Stats['reasons'][number];

function reasonColumns(reasons: readonly Reason[], { width, isWide }: BarStyle): Column<Reason>[] {
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  const max = Math.max(0, ...reasons.map(({ count }) => count));
  return [
    {
      field: 'cause',
      header: 'REASON',
      tone: () => 'strong',
      wrap: true,
      shrink: 20,
      ...(isWide ? {} : { tableText: ({ cause }) => causeSentence(cause) }),
    },
    { field: 'count', header: 'MESSAGES', right: true, value: ({ count }) => grouped(count) },
    { field: 'share', header: 'PERCENT', right: true, value: ({ count }) => percent(count / all) },
    {
      field: 'bar',
      header: 'FREQUENCY',
      spans: ({ count }, unicode) => [
        { text: bar(count, max, width, chooseGlyphs(unicode).delivered), tone: 'warn' },
      ],
    },
  ];
}

/** `timeline`: the messages over time. */
function statsResult(
  value: StatsValue,
  { columns, isWide, timeline }: StatsScreen & { timeline: readonly number[] },
) {
  const { total, groups, reasons, by } = value;
  const style = {
    width: barWidth(columns),
    hasBars: by === 'reason' || columns >= minBarColumns,
    isWide,
  };
  const messages = messageCount(total);
  const share = (count: number) =>
    messages === 0 ? grouped(count) : `${grouped(count)} (${percent(count / messages)})`;
  const topReasons = reasons.slice(0, maxReasons);
  return result.one({
    value,
    fields: [
      { field: 'since', header: 'SINCE', time: true },
      { field: 'events', header: 'EVENTS', value: () => grouped(total.events) },
      { field: 'recipients', header: 'RECIPIENTS', value: () => grouped(total.recipients) },
      { field: 'delivered', header: 'DELIVERED', value: () => share(total.delivered) },
      { field: 'failed', header: 'FAILED', value: () => share(total.failed) },
      { field: 'skipped', header: 'SKIPPED', value: () => share(total.skipped) },
      { field: 'waiting', header: 'WAITING', value: () => share(total.waiting) },
      {
        field: 'rate',
        header: 'RATE',
        value: () => percent(deliveryRate(total)),
        tone: () => rateTone(deliveryRate(total)),
      },
      {
        field: 'timeline',
        header: 'OVER TIME',
        spans: (_value, unicode) => [{ text: unicode ? sparkline(timeline) : '' }],
      },
    ],
    parts: [
      {
        title: `By ${by}`,
        legend,
        rows: groups,
        columns: groupColumns(by, groups, style),
        empty:
          total.events > 0 ? 'No message failed, was skipped or is waiting.' : 'No events match.',
      },
      ...(by === 'reason' || topReasons.length === 0
        ? []
        : [
            {
              title: 'Most frequent reasons',
              rows: topReasons,
              columns: reasonColumns(topReasons, style),
              empty: '',
            },
          ]),
    ],
    rows: {
      items: groups,
      columns: result.fieldColumns(['key', 'events', 'recipients', ...stepOutcomes]),
      id: ({ key }: Group) => key,
    },
  });
}
