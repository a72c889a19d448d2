// Timing of digests and delays, as messages and jobs carry it
// (specification: Resources, Message; Resources, Triggered event activity item).
import { z } from 'zod';
import { openEnum } from './open.ts';
import { monthlyTypes, ordinals, timeUnits, weekDays } from './vocabulary.ts';

/** A length of time. */
export const windowFields = {
  amount: z.number().optional(),
  unit: openEnum(timeUnits).optional(),
};

/** A digest's window, and the payload field whose values are digested apart. */
export const digestFields = { ...windowFields, digestKey: z.string().optional() };

export const backoffFields = {
  backoff: z.boolean().optional(),
  backoffAmount: z.number().optional(),
  backoffUnit: openEnum(timeUnits).optional(),
  updateMode: z.boolean().optional(),
};

/** When a timed digest ends: at a time of day, on days of the week or of the month. */
export const timedDigest = z.looseObject({
  atTime: z.string().optional(),
  weekDays: z.array(openEnum(weekDays)).optional(),
  monthDays: z.array(z.number()).optional(),
  ordinal: openEnum(ordinals).optional(),
  ordinalValue: z.string().optional(),
  monthlyType: openEnum(monthlyTypes).optional(),
});
