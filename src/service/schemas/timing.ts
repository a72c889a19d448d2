// Timing of digests and delays in messages and jobs
// (specification: Resources, Message; Resources, Triggered event activity item).
import { z } from 'zod';
import { openEnum } from './open-enum.ts';
import { monthlyTypes, ordinals, timeUnits, weekDays } from './vocabulary.ts';

/** A duration. */
export const windowFields = {
  amount: z.number().optional(),
  unit: openEnum(timeUnits).optional(),
};

/** The window of a digest, and the payload field by which events are grouped into digests. */
export const digestFields = { ...windowFields, digestKey: z.string().optional() };

export const backoffFields = {
  backoff: z.boolean().optional(),
  backoffAmount: z.number().optional(),
  backoffUnit: openEnum(timeUnits).optional(),
  updateMode: z.boolean().optional(),
};

/** The end of a timed digest: a time of day, and days of the week or month. */
export const timedDigest = z.looseObject({
  atTime: z.string().optional(),
  weekDays: z.array(openEnum(weekDays)).optional(),
  monthDays: z.array(z.number()).optional(),
  ordinal: openEnum(ordinals).optional(),
  ordinalValue: z.string().optional(),
  monthlyType: openEnum(monthlyTypes).optional(),
});
