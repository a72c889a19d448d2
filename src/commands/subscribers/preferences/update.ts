import type { Context } from '../../../app/context.ts';
import { readCell, sendNamed } from '../../../bulk/command/run-named.ts';
import type { Sender } from '../../../bulk/engine/sender.ts';
import { requestPerId, toIdItem } from '../../../bulk/operations/id-list.ts';
import { command, type Values } from '../../../cli/command.ts';
import { choice, flag, json, several } from '../../../cli/options.ts';
import { SvcError, usageError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/objects.ts';
import { readJsonObject, textOrStdin, type WorkingFolder } from '../../../input/values.ts';
import * as result from '../../../output/result.ts';
import type {
  ChannelSwitches,
  Preferences,
  Schedule,
  UpdatedPreferences,
} from '../../../service/schemas/preferences.ts';
import { allChannels, weekDays } from '../../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../../shared/arguments.ts';
import { withSuggestions } from '../../shared/missing-resources.ts';
import {
  findUnchanged,
  type MatrixRow,
  matrixRows,
  unchangedWarning,
  withUnchanged,
} from './view.ts';

const onOff = ['on', 'off'] as const;
const channelOption = (flags: string, name: string) =>
  choice(flags, onOff, `Turn ${name} on or off`, { group: 'Channels' });
const schedule = 'Schedule';

const group = 'Workflows';

const workflowOptions = {
  workflow: several(
    '--workflow <workflow-id>',
    'Change the preferences for this workflow; global if omitted',
    { complete: 'workflows', group },
  ),
  tag: several('--tag <tag>', 'Change the preferences for all workflows with this tag', {
    group,
    conflicts: ['workflow', 'allWorkflows'],
  }),
  allWorkflows: flag('--all-workflows', 'Change the preferences for every workflow', {
    group,
    conflicts: ['workflow'],
  }),
};

const options = {
  ...workflowOptions,
  email: channelOption('--email <on|off>', 'e-mail'),
  sms: channelOption('--sms <on|off>', 'SMS'),
  inApp: channelOption('--in-app <on|off>', 'the inbox'),
  chat: channelOption('--chat <on|off>', 'chat'),
  push: channelOption('--push <on|off>', 'push'),
  tool: channelOption('--tool <on|off>', 'tools such as PagerDuty, on servers since 3.19,'),
  schedule: choice('--schedule <on|off>', onOff, 'Turn the schedule on or off', {
    group: schedule,
  }),
  hours: several(
    '--hours <days=ranges>',
    'Hours for the given days, such as mon-fri="09:00 AM-05:00 PM" or sat=off',
    { group: schedule },
  ),
  scheduleData: json('--schedule-data <json|@file>', 'The whole schedule as JSON', {
    group: schedule,
    conflicts: ['schedule', 'hours'],
  }),
  body: json('--body <json|@file|->', 'The whole request body, instead of these options'),
};

export const update = command({
  summary: 'Change the preferences of a subscriber, globally or for some workflows',
  details:
    'Changing a channel globally removes the settings of this channel for individual workflows. The output lists every change. The service replaces the whole schedule, so svc reads the current schedule, changes the given days and sends the whole schedule. The service ignores changes for critical workflows; a warning names these workflows. Changing several workflows takes an operation that not every server offers.',
  arguments: { subscriberId: subscriberArgument },
  options,
  output:
    'Each change with its old and new value. As JSON, the new preferences, with the names of `unchanged` workflows if there are any; for several workflows, an array with one item for each, whose `result` is updated or unchanged.',
  examples: {
    'svc subscribers preferences update u1 --email off': 'Turn off all e-mail',
    'svc subscribers preferences update u1 --workflow welcome --in-app on':
      'Turn on the inbox for one workflow',
    'svc subscribers preferences update u1 --tag billing --sms on':
      'Turn on SMS for all workflows with a tag',
    'svc subscribers preferences update u1 --hours mon-fri="09:00 AM-05:00 PM" --hours sat-sun=off':
      'Notify during office hours',
  },
  exitCodes: ['partial'],
  fields: ({ options }) =>
    isForSeveral(options) ? ['level', 'enabled', 'channels', 'workflow', 'result'] : undefined,
  operations: [
    'updateSubscriberPreferences',
    'updateManyPreferences',
    'getSubscriberPreferences',
    'listWorkflows',
    'getWorkflow',
  ],
  writes: true,
  async run(context, { args: { subscriberId }, options }) {
    const path = { subscriberId };
    checkOptionCombinations(options);
    const client = await context.client();
    const before = await client.call('getSubscriberPreferences', {
      path,
      query: { criticality: 'all' },
    });
    const body =
      options.body === undefined
        ? await readBody(options, before, context.host)
        : await readJsonObject(
            await textOrStdin(options.body, context.host.stdin),
            '--body',
            context.host,
          );
    if (
      Object.keys(body).length === 0 ||
      (Object.keys(body).length === 1 && 'workflowId' in body)
    ) {
      throw usageError('No changes were given.', {
        next: ['svc subscribers preferences update --help'],
      });
    }
    const { value, end, errors } = await send(context, subscriberId, options, body);
    const after = await client.call('getSubscriberPreferences', {
      path,
      query: { criticality: 'all' },
    });
    const lines = changeLines(before, after);
    const unchanged = await findUnchanged(context, body, { value, after });
    const warning = unchangedWarning(unchanged.critical, unchanged.others);
    if (warning) context.warn(warning);
    const headline =
      lines.length > 0
        ? `Updated the preferences of ${subscriberId}`
        : warning
          ? `The preferences of ${subscriberId} are unchanged`
          : `The preferences of ${subscriberId} already had these values`;
    return result.report({
      value: withUnchanged(value, unchanged),
      headline,
      lines: [...lines, ...errors.map(({ message }) => message)],
      ids: [subscriberId],
      ...(end ? { end } : {}),
    });
  },
});

/** Sends the change for all chosen workflows. */
async function send(context: Context, subscriberId: string, options: Given, body: JsonObject) {
  if (isForSeveral(options))
    return updateSeveral(context, subscriberId, body.channels as ChannelSwitches, options);
  const update = () =>
    context.call('updateSubscriberPreferences', { path: { subscriberId }, body: body as never });
  const [workflow] = options.workflow ?? [];
  const value = await (workflow === undefined
    ? update()
    : withSuggestions(context, 'workflow', workflow, update));
  return { value, errors: [], end: undefined };
}

type Given = Partial<Values<typeof options>>;
function checkOptionCombinations({
  workflow,
  schedule: on,
  hours,
  scheduleData,
  body,
  ...rest
}: Given): void {
  const isForWorkflows = (workflow ?? rest.tag ?? rest.allWorkflows) !== undefined;
  if (isForWorkflows && (on ?? hours ?? scheduleData) !== undefined) {
    throw usageError(
      'A schedule is global: --schedule, --hours and --schedule-data cannot be combined with --workflow, --tag and --all-workflows.',
    );
  }
  const hasOtherOptions = [workflow, on, hours, scheduleData, ...Object.values(rest)].some(
    (value) => value !== undefined,
  );
  if (body !== undefined && hasOtherOptions)
    throw usageError('--body cannot be combined with other options.');
}

async function readBody(options: Given, before: Preferences, folder: WorkingFolder) {
  const switches = {
    email: options.email,
    sms: options.sms,
    in_app: options.inApp,
    chat: options.chat,
    push: options.push,
    tool: options.tool,
  };
  const channels = Object.fromEntries(
    Object.entries(switches).flatMap(([channel, state]) =>
      state === undefined ? [] : [[channel, state === 'on']],
    ),
  );
  const week = await readSchedule(options, before.global.schedule, folder);
  return {
    ...(Object.keys(channels).length > 0 ? { channels } : {}),
    ...(options.workflow === undefined ? {} : { workflowId: options.workflow[0] as string }),
    ...(week ? { schedule: week as never } : {}),
  };
}

async function readSchedule(
  { schedule: on, hours, scheduleData }: Given,
  before: Schedule | null | undefined,
  folder: WorkingFolder,
): Promise<Schedule | undefined> {
  if (scheduleData !== undefined)
    return (await readJsonObject(scheduleData, '--schedule-data', folder)) as Schedule;
  if (on === undefined && hours === undefined) return undefined;
  const changed = hours ? withHours(before, hours) : { ...before, isEnabled: true };
  return { ...changed, isEnabled: on === undefined ? changed.isEnabled : on === 'on' };
}

/**
 * `welcome  email: on → off` for each changed channel, `schedule  monday: off → 09:00 AM-05:00 PM` for each changed
 * day.
 */
function changeLines(before: Preferences, after: Preferences): string[] {
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
  allChannels.flatMap((channel) =>
    changeLine(
      `${workflow}  ${channel}`,
      switchText(before?.channels[channel]),
      switchText(channels[channel]),
    ),
  );

const scheduleChanges = (
  before: Schedule | null | undefined,
  after: Schedule | null | undefined,
) => [
  ...changeLine('schedule', switchText(before?.isEnabled), switchText(after?.isEnabled)),
  ...weekDays.flatMap((day) =>
    changeLine(
      `schedule  ${day}`,
      hoursText(before?.weeklySchedule?.[day]),
      hoursText(after?.weeklySchedule?.[day]),
    ),
  ),
];

type DayHours = NonNullable<Schedule['weeklySchedule']>[(typeof weekDays)[number]];

function hoursText(day: DayHours | undefined): string {
  if (!day?.isEnabled) return switchText(day?.isEnabled);
  const ranges = (day.hours ?? []).map(({ start, end }) => `${start}-${end}`);
  return ranges.join(',') || 'on';
}

type WorkflowChoice = Partial<Values<typeof workflowOptions>>;

/** Whether the change is for several workflows, which takes another operation. */
const isForSeveral = ({ workflow = [], tag, allWorkflows }: WorkflowChoice) =>
  workflow.length > 1 || tag !== undefined || allWorkflows === true;

/** Returns the ids of the chosen workflows. Throws notFound if no workflow has the tag. */
async function chosenWorkflows(context: Context, { workflow, tag }: WorkflowChoice) {
  if (workflow) return [...new Set(workflow)];
  const ids: string[] = [];
  const query = tag ? { tags: tag } : {};
  for await (const { items } of context.pages('listWorkflows', { query }, { all: true }))
    ids.push(...items.map(({ workflowId }) => workflowId));
  if (ids.length > 0) return ids;
  throw new SvcError(
    'notFound',
    tag ? 'No workflow has this tag.' : 'The list of workflows is empty.',
    { next: ['svc workflows list'] },
  );
}

/** Changes the channels for the chosen workflows, with as many requests as needed. Throws if all of them fail. */
async function updateSeveral(
  context: Context,
  subscriberId: string,
  channels: ChannelSwitches,
  choice: WorkflowChoice,
) {
  const ids = await chosenWorkflows(context, choice);
  const sender: Sender = {
    ...requestPerId('updateManyPreferences', readCell, { field: 'workflowId' }),
    path: { subscriberId },
    frame: { open: '{"preferences":[', close: ']}' },
    toItem(record) {
      const item = toIdItem(readCell(record), 'workflowId');
      if ('error' in item) return item;
      return { id: item.id, json: JSON.stringify({ workflowId: item.id, channels }) };
    },
  };
  const { values, errors, end } = await sendNamed(context, sender, ids);
  return { value: (values as UpdatedPreferences[]).flat(), errors, end };
}

// `--hours mon-fri="09:00 AM-05:00 PM"` → days of a weekly schedule.

type Day = (typeof weekDays)[number];
type Week = NonNullable<Schedule['weeklySchedule']>;

/** Changes the named days of a schedule and keeps the others. Throws a usage error if a value of `--hours` is not valid. */
function withHours(before: Schedule | null | undefined, values: readonly string[]): Schedule {
  const weeklySchedule: Week = { ...before?.weeklySchedule };
  for (const value of values) {
    const equals = value.indexOf('=');
    if (equals <= 0)
      throw usageError(`--hours: \`${value}\` must have the form mon-fri="09:00 AM-05:00 PM".`);
    const hours = readHours(value.slice(equals + 1));
    for (const day of readDays(value.slice(0, equals))) weeklySchedule[day] = hours;
  }
  return { isEnabled: before?.isEnabled ?? true, weeklySchedule };
}

/** `mon`, `mon-fri`, `sat-sun`, or full names. */
function readDays(days: string): Day[] {
  const [from = '', to = from] = days.toLowerCase().split('-');
  const first = dayIndex(from);
  const last = dayIndex(to);
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_unused, step) => weekDays[(first + step) % 7] ?? 'monday');
}

function dayIndex(name: string): number {
  const index = weekDays.findIndex((day) => name.length >= 3 && day.startsWith(name));
  if (index >= 0) return index;
  throw usageError(`--hours: \`${name}\` is not a day of the week.`, {
    suggestion: { input: name, candidates: weekDays },
  });
}

function readHours(ranges: string) {
  if (/^off$/i.test(ranges)) return { isEnabled: false };
  const hours = ranges.split(',').map((range) => {
    const [start, end] = range.split('-').map(readTime);
    if (start !== undefined && end !== undefined) return { start, end };
    throw usageError(
      `--hours: \`${range}\` must be off, or a range such as 09:00 AM-05:00 PM or 09:00-17:00.`,
    );
  });
  return { isEnabled: true, hours };
}

/** Reads `05:00 PM` or `17:00`. Returns the form of the service, `05:00 PM`, or undefined if the text is not a time. */
function readTime(text: string): string | undefined {
  const time = text.trim().toUpperCase();
  if (/^(0?[1-9]|1[0-2]):[0-5]\d (AM|PM)$/.test(time)) return time;
  const [, hour = '', minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (minute === undefined) return undefined;
  const twelve = String(Number(hour) % 12 || 12).padStart(2, '0');
  return `${twelve}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}
