// Bodies that create and change workflows (not in the specification). A request can have everything that some version
// of the service accepts, also members that svc does not know; the rules are those of version 3.11.

import { z } from 'zod';
import { isObject } from '../../core/objects.ts';
import { limits } from '../limits.ts';
import { checked, checksOfList, readFields } from '../rules/checked.ts';
import { preferenceFlags, switchField } from '../rules/definition-rules.ts';
import { identifierForm, identifierPattern, slugPattern } from '../rules/formats.ts';
import {
  isArray,
  isOneOf,
  isString,
  matches,
  nested,
  optional,
  type Rule,
  required,
  sinceVersion,
} from '../rules/rules.ts';
import { checkedName, jsonObject, nonEmptyText, openEnum } from './values.ts';
import { allStepTypes, severities, workflowOrigins } from './vocabulary.ts';
import { workflow, workflowSettings } from './workflows.ts';

const flag = z.boolean().optional();

const isSlug = sinceVersion(
  '3.12',
  matches(
    identifierPattern,
    (name) =>
      `${name} must be a valid slug format (letters, numbers, hyphens, dot and underscores only)`,
  ),
  matches(
    slugPattern,
    () => 'must be a valid slug format (lowercase letters, numbers, and hyphens only)',
  ),
);

const workflowIdentifier = nonEmptyText.regex(identifierPattern, identifierForm);

const channelPreference = z.looseObject({ enabled: flag });
const preferenceLevel = z.looseObject({
  all: z.looseObject({ enabled: flag, readOnly: flag }).optional(),
  channels: z
    .looseObject({
      email: channelPreference,
      sms: channelPreference,
      in_app: channelPreference,
      chat: channelPreference,
      push: channelPreference,
    })
    .optional(),
});
const preferenceField = nested({
  all: preferenceFlags,
  channels: { ...nested({ enabled: switchField }), isRequired: 'null' },
});

/** Preferences in a request: `workflow` is `default` in the response. */
const preferencesBody = z.looseObject({
  user: checked(preferenceLevel.nullable().optional(), preferenceField),
  workflow: checked(preferenceLevel.nullable().optional(), preferenceField),
});

/** The service looks at the type of a step here only to check its control values, and not for every type. */
const hasControls =
  (types: readonly string[]): Rule =>
  (value, name, { parent }) =>
    types.includes(String(Reflect.get(parent, 'type'))) && !isObject(value)
      ? `${name} must be an object`
      : undefined;

const stepWith = (types: readonly string[]) =>
  z.looseObject({
    controlValues: checked(jsonObject.nullable().optional(), optional(hasControls(types))),
    _id: checkedName,
    stepId: checked(workflowIdentifier.optional(), optional(isSlug, isString())),
    name: checked(nonEmptyText, required(isString())),
    type: openEnum(allStepTypes),
  });
const updatedTypes = ['in_app', 'email', 'sms', 'push', 'chat', 'delay', 'digest', 'custom'];
const createdStep = stepWith([...updatedTypes, 'throttle']);

/** A step in a request. A step with an unknown `_id` is created without its control values. */
const stepBody = stepWith(updatedTypes);

const stepList = (step: typeof stepBody) =>
  checked(
    z.array(step).max(limits.stepsPerWorkflow, `more than ${limits.stepsPerWorkflow} steps`),
    checksOfList(required(isArray), step),
  );

const name = nonEmptyText.max(limits.workflowName, `longer than ${limits.workflowName} characters`);
const requiredName = checked(name, required(isString()));
const severity = checked(openEnum(severities).optional(), optional(isOneOf(severities)));

const creationSources = [
  ...['template_store', 'editor', 'notification_directory', 'onboarding_digest_demo'],
  ...['onboarding_in_app', 'empty_state', 'dropdown', 'onboarding_get_started', 'bridge'],
  'dashboard',
];

export const createWorkflowBody = z.looseObject({
  workflowId: checked(workflowIdentifier, required(isSlug, isString())),
  steps: stepList(createdStep),
  __source: checked(z.string().optional(), optional(isOneOf(creationSources))),
  severity,
  name: requiredName,
  ...workflowSettings,
  preferences: preferencesBody.optional(),
});

/** Body of PUT `/v2/workflows/{workflowId}`. Fields that are left out are reset, except the descriptive ones. */
export const updateWorkflowBody = z.looseObject({
  workflowId: workflowIdentifier.optional(),
  steps: stepList(stepBody),
  preferences: checked(preferencesBody.optional(), {
    ...nested(readFields(preferencesBody)),
    isRequired: 'null',
  }),
  origin: checked(z.enum(workflowOrigins), {
    rules: [isOneOf(workflowOrigins)],
    isRequired: { until: '3.19' },
  }),
  severity,
  name: requiredName,
  ...workflowSettings,
});

/** Body of PATCH `/v2/workflows/{workflowId}`. Null and absent fields are kept. */
export const patchWorkflowBody = z.strictObject({
  ...workflowSettings,
  name: checked(name.optional(), optional(isString())),
});

export { emptyResponse } from './values.ts';
export { workflow };
