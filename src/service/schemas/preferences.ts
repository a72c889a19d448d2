// Preferences of subscribers
// (specification: Resources, Subscriber preferences; Endpoints, Subscribers).

import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  checked,
  checkedObject,
  checksOfList,
  isTrue,
  parameter,
  readFields,
  toListOfGiven,
  withSecondStage,
} from '../rules/checked.ts';
import { eventContexts } from '../rules/event-contexts.ts';
import { clockTimePattern } from '../rules/formats.ts';
import {
  type Fields,
  hasAtMost,
  isArray,
  isBoolean,
  isDefined,
  isOneOf,
  isString,
  matches,
  nested,
  optional,
  type Rule,
  required,
  rule,
} from '../rules/rules.ts';
import { queryBoolean } from './query.ts';
import {
  checkedFlag,
  clockTime,
  filledList,
  nonEmptyText,
  openEnum,
  requiredName,
} from './values.ts';
import {
  allChannels,
  channelTypes,
  criticalities,
  overrideSources,
  type WeekDay,
  weekDays,
} from './vocabulary.ts';

/** Null is a value of its own: the channel is off, and no other level decides. */
const flag = z.boolean().nullable().optional();
const channelFlags = { email: flag, sms: flag, in_app: flag, chat: flag, push: flag };

/** In a request, also the channel that servers have since 3.19. Older ones ignore it. */
const requestFlags = { ...channelFlags, tool: flag };

/** Whether each channel is enabled, in a response. */
export const channelSwitches = z.looseObject(channelFlags);

const week = <Day extends z.ZodType>(day: Day) =>
  Object.fromEntries(weekDays.map((name) => [name, day])) as Record<WeekDay, Day>;

const daySchedule = z.looseObject({
  isEnabled: z.boolean(),
  hours: z.array(z.looseObject({ start: z.string(), end: z.string() })).optional(),
});

/** The hours in which a subscriber accepts notifications, in the subscriber's time zone. */
export const schedule = z.looseObject({
  isEnabled: z.boolean(),
  weeklySchedule: z.looseObject(week(daySchedule.optional())).optional(),
});

const globalPreference = z.looseObject({
  enabled: z.boolean(),
  channels: channelSwitches,
  schedule: schedule.nullable().optional(),
});

const preferenceOverride = z.looseObject({
  channel: openEnum(channelTypes),
  source: openEnum(overrideSources),
});

const workflowPreference = z.looseObject({
  enabled: z.boolean(),
  channels: channelSwitches,
  overrides: z.array(preferenceOverride),
  /** When the subscriber last chose something for the workflow. Only from newer servers. */
  updatedAt: z.string().optional(),
  workflow: z.looseObject({
    slug: z.string(),
    identifier: z.string(),
    name: z.string(),
    updatedAt: z.string().optional(),
  }),
});

export const preferences = z.looseObject({
  global: globalPreference,
  workflows: z.array(workflowPreference),
});

/** Query of GET `/v2/subscribers/{subscriberId}/preferences`. The default is nonCritical. */
export const getPreferencesQuery = z.strictObject({
  criticality: checked(z.enum(criticalities).optional(), optional(isOneOf(criticalities))),
  // Since 3.13. An empty value means without contexts.
  contextKeys: parameter(z.array(z.string()).optional(), toListOfGiven),
});

const isEnabled = checked(z.boolean(), required(isBoolean));
const time = checked(
  clockTime,
  required(
    matches(
      clockTimePattern,
      (name) => `${name} must be in 12-hour format (e.g., 09:00 AM or 9:00 AM)`,
    ),
    isString(),
  ),
);
const hoursBody = z.strictObject({ start: time, end: time });

const dayScheduleBody = z.strictObject({
  isEnabled,
  hours: checked(z.array(hoursBody).optional(), nested(readFields(hoursBody))),
});

const isDay = (name: string) => (weekDays as readonly string[]).includes(name);
/** A schedule that is not enabled may have any days. */
const hasDays: Rule = (value, name, { parent }) => {
  if (Reflect.get(parent, 'isEnabled') !== true || !value) return undefined;
  const days = Object.keys(value);
  if (days.length === 0)
    return `${name} must contain at least one day configuration when isEnabled is true`;
  const unknown = days.filter((day) => !isDay(day));
  if (unknown.length === 0) return undefined;
  return `${name} contains invalid day names: ${unknown.join(', ')}. Valid days are: ${weekDays.join(', ')}`;
};

const weekBody = z.strictObject(week(checkedObject(dayScheduleBody)));
const scheduleMembers = z.strictObject({
  isEnabled,
  weeklySchedule: checked(weekBody.optional(), nested(readFields(weekBody), hasDays)),
});

/** A schedule in a request. It replaces the stored one. Hours with a start after their end run overnight. */
export const scheduleBody = scheduleMembers.refine(
  ({ isEnabled, weeklySchedule }) =>
    !isEnabled || weeklySchedule === undefined || Object.values(weeklySchedule).some(Boolean),
  { path: ['weeklySchedule'], error: 'has no day: an enabled schedule needs at least one' },
);

/** The member `schedule` of a request. Null removes the stored one. */
export const scheduleMember = checked(
  scheduleBody.nullable().optional(),
  nested(readFields(scheduleMembers)),
);

/** The service checks the channels of a preference one by one, each under its own name. */
const channelChecks: Fields = Object.fromEntries(
  allChannels.map((channel) => [channel, optional(isBoolean)]),
);
/** The service checks the workflow of a preference after the rest, under this name. */
const workflowCheck: Fields = { workflowIdOrInternalId: optional(isString()) };

/** The contexts of the events that a preference is for, since 3.13. Older versions ignore it. */
const preferenceContext = checked(z.custom<Record<string, unknown>>().optional(), {
  rules: [eventContexts],
  versions: { since: '3.13' },
});

/** Body of PATCH `/v2/subscribers/{subscriberId}/preferences`. Without `workflowId` it is global. */
export const updatePreferencesBody = withSecondStage(
  z.strictObject({
    channels: z.strictObject(requestFlags).optional(),
    workflowId: nonEmptyText.optional(),
    schedule: scheduleMember,
    context: preferenceContext,
  }),
  (body) => {
    const { workflowId, channels } = body as Record<string, unknown>;
    return [
      ['UpdateSubscriberPreferencesCommand', workflowCheck, { workflowIdOrInternalId: workflowId }],
      ['UpdatePreferencesCommand', channelChecks, channels],
    ];
  },
);

const isGiven = rule(
  (channels) => channels !== undefined && channels !== null,
  (name) => `${name} must be an object`,
);
const manyPreferencesItem = z.strictObject({
  workflowId: requiredName,
  // The service fails with 500 without them.
  channels: checked(z.strictObject(requestFlags), required(isGiven)),
});

export const updateManyPreferencesBody = withSecondStage(
  z.strictObject({
    preferences: checked(
      filledList(manyPreferencesItem, 'preferences', limits.preferencesPerRequest),
      checksOfList(
        required(isDefined(), hasAtMost(limits.preferencesPerRequest), isArray),
        manyPreferencesItem,
      ),
    ),
    context: preferenceContext,
  }),
  (body) =>
    (body as { preferences: { channels: unknown }[] }).preferences.map(
      ({ channels }) => ['UpdatePreferencesCommand', channelChecks, channels] as const,
    ),
);

/** The changed preferences, one for each workflow. */
export const updatedPreferences = z.array(
  z.looseObject({
    level: z.string(),
    enabled: z.boolean(),
    channels: channelSwitches,
    workflow: z.looseObject({
      id: z.string(),
      identifier: z.string(),
      name: z.string(),
      critical: z.boolean(),
    }),
  }),
);

/** Query of GET `/v1/subscribers/{subscriberId}/preferences`. The default is true. */
export const inactiveChannelsQuery = z.strictObject({
  includeInactiveChannels: parameter(queryBoolean().optional(), isTrue),
});

const preferenceSwitches = z.looseObject({ enabled: z.boolean(), channels: channelSwitches });

/** A preference for a workflow in version 1 of the routes. */
export const preferenceV1 = z.looseObject({
  preference: preferenceSwitches,
  template: z.looseObject({ _id: z.string(), name: z.string(), critical: z.boolean() }),
});

export const globalPreferenceV1 = z.looseObject({ preference: preferenceSwitches });

export const preferencesV1 = z.array(globalPreferenceV1);

const channelPreference = z.strictObject({
  type: checked(z.enum(channelTypes), required(isDefined(), isOneOf(channelTypes))),
  enabled: checked(z.boolean(), required(isBoolean, isDefined())),
});

export const updatePreferenceV1Body = z.strictObject({
  channel: checkedObject(channelPreference),
  enabled: checkedFlag,
});

export const updateGlobalPreferenceV1Body = z.strictObject({
  enabled: checkedFlag,
  preferences: checked(
    z.array(channelPreference).optional(),
    checksOfList(optional(isArray), channelPreference),
  ),
});

export type Preferences = z.output<typeof preferences>;
export type WorkflowPreference = z.output<typeof workflowPreference>;
export type ChannelSwitches = z.output<typeof channelSwitches>;
export type Schedule = z.output<typeof schedule>;
export type UpdatedPreferences = z.output<typeof updatedPreferences>;
