// The changes of a preferences update as lines of text: before → after.
import type { Preferences, Schedule } from '../../../service/schemas/preferences.ts';
import { channelTypes, weekDays } from '../../../service/schemas/vocabulary.ts';
import { type MatrixRow, matrixRows } from './view.ts';

/**
 * `welcome  email: on → off` for each changed channel, `schedule  monday: off → 09:00 AM-05:00 PM` for each changed
 * day.
 */
export function changeLines(before: Preferences, after: Preferences): string[] {
  const rows = new Map(matrixRows(before).map((row) => [row.workflow, row]));
  return [
    ...matrixRows(after).flatMap((row) => channelChanges(rows.get(row.workflow), row)),
    ...scheduleChanges(before.global.schedule, after.global.schedule),
  ];
}

const switchText = (on: boolean | null | undefined) =>
  (on ?? undefined) === undefined ? 'unset' : on ? 'on' : 'off';

const changeLine = (name: string, from: string, to: string) =>
  from === to ? [] : [`${name}: ${from} → ${to}`];

const channelChanges = (before: MatrixRow | undefined, { workflow, channels }: MatrixRow) =>
  channelTypes.flatMap((channel) =>
    changeLine(
      `${workflow}  ${channel}`,
      switchText(before?.channels[channel]),
      switchText(channels[channel]),
    ),
  );

const scheduleChanges = (before: Schedule | undefined, after: Schedule | undefined) => [
  ...changeLine('schedule', switchText(before?.isEnabled), switchText(after?.isEnabled)),
  ...weekDays.flatMap((day) =>
    changeLine(
      `schedule  ${day}`,
      hoursText(before?.weeklySchedule?.[day]),
      hoursText(after?.weeklySchedule?.[day]),
    ),
  ),
];

type Day = NonNullable<Schedule['weeklySchedule']>[(typeof weekDays)[number]];

function hoursText(day: Day | undefined): string {
  if (!day?.isEnabled) return switchText(day?.isEnabled);
  const ranges = (day.hours ?? []).map(({ start, end }) => `${start}-${end}`);
  return ranges.join(',') || 'on';
}
