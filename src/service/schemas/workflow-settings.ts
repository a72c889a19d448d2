// The settings of a workflow: what it is besides its identifier, its name, its preferences and its steps. Requests,
// responses, state files and workflow files have the same.
import { z } from 'zod';
import { isJsonSchema } from '../payload-schema.ts';
import { checked } from '../rules/checked.ts';
import { areStrings, isArray, isString, optional, rule } from '../rules/rules.ts';
import { checkedFlag, jsonObject } from './values.ts';
import type { Severity } from './vocabulary.ts';

/** In the order in which the service checks them. */
export const workflowSettings = {
  description: checked(z.string().nullable().optional(), optional(isString())),
  tags: checked(z.array(z.string()).nullable().optional(), optional(areStrings, isArray)),
  active: checkedFlag,
  validatePayload: checkedFlag,
  payloadSchema: checked(
    jsonObject.nullable().optional(),
    optional(rule(isJsonSchema, () => 'payloadSchema must be a valid JSON schema')),
  ),
  isTranslationEnabled: checkedFlag,
};

export type WorkflowSettings = z.output<z.ZodObject<typeof workflowSettings>> & {
  severity?: Severity | undefined;
};
