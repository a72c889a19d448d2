// The result of `svc activity stats`: totals, and tables with bars on a terminal.
import { grouped } from '../../core/text.ts';
import { chooseGlyphs, legend, rateTone, toSegments } from '../../deliveries/outcome-tokens.ts';
import {
  countMessages,
  deliveryRate,
  type Group,
  type Grouping,
  type Stats,
} from '../../deliveries/stats.ts';
import { bar, percent, sparkline, stackedBar } from '../../output/bars.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';

export type StatsValue = { since: string; until: string; by: Grouping } & Stats;

const wideTerminal = 110;
/** On a narrower terminal, the numbers of a group leave no room for its bar. */
const minBarColumns = 74;
const barWidth = (columns: number) => (columns >= wideTerminal ? 36 : 14);
const maxReasons = 10;

interface BarStyle {
  width: number;
  /** Whether groups have bars. */
  hasBars: boolean;
}

const countColumns: readonly Column<Group>[] = [
  { field: 'events', header: 'EVENTS', drop: 2 },
  { field: 'recipients', header: 'RECIPIENTS', drop: 3 },
  { field: 'delivered', header: 'DELIVERED' },
  { field: 'failed', header: 'FAILED', tone: ({ failed }) => (failed > 0 ? 'bad' : 'muted') },
  { field: 'skipped', header: 'SKIPPED' },
  { field: 'waiting', header: 'WAITING' },
];

const numberColumn = (column: Column<Group>): Column<Group> => ({
  ...column,
  right: true,
  value: (group) => grouped(Number(Reflect.get(group, column.field))),
});

const rateColumn: Column<Group> = {
  field: 'rate',
  header: 'RATE',
  right: true,
  value: (group) => percent(deliveryRate(group)),
  tone: (group) => rateTone(deliveryRate(group)),
};

function groupColumns(
  by: Grouping,
  groups: readonly Group[],
  { width, hasBars }: BarStyle,
): Column<Group>[] {
  const max = Math.max(0, ...groups.map(countMessages));
  const barColumn: Column<Group> = {
    field: 'bar',
    header: 'MESSAGES',
    spans: (group, unicode) => stackedBar(toSegments(group, unicode), max, width),
    drop: 1,
  };
  return [
    {
      field: 'key',
      header: by.toUpperCase(),
      tone: () => 'strong',
      ...(by === 'workflow' ? { shrink: true } : {}),
    },
    ...countColumns
      .filter(({ field }) => by !== 'reason' || field !== 'delivered')
      .map(numberColumn),
    ...(by === 'reason' ? [] : [rateColumn]),
    ...(hasBars ? [barColumn] : []),
  ];
}

type Reason = Stats['reasons'][number];

function reasonColumns(reasons: readonly Reason[], { width }: BarStyle): Column<Reason>[] {
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  const max = Math.max(0, ...reasons.map(({ count }) => count));
  return [
    { field: 'cause', header: 'REASON', tone: () => 'strong' },
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
export function statsResult(
  value: StatsValue,
  { columns, timeline }: { columns: number; timeline: readonly number[] },
) {
  const { total, groups, reasons, by } = value;
  const style = { width: barWidth(columns), hasBars: by === 'reason' || columns >= minBarColumns };
  const messages = countMessages(total);
  const share = (count: number) =>
    messages === 0 ? grouped(count) : `${grouped(count)} (${percent(count / messages)})`;
  const shown = reasons.slice(0, maxReasons);
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
        ...(style.hasBars ? { legend } : {}),
        rows: groups,
        columns: groupColumns(by, groups, style) as never,
        empty:
          total.events > 0 ? 'No message failed, was skipped or is waiting.' : 'No events match.',
      },
      ...(by === 'reason' || shown.length === 0
        ? []
        : [
            {
              title: 'Most frequent reasons',
              rows: shown,
              columns: reasonColumns(shown, style) as never,
              empty: '',
            },
          ]),
    ],
    rows: {
      items: groups,
      columns: [{ field: 'key', header: 'KEY' }, ...countColumns],
      id: ({ key }: Group) => key,
    },
  });
}
