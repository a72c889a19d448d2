// Preferences of subscribers
// (specification: Resources, Subscriber preferences; Endpoints, Subscribers).

import { z } from 'zod';
import { limits } from '../limits.ts';
import { openEnum } from './open-enum.ts';
import { clockTime, nonEmptyText } from './values.ts';
import { channelTypes, criticalities, overrideSources } from './vocabulary.ts';

const flag = z.boolean().optional();
const channelFlags = { email: flag, sms: flag, in_app: flag, chat: flag, push: flag };

/** Whether each channel is enabled, in a response. */
export const channelSwitches = z.looseObject(channelFlags);

const week = <Day extends z.ZodType>(day: Day) => ({
  monday: day.optional(),
  tuesday: day.optional(),
  wednesday: day.optional(),
  thursday: day.optional(),
  friday: day.optional(),
  saturday: day.optional(),
  sunday: day.optional(),
});

export const daySchedule = z.looseObject({
  isEnabled: z.boolean(),
  hours: z.array(z.looseObject({ start: z.string(), end: z.string() })).optional(),
});

/** The hours in which a subscriber accepts notifications, in the subscriber's time zone. */
export const schedule = z.looseObject({
  isEnabled: z.boolean(),
  weeklySchedule: z.looseObject(week(daySchedule)).optional(),
});

export const globalPreference = z.looseObject({
  enabled: z.boolean(),
  channels: channelSwitches,
  schedule: schedule.optional(),
});

export const preferenceOverride = z.looseObject({
  channel: openEnum(channelTypes),
  source: openEnum(overrideSources),
});

export const workflowPreference = z.looseObject({
  enabled: z.boolean(),
  channels: channelSwitches,
  overrides: z.array(preferenceOverride),
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
  criticality: z.enum(criticalities).optional(),
});

export const dayScheduleBody = z.strictObject({
  isEnabled: z.boolean(),
  hours: z.array(z.strictObject({ start: clockTime, end: clockTime })).optional(),
});

/** A schedule in a request. It replaces the stored one. Hours with a start after their end run overnight. */
export const scheduleBody = z
  .strictObject({
    isEnabled: z.boolean(),
    weeklySchedule: z.strictObject(week(dayScheduleBody)).optional(),
  })
  .refine(
    ({ isEnabled, weeklySchedule }) =>
      !isEnabled || weeklySchedule === undefined || Object.values(weeklySchedule).some(Boolean),
    { path: ['weeklySchedule'], error: 'has no day: an enabled schedule needs at least one' },
  );

/** Body of PATCH `/v2/subscribers/{subscriberId}/preferences`. Without `workflowId` it is global. */
export const updatePreferencesBody = z.strictObject({
  channels: z.strictObject(channelFlags).optional(),
  workflowId: nonEmptyText.optional(),
  schedule: scheduleBody.optional(),
});

/** Body of PATCH `/v2/subscribers/{subscriberId}/preferences/bulk`: 1 to 100 workflows. */
export const updateManyPreferencesBody = z.strictObject({
  preferences: z
    .array(z.strictObject({ workflowId: nonEmptyText, channels: z.strictObject(channelFlags) }))
    .min(1, 'no preferences: at least 1 is needed')
    .max(
      limits.preferencesPerRequest,
      `too many preferences: at most ${limits.preferencesPerRequest} in a request`,
    ),
});

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

export type Preferences = z.output<typeof preferences>;
export type WorkflowPreference = z.output<typeof workflowPreference>;
export type ChannelSwitches = z.output<typeof channelSwitches>;
export type Schedule = z.output<typeof schedule>;
export type UpdatedPreferences = z.output<typeof updatedPreferences>;
