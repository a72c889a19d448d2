// The result of a replay for people, programs and pull requests.
import { stringifyExact } from '../core/lossless-json.ts';
import { counted, grouped, listText } from '../core/text.ts';
import { compare } from '../environment/compare.ts';
import { renderDiff } from '../environment/render-diff.ts';
import { percent } from '../output/bars.ts';
import { htmlLines } from '../output/html-lines.ts';
import * as result from '../output/result.ts';
import { rateOf } from './confidence.ts';
import type { StepResult } from './differences.ts';
import { type LeftOutReason, leftOutReasons, type RecordedEvent } from './events.ts';
import type { ReplayResult } from './replay-events.ts';
import type { ChangeGroup, Example, ResultRow } from './summary.ts';

/** Kinds of change with examples, for people. Programs get all of them. */
const maxShownGroups = 10;

export interface ReplayReport {
  replay: ReplayResult;
  events: readonly RecordedEvent[];
  leftOut: ReadonlyMap<LeftOutReason, number>;
  /** The two versions of the workflows, for people. */
  before: string;
  after: string;
  /** Whether the texts of messages are shown. */
  showsContent: boolean;
  end: (result.ExitEnd & { failure: result.Failure }) | undefined;
}

export function replayReport(report: ReplayReport) {
  const { replay, events, leftOut, end } = report;
  const { rows, groups, totals } = replay;
  const value = {
    events: events.length,
    recipients: new Set(events.map(({ subscriberId }) => subscriberId)).size,
    ...window(events),
    before: report.before,
    after: report.after,
    confidence: { rate: rateOf(replay.confidence), ...replay.confidence },
    totals,
    rows,
    changes: groups.map((group) => toValue(group, report)),
    leftOut: Object.fromEntries(leftOut),
  };
  return result.one({
    value,
    fields: [
      { field: 'events', header: 'EVENTS', value: eventsText, time: true },
      { field: 'before', header: 'BEFORE' },
      { field: 'after', header: 'AFTER' },
      {
        field: 'confidence',
        header: 'CONFIDENCE',
        value: () => confidenceText(replay),
        wrap: true,
      },
      { field: 'leftOut', header: 'LEFT OUT', value: () => leftOutText(leftOut), wrap: true },
    ],
    parts: [
      { title: 'Messages', rows, columns: rowColumns, empty: 'No messages.' },
      {
        title: 'Changes, the most frequent first',
        rows: groups,
        columns: groupColumns,
        empty: 'Every message is the same.',
      },
      ...groups.slice(0, maxShownGroups).flatMap((group) => exampleParts(group, report)),
    ],
    rows: {
      items: rows,
      columns: rowColumns,
      id: ({ workflow }: ResultRow) => workflow,
      hint: leftOut.size > 0 ? `Left out: ${leftOutText(leftOut)}` : undefined,
    },
    ...(end ? { end } : {}),
  });
}

const eventsText = ({
  events,
  recipients,
  since,
  until,
}: ReturnType<typeof window> & { events: number; recipients: number }) =>
  `${grouped(events)} for ${counted(recipients, 'recipient')}${since === null ? '' : `, from ${since} to ${until}`}`;

function window(events: readonly RecordedEvent[]) {
  const iso = (event: RecordedEvent | undefined) =>
    event ? new Date(event.at).toISOString() : null;
  return { since: iso(events[0]), until: iso(events.at(-1)) };
}

export function confidenceText({ confidence }: ReplayResult): string {
  const { steps, reproduced, unfinished, reasons } = confidence;
  if (steps === 0) return 'the service had finished no step that could be compared';
  const rest = [
    ...reasons.map(({ reason, steps: count }) => `${grouped(count)}: ${reason}`),
    ...(unfinished > 0 ? [`${grouped(unfinished)} not compared: not finished`] : []),
  ];
  return `the emulator reproduced ${grouped(reproduced)} of ${counted(steps, 'step')} (${percent(rateOf(confidence))})${rest.length === 0 ? '' : `. ${rest.join('. ')}`}`;
}

export const leftOutText = (leftOut: ReadonlyMap<LeftOutReason, number>): string =>
  [...leftOut]
    .map(([reason, count]) => `${counted(count, 'event')}: ${leftOutReasons[reason]}`)
    .join('. ');

const number = (field: StepResult | 'events', header: string): result.Column<ResultRow> => ({
  field,
  header,
  right: true,
});

const tones: Record<StepResult, result.Tone> = {
  same: 'plain',
  changed: 'warn',
  gained: 'good',
  lost: 'bad',
  moved: 'warn',
};

const counts = (['same', 'changed', 'gained', 'lost', 'moved'] as const).map((field) => ({
  ...number(field, field.toUpperCase()),
  tone: (row: ResultRow) => (row[field] > 0 ? tones[field] : ('muted' as const)),
}));

const rowColumns: readonly result.Column<ResultRow>[] = [
  { field: 'workflow', header: 'WORKFLOW' },
  { field: 'channel', header: 'CHANNEL' },
  number('events', 'EVENTS'),
  ...counts,
];

const groupColumns: readonly result.Column<ChangeGroup>[] = [
  { field: 'steps', header: 'STEPS', right: true },
  { field: 'result', header: 'RESULT', tone: ({ result: kind }) => tones[kind] },
  { field: 'workflow', header: 'WORKFLOW' },
  { field: 'step', header: 'STEP' },
  { field: 'cause', header: 'CAUSE', wrap: true, shrink: 20 },
];

function toValue({ examples, ...group }: ChangeGroup, { showsContent }: ReplayReport) {
  return {
    ...group,
    examples: examples.map(({ before, after, ...example }) =>
      showsContent ? { ...example, before: before ?? null, after: after ?? null } : example,
    ),
  };
}

const exampleParts = (group: ChangeGroup, report: ReplayReport): result.TextPart[] =>
  group.examples.map((example) => ({
    title: `${group.workflow}, ${group.step}: ${group.result}`,
    lines: exampleLines(example, report).map(result.plainText),
  }));

export function exampleLines(
  example: Example,
  { showsContent }: Pick<ReplayReport, 'showsContent'>,
): result.Line[] {
  const { transactionId, subscriberId, createdAt, parts, shiftMs, reason } = example;
  const details = [
    ...(parts.length > 0 ? [`differs in ${listText(parts)}`] : []),
    ...(Math.abs(shiftMs) >= 1000 ? [shiftText(shiftMs)] : []),
    ...(reason === null ? [] : [reason]),
  ];
  const head = `transaction ${transactionId} to ${subscriberId}, ${createdAt}`;
  const lines: result.Line[] = [details.length === 0 ? head : `${head}: ${details.join(', ')}`];
  return showsContent ? [...lines, ...contentLines(example)] : lines;
}

function shiftText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const span =
    minutes < 1
      ? `${Math.round(Math.abs(ms) / 1000)} s`
      : minutes < 120
        ? `${minutes} min`
        : `${Math.round(minutes / 60)} h`;
  return `${span} ${ms > 0 ? 'later' : 'earlier'}`;
}

/** The difference of the message as it is read; of a message that only one version sends, the whole of it. */
function contentLines({ channel, before = {}, after = {} }: Example): result.Line[] {
  const [old, now] = [readable(before, channel), readable(after, channel)];
  const isOnlyHtml = stringifyExact(old) === stringifyExact(now);
  const changes = isOnlyHtml ? compare(before, after) : compare(old, now);
  return renderDiff([{ mark: '~', kind: 'message', id: channel, changes }], undefined).slice(1);
}

const readable = (content: Record<string, unknown>, channel: string) =>
  channel === 'email' && typeof content.body === 'string'
    ? { ...content, body: htmlLines(content.body).join('\n') }
    : content;
