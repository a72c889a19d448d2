// The checks of the service on a workflow that follow the checks of its request, and on the name of a layout.
import { limits } from '../limits.ts';
import { allStepTypes, channelOrders, stepTypes } from '../schemas/vocabulary.ts';
import {
  type Field,
  type Fields,
  hasAtLeastCharacters,
  isBoolean,
  isDefined,
  isNotEmpty,
  isObject,
  isOneOf,
  isString,
  nested,
  optional,
  required,
  rule,
  sinceVersion,
} from './rules.ts';

export const switchField: Field = { rules: [isBoolean], isRequired: 'null' };
/** Absent flags have defaults; null is not absent. */
export const preferenceFlags: Field = {
  ...nested({ enabled: switchField, readOnly: switchField }),
  isRequired: 'null',
};

const length = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const isShort = (most: number) =>
  rule(
    (value) => length(value) <= most,
    (name) => `${name} must be shorter than or equal to ${most} characters`,
  );
const nameChecks = [
  sinceVersion('3.19', isShort(limits.workflowName), isShort(limits.workflowTag)),
  hasAtLeastCharacters(1),
  isNotEmpty,
];
const hasFewTags = rule(
  (value) => !Array.isArray(value) || value.length <= limits.tagsPerWorkflow,
  (name) => `${name} must contain no more than ${limits.tagsPerWorkflow} elements`,
);
const areUnique = rule(
  (value) => !Array.isArray(value) || new Set(value).size === value.length,
  (name) => `All ${name}'s elements must be unique`,
);
const areShortTags = rule(
  (value) =>
    !Array.isArray(value) ||
    value.every((tag) => length(tag) >= 1 && length(tag) <= limits.workflowTag),
  (name) =>
    `each value in ${name} must be longer than or equal to 1 and shorter than or equal to ${limits.workflowTag} characters`,
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

/** The name, the steps and the preferences of a workflow. */
export const definitionFields: Fields = {
  workflowId: optional(isString()),
  steps: nested({
    name: required(isDefined(), ...nameChecks, isString()),
    type: required(
      isDefined(),
      isNotEmpty,
      sinceVersion('3.15', isOneOf(allStepTypes), isOneOf(stepTypes)),
    ),
  }),
  preferences: nested({ user: level, workflow: level }),
  name: required(...nameChecks),
  tags: optional(hasFewTags),
};

/** The mistakes of a workflow that the service looks for last. */
export const detailFields: Fields = {
  description: optional(isShort(limits.workflowDescription)),
  tags: optional(areUnique, areShortTags),
};

/** Workflow preferences, if set, must name every channel. */
export const channelFields: Fields = {
  channels: nested(
    Object.fromEntries(channelOrders.workflowChecks.map((name) => [name, required(isObject)])),
  ),
};

export const layoutFields: Fields = { name: required(...nameChecks) };
