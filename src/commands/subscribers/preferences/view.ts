// Formats preferences for output: a matrix of workflows and channels, and the weekly schedule.

import type { Context } from '../../../app/context.ts';
import { type Channels, isUnchanged } from '../../../bulk/operations/preferences.ts';
import type { Column, RecordPart } from '../../../output/result.ts';
import { isObjectId } from '../../../service/rules/formats.ts';
import type {
  Preferences,
  Schedule,
  UpdatedPreferences,
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
export function weeklyScheduleParts(schedule: Schedule | null | undefined): RecordPart[] {
  if (!schedule) return [];
  const week = schedule.weeklySchedule ?? {};
  const rows: DayRow[] = weekDays.map((day) => {
    const { isEnabled, hours } = week[day] ?? {};
    const text = (hours ?? []).map(({ start, end }) => `${start} to ${end}`).join(', ');
    return { day, hours: isEnabled && text ? text : 'off' };
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

// Finds the changes of a preferences update that the service ignored.

/** The workflows whose preferences did not change; `(all)` for the global preferences. */
interface Unchanged {
  critical: string[];
  others: string[];
}

interface Update {
  /** The response: one entry for each of several workflows, or the preferences. */
  value: Preferences | UpdatedPreferences;
  /** The preferences for all workflows after the update. */
  after: Preferences;
}

export async function findUnchanged(
  context: Context,
  { channels, workflowId }: Record<string, unknown>,
  { value, after }: Update,
): Promise<Unchanged> {
  const unchanged: Unchanged = { critical: [], others: [] };
  if (typeof channels !== 'object' || channels === null) return unchanged;
  const check = (name: string, applied: unknown, isCritical: boolean) => {
    if (isUnchanged(channels as Channels, { channels: applied, isCritical }))
      unchanged[isCritical ? 'critical' : 'others'].push(name);
  };
  if (Array.isArray(value)) {
    for (const entry of value)
      check(entry.workflow.identifier, entry.channels, entry.workflow.critical);
  } else if (typeof workflowId !== 'string') check('(all)', after.global.channels, false);
  else {
    const name = await toIdentifier(context, workflowId);
    const isNamed = ({ workflow }: Preferences['workflows'][number]) =>
      workflow.identifier === name || workflow.slug === name;
    const changed = after.workflows.find(isNamed);
    // The response lists only workflows that are not critical.
    if (changed)
      check(changed.workflow.identifier, changed.channels, !value.workflows.some(isNamed));
  }
  return unchanged;
}

/** Preferences contain no internal ids of workflows. */
async function toIdentifier(context: Context, workflowId: string): Promise<string> {
  if (!isObjectId(workflowId)) return workflowId;
  return (await context.call('getWorkflow', { path: { workflowId } })).workflowId;
}

/** Adds the result to each of several workflows, or the names of unchanged workflows to the preferences. */
export function withUnchanged(value: Update['value'], { critical, others }: Unchanged): unknown {
  const names = [...critical, ...others];
  if (!Array.isArray(value)) return names.length === 0 ? value : { ...value, unchanged: names };
  return value.map((entry) => ({
    ...entry,
    result: names.includes(entry.workflow.identifier) ? 'unchanged' : 'updated',
  }));
}

/** The warning about workflows that have not changed; undefined if all have. */
export function unchangedWarning(critical: Iterable<string>, others: Iterable<string>) {
  const [ignored, different] = [[...critical], [...others]];
  const texts = [
    ...(ignored.length > 0
      ? [
          `The service ignores the changes for critical workflows. Unchanged: ${ignored.join(', ')}.`,
        ]
      : []),
    ...(different.length > 0
      ? [`The service accepted changes but did not make them. Unchanged: ${different.join(', ')}.`]
      : []),
  ];
  return texts.length > 0 ? texts.join(' ') : undefined;
}
