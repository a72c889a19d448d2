// Variables of the organization, which templates read as `env.<key>`, since 3.15. Each has a value for some environments.
import { z } from 'zod';
import { limits } from '../limits.ts';
import { checked } from '../rules/checked.ts';
import { variableKeyPattern } from '../rules/formats.ts';
import {
  hasAtMostCharacters,
  isArray,
  isDefined,
  isString,
  matches,
  nested,
  optional,
  required,
} from '../rules/rules.ts';
import { checkedFlag, openEnum } from './values.ts';

/** The service shows this text instead of a secret value, and refuses it as a value. */
export const hiddenValue = '••••••••';

const storedValue = z.looseObject({ _environmentId: z.string(), value: z.string() });

/** A key of the service sees only the value of its environment. */
export const variable = z.looseObject({
  _id: z.string(),
  _organizationId: z.string(),
  key: z.string(),
  type: openEnum(['string']),
  isSecret: z.boolean(),
  values: z.array(storedValue),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});

export const variableList = z.array(variable);

export const listVariablesQuery = z.strictObject({ search: z.string().optional() });

const keyMessage = 'Key must start with a letter and contain only letters, digits, and underscores';
const most = limits.environmentVariableText;

const key = z
  .string()
  .regex(variableKeyPattern, 'must start with a letter and contain only letters, digits and _')
  .max(most, `longer than ${most} characters`);

const values = checked(
  z
    .array(
      z.strictObject({
        _environmentId: z.string(),
        value: z
          .string()
          .max(most, `longer than ${most} characters`)
          .refine((text) => text !== hiddenValue, 'is the mask of a secret, not its value'),
      }),
    )
    .optional(),
  nested(
    {
      _environmentId: required(isDefined(), isString()),
      value: required(isDefined(), hasAtMostCharacters(most), isString()),
    },
    isArray,
  ),
);

export const createVariableBody = z.strictObject({
  key: checked(
    key,
    required(
      matches(variableKeyPattern, () => keyMessage),
      hasAtMostCharacters(most),
    ),
  ),
  type: z.enum(['string']).optional(),
  isSecret: checkedFlag,
  values,
});

/**
 * Body of PATCH `/v1/environment-variables/{variableKey}`. Values of other environments are kept. A key of the service
 * cannot change `key`, `type` and `isSecret` (403).
 */
export const updateVariableBody = z.strictObject({
  key: checked(key.optional(), optional(matches(variableKeyPattern, () => keyMessage))),
  type: z.enum(['string']).optional(),
  isSecret: checkedFlag,
  values,
});

export const variableUsage = z.looseObject({
  workflows: z.array(z.looseObject({ name: z.string(), workflowId: z.string() })),
});

export { emptyResponse } from './values.ts';

export type EnvironmentVariable = z.output<typeof variable>;
