// Formats preferences for output: a matrix of workflows and channels, and the weekly schedule.

import type { Column, RecordPart } from '../../../output/result.ts';
import type {
  Preferences,
  Schedule,
  WorkflowPreference,
} from '../../../service/schemas/preferences.ts';
import { allChannels, weekDays } from '../../../service/schemas/vocabulary.ts';

/** A row of the matrix: the global preferences, or the preferences of a workflow. */
export interface MatrixRow {
  workflow: string;
  channels: Record<string, boolean | null | undefined>;
  /** The source of each channel setting that differs from the global one. */
  sources: Record<string, string>;
  /** Whether all channels have the global settings. */
  isDefault: boolean;
}

const toCell = (channel: string) => (row: MatrixRow) => {
  const isEnabled = row.channels[channel];
  if (isEnabled === undefined || isEnabled === null) return '';
  const source = row.sources[channel];
  return `${isEnabled ? 'on' : 'off'}${source ? ` (${source})` : ''}`;
};

export const matrixColumns: readonly Column<MatrixRow>[] = [
  { field: 'workflow', header: 'WORKFLOW', tone: () => 'strong' },
  ...allChannels.map((channel) => ({
    field: `channels.${channel}`,
    // Only servers since 3.19 have it.
    ...(channel === 'tool' ? { optional: true as const } : {}),
    header: channel.toUpperCase().replace('_', '-'),
    value: toCell(channel),
    tone: (row: MatrixRow) =>
      row.channels[channel] === false ? ('bad' as const) : ('good' as const),
  })),
];

export function matrixRows({ global, workflows }: Preferences): MatrixRow[] {
  return [
    {
      workflow: '(all)',
      channels: global.channels as MatrixRow['channels'],
      sources: {},
      isDefault: false,
    },
    ...workflows.map((workflow) => toRow(workflow, global.channels as MatrixRow['channels'])),
  ];
}

/** The service names a source for every channel, also for one without a setting of its own. */
const toRow = (
  { workflow, channels, overrides }: WorkflowPreference,
  global: MatrixRow['channels'],
): MatrixRow => {
  const own = channels as MatrixRow['channels'];
  return {
    workflow: workflow.identifier,
    channels: own,
    sources: Object.fromEntries(
      overrides
        .filter(({ channel }) => own[channel] !== global[channel])
        .map(({ channel, source }) => [channel, source]),
    ),
    // A workflow lists only the channels of its steps.
    isDefault: Object.keys(own).every((channel) => own[channel] === global[channel]),
  };
};

interface DayRow {
  day: string;
  hours: string;
}

const dayColumns: readonly Column<DayRow>[] = [
  { field: 'day', header: 'DAY' },
  { field: 'hours', header: 'HOURS', wrap: true, shrink: 20 },
];

/** Returns the table of the weekly schedule, or an empty list without a schedule. */
export function weeklyScheduleParts(schedule: Schedule | undefined): RecordPart[] {
  if (!schedule) return [];
  const week = schedule.weeklySchedule ?? {};
  const rows: DayRow[] = weekDays.map((day) => {
    const { isEnabled, hours } = week[day] ?? {};
    const text = (hours ?? []).map(({ start, end }) => `${start} to ${end}`).join(', ');
    return { day, hours: isEnabled ? text || 'all day' : 'off' };
  });
  const title = `Schedule: ${schedule.isEnabled ? 'on' : 'off'}`;
  return [
    {
      title,
      rows: schedule.weeklySchedule ? rows : [],
      columns: dayColumns as never,
      empty: 'No days are set.',
    },
  ];
}
