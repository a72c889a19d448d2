// The deliveries of a run as a result: the record of `runs show --deliveries` and `runs watch`.
import { counted, grouped } from '../core/text.ts';
import { type Column, fieldColumns, type RecordPart } from '../output/result.ts';
import { stepOutcomes } from '../service/job-outcomes.ts';
import { barColumn, countColumns, legend, rateColumn } from './outcome-tokens.ts';
import type { DeliverySummary, OutcomeCounts } from './summary.ts';

/** The JSON of the deliveries of a run. */
interface DeliveriesValue {
  runId: string;
  /** Recipients for whom every job has a final status. */
  finished: number;
  recipients: number;
  channels: ({ channel: string } & OutcomeCounts)[];
  reasons: readonly { cause: string; count: number }[];
}

export const deliveriesFields = [
  'runId',
  'finished',
  'recipients',
  'channels',
  'reasons',
] as const satisfies readonly (keyof DeliveriesValue)[];

export const deliveriesValue = (runId: string, summary: DeliverySummary): DeliveriesValue => ({
  runId,
  finished: summary.finished,
  recipients: summary.recipients,
  channels: [...summary.channels].map(([channel, counts]) => ({ channel, ...counts })),
  reasons: summary.causes,
});

type ChannelRow = DeliveriesValue['channels'][number];

const barWidth = 20;
const maxReasons = 10;

const channelColumns = (rows: readonly ChannelRow[]): Column<ChannelRow>[] => [
  { field: 'channel', header: 'CHANNEL', tone: () => 'strong' },
  ...countColumns,
  rateColumn,
  barColumn(rows, barWidth),
];

/** The common part of the results: value, fields and tables. */
export function deliveriesRecord(runId: string, summary: DeliverySummary) {
  const value = deliveriesValue(runId, summary);
  const { channels } = value;
  const { outcomes, reasons } = summary;
  const parts: RecordPart[] = [
    {
      title: 'By channel',
      legend,
      rows: channels,
      columns: channelColumns(channels),
      empty: 'No messages yet.',
    },
    ...(reasons.length === 0
      ? []
      : [
          {
            title: 'Why messages were not delivered',
            rows: reasons.slice(0, maxReasons),
            columns: reasonColumns,
            empty: '',
          },
        ]),
  ];
  return {
    value,
    fields: [
      { field: 'runId', header: 'RUN', tone: () => 'strong' as const },
      { field: 'recipients', header: 'RECIPIENTS', value: () => grouped(summary.recipients) },
      { field: 'finished', header: 'FINISHED', value: () => grouped(summary.finished) },
      ...stepOutcomes.map((outcome) => ({
        field: outcome,
        header: outcome.toUpperCase(),
        value: () => grouped(outcomes[outcome]),
      })),
    ],
    parts,
    rows: {
      items: channels,
      columns: fieldColumns(['channel', ...stepOutcomes]),
      id: ({ channel }: ChannelRow) => channel,
    },
    id: () => runId,
  };
}

const reasonColumns: readonly Column<{ text: string; count: number }>[] = [
  { field: 'count', header: 'MESSAGES', right: true, value: ({ count }) => grouped(count) },
  { field: 'text', header: 'REASON', time: true, tone: () => 'plain', wrap: true, shrink: 20 },
];

/** `9,800 of 10,000 recipients finished: 9,700 delivered, 60 failed, 40 skipped`. */
export function finishedText({ finished, recipients, outcomes }: DeliverySummary): string {
  const parts = stepOutcomes
    .filter((outcome) => outcome !== 'waiting' && outcomes[outcome] > 0)
    .map((outcome) => `${grouped(outcomes[outcome])} ${outcome}`);
  return `${grouped(finished)} of ${counted(recipients, 'recipient')} finished${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}
