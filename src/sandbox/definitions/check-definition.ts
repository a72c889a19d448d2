// The checks of the service on a workflow after those of its request: limits, with the path of each mistake.

import { limits } from '../../service/limits.ts';
import { preferenceFlags } from '../../service/rules/definition-rules.ts';
import {
  type Field,
  type Fields,
  isDefined,
  isNotEmpty,
  isObject,
  isOneOf,
  isString,
  nested,
  optional,
  required,
  satisfies,
} from '../../service/rules/rules.ts';
import { channelOrders, stepTypes } from '../../service/schemas/vocabulary.ts';
import { type ErrorsByPath, findErrors, messagesByPath } from '../requests/find-errors.ts';
import { badRequest, unprocessable } from '../values/http-error.ts';

interface Definition {
  name?: unknown;
  description?: unknown;
  tags?: unknown;
  steps?: unknown;
  preferences?: unknown;
}

const length = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const isNameText = [
  satisfies(
    (value) => length(value) <= limits.workflowName,
    (name) => `${name} must be shorter than or equal to ${limits.workflowName} characters`,
  ),
  satisfies(
    (value) => length(value) >= 1,
    (name) => `${name} must be longer than or equal to 1 characters`,
  ),
  isNotEmpty,
];
const hasFewTags = satisfies(
  (value) => !Array.isArray(value) || value.length <= limits.tagsPerWorkflow,
  (name) => `${name} must contain no more than ${limits.tagsPerWorkflow} elements`,
);
const isShortDescription = satisfies(
  (value) => length(value) <= limits.workflowDescription,
  (name) => `${name} must be shorter than or equal to ${limits.workflowDescription} characters`,
);
const areUnique = satisfies(
  (value) => !Array.isArray(value) || new Set(value).size === value.length,
  (name) => `All ${name}'s elements must be unique`,
);
const areShortTags = satisfies(
  (value) =>
    !Array.isArray(value) ||
    value.every((tag) => length(tag) >= 1 && length(tag) <= limits.workflowName),
  (name) =>
    `each value in ${name} must be longer than or equal to 1 and shorter than or equal to ${limits.workflowName} characters`,
);

const level = nested({
  all: preferenceFlags,
  channels: {
    ...nested({ enabled: optional() }),
    rules: [isObject],
    isRequired: true,
    isList: true,
  },
});
const definition: Fields = {
  workflowId: optional(isString()),
  steps: nested({
    name: required(isDefined(), ...isNameText, isString()),
    type: required(isDefined(), isNotEmpty, isOneOf(stepTypes)),
  }),
  preferences: nested({ user: level, workflow: level }),
  name: required(...isNameText),
  tags: optional(hasFewTags),
};
const details: Fields = {
  description: optional(isShortDescription),
  tags: optional(areUnique, areShortTags),
};
const channels: Field = nested(
  Object.fromEntries(channelOrders.workflowChecks.map((name) => [name, required(isObject)])),
);

/** Throws the mistakes of the name, the steps and the preferences. */
export function checkDefinition(workflow: Definition): void {
  if (!Array.isArray(workflow.steps)) throw badRequest('steps must be an array');
  report(messagesByPath(findErrors(definition, workflow), 'workflowDto.'));
}

/** Throws the mistakes that the service looks for later. */
export function checkDetails(workflow: Definition): void {
  const { user, workflow: own } = asObject(workflow.preferences);
  report({
    ...messagesByPath(findErrors(details, workflow)),
    ...channelErrors(user, 'userPreferences.'),
    ...channelErrors(own, 'defaultPreferences.'),
  });
}

/** Throws if the name of a layout is empty or too long. */
export const checkLayoutName = (name: unknown): void =>
  report(messagesByPath(findErrors({ name: required(...isNameText) }, { name }), 'layoutDto.'));

export function checkStepCount(count: number): void {
  if (count <= limits.stepsPerWorkflow) return;
  throw badRequest(
    `Workflow steps limit exceeded. Maximum allowed steps is ${limits.stepsPerWorkflow}, but got ${count} steps.`,
    { context: { providedStepsCount: count, maxSteps: limits.stepsPerWorkflow } },
  );
}

function report(errors: ErrorsByPath): void {
  if (Object.keys(errors).length === 0) return;
  throw unprocessable('Validation failed', { members: { errors } });
}

const channelErrors = (preferences: unknown, path: string): ErrorsByPath =>
  messagesByPath(findErrors({ channels }, preferences), path);

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
