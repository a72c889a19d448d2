// What an update changed, for a person: before → after.
import type { Preferences, Schedule } from '../../../api/schemas/preferences.ts';
import { channelTypes, weekDays } from '../../../api/schemas/vocabulary.ts';
import { type MatrixRow, matrix } from './view.ts';

/** `welcome  email: on → off` for every cell that changed, `schedule  monday: off → 09:00 AM-05:00 PM` for every day. */
export function changes(before: Preferences, after: Preferences): string[] {
  const rows = new Map(matrix(before).map((row) => [row.workflow, row]));
  return [
    ...matrix(after).flatMap((row) => changedCells(rows.get(row.workflow), row)),
    ...changedWeek(before.global.schedule, after.global.schedule),
  ];
}

const word = (on: boolean | null | undefined) =>
  (on ?? undefined) === undefined ? 'unset' : on ? 'on' : 'off';

const changed = (what: string, from: string, to: string) =>
  from === to ? [] : [`${what}: ${from} → ${to}`];

const changedCells = (before: MatrixRow | undefined, { workflow, channels }: MatrixRow) =>
  channelTypes.flatMap((channel) =>
    changed(`${workflow}  ${channel}`, word(before?.channels[channel]), word(channels[channel])),
  );

const changedWeek = (before: Schedule | undefined, after: Schedule | undefined) => [
  ...changed('schedule', word(before?.isEnabled), word(after?.isEnabled)),
  ...weekDays.flatMap((day) =>
    changed(
      `schedule  ${day}`,
      hoursText(before?.weeklySchedule?.[day]),
      hoursText(after?.weeklySchedule?.[day]),
    ),
  ),
];

type Day = NonNullable<Schedule['weeklySchedule']>[(typeof weekDays)[number]];

function hoursText(day: Day | undefined): string {
  if (!day?.isEnabled) return word(day?.isEnabled);
  const ranges = (day.hours ?? []).map(({ start, end }) => `${start}-${end}`);
  return ranges.join(',') || 'on';
}
