// Conditions of integrations and steps (specification: Resources, Integration).
import { z } from 'zod';
import { openEnum } from './values.ts';
import { filterJoins, filterOperators, filterSubjects, filterTypes } from './vocabulary.ts';

const fieldFilterPart = z.looseObject({
  field: z.string(),
  value: z.string(),
  operator: openEnum(filterOperators),
  on: openEnum(filterSubjects),
});

/** A condition in a response. */
export const stepFilter = z.looseObject({
  isNegated: z.boolean(),
  type: openEnum(filterTypes),
  value: openEnum(filterJoins),
  children: z.array(fieldFilterPart),
});

/** A condition in a request. */
export const stepFilterBody = z.strictObject({
  isNegated: z.boolean(),
  type: z.enum(filterTypes),
  value: z.enum(filterJoins),
  children: z.array(
    z.strictObject({
      field: z.string(),
      value: z.string(),
      operator: z.enum(filterOperators),
      on: z.enum(filterSubjects),
    }),
  ),
});

export type StepFilter = z.output<typeof stepFilter>;
