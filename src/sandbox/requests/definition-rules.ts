// The checks of the service on workflows and layouts. Those of `fields` come first, and are reported together.
import type { OperationId } from '../../api/operations/index.ts';
import { orderDirections, severities, workflowOrigins } from '../../api/schemas/vocabulary.ts';
import { isJsonSchema } from '../engine/payload-schema.ts';
import * as rules from './rules.ts';
import { type Field, type Fields, optional, type RequestRules, required } from './rules.ts';

const { isArray, isBoolean, isInteger, isObject, isString, min } = rules;

const identifierPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const isIdentifier = rules.matches(
  identifierPattern,
  () => 'must be a valid slug format (lowercase letters, numbers, and hyphens only)',
);
const isNested = rules.satisfies(
  (value) => typeof value === 'object' && value !== null,
  (name) => `nested property ${name} must be either object or array`,
);

/** The control values of a type that the service does not know are not checked. */
const withControls = ['in_app', 'email', 'sms', 'chat', 'push', 'digest', 'delay', 'custom'];
const hasCheckedControls = rules.satisfies(isUnchecked, () => 'controlValues must be an object');

function isUnchecked(step: unknown): boolean {
  const { type, controlValues } = (step ?? {}) as { type?: unknown; controlValues?: unknown };
  if (controlValues === undefined || controlValues === null) return true;
  const isObjectValue = typeof controlValues === 'object' && !Array.isArray(controlValues);
  return isObjectValue || !withControls.includes(String(type));
}

/** An object is checked like a list with this one step. */
const isStepList = rules.satisfies(
  (value) => typeof value === 'object' && value !== null,
  (name) => `${name} must be an array`,
);
const isNotNull = rules.satisfies(
  (value) => value !== null,
  (name) => `each value in nested property ${name} must be either object or array`,
);

const steps: Field = {
  ...required(isStepList, isNotNull),
  itemRules: [hasCheckedControls],
  fields: {
    _id: optional(isString()),
    stepId: optional(isIdentifier, isString()),
    name: required(isString()),
  },
};

const payloadSchema = optional(
  rules.satisfies(isJsonSchema, () => 'payloadSchema must be a valid JSON schema'),
);

const content: Fields = {
  description: optional(isString()),
  tags: optional(rules.areStrings, isArray),
  active: optional(isBoolean),
  validatePayload: optional(isBoolean),
  payloadSchema,
  isTranslationEnabled: optional(isBoolean),
};
const severity = optional(rules.isOneOf(severities));

export const definitionRules: { [Id in OperationId]?: RequestRules } = {
  createWorkflow: {
    body: {
      fields: {
        workflowId: required(isIdentifier, isString()),
        steps,
        __source: optional(),
        severity,
        name: required(isString()),
        ...content,
      },
    },
  },
  updateWorkflow: {
    body: {
      fields: {
        steps,
        preferences: { rules: [isNested], isRequired: 'null' },
        origin: required(rules.isOneOf(workflowOrigins)),
        severity,
        name: required(isString()),
        ...content,
      },
    },
  },
  patchWorkflow: {
    body: {
      fields: { ...content, name: optional(isString()) },
    },
  },
  listLayouts: {
    query: {
      fields: {
        limit: optional(min(1), isInteger),
        offset: optional(min(0), isInteger),
        orderDirection: optional(rules.isOneOf(orderDirections)),
        orderBy: optional(rules.isOneOf(['createdAt', 'updatedAt', 'name'])),
      },
    },
  },
  createLayout: {
    body: {
      fields: {
        layoutId: required(isString()),
        name: required(isString()),
        isTranslationEnabled: optional(isBoolean),
        __source: optional(rules.isOneOf(['dashboard'])),
      },
    },
  },
  updateLayout: {
    body: {
      fields: {
        name: required(isString()),
        isTranslationEnabled: optional(isBoolean),
        controlValues: optional(isObject),
      },
    },
  },
  duplicateLayout: {
    body: {
      fields: { name: required(isString()), isTranslationEnabled: optional(isBoolean) },
    },
  },
};
