// The checks of the service on workflows and layouts. Those of `fields` come first, and are reported together.

import { isObject as isObjectValue } from '../../core/objects.ts';
import type { OperationId } from '../operations/index.ts';
import { isJsonSchema } from '../payload-schema.ts';
import { orderDirections, severities, workflowOrigins } from '../schemas/vocabulary.ts';
import * as rules from './rules.ts';
import {
  type Field,
  type Fields,
  nested,
  optional,
  type RequestRules,
  type Rule,
  required,
} from './rules.ts';

const { isArray, isBoolean, isObject, isString } = rules;

const identifierPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const isIdentifier = rules.matches(
  identifierPattern,
  () => 'must be a valid slug format (lowercase letters, numbers, and hyphens only)',
);
/** The control values of a step whose type the service does not know here are not checked. */
const hasControls =
  (types: readonly string[]): Rule =>
  (value, name, { parent }) =>
    types.includes(String(Reflect.get(parent, 'type'))) && !isObjectValue(value)
      ? `${name} must be an object`
      : undefined;

const updatedTypes = ['in_app', 'email', 'sms', 'push', 'chat', 'delay', 'digest', 'custom'];

const steps = (types: readonly string[]): Field => ({
  ...required(isArray),
  fields: {
    controlValues: optional(hasControls(types)),
    _id: optional(isString()),
    stepId: optional(isIdentifier, isString()),
    name: required(isString()),
  },
  isList: true,
});

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

const flag: Field = { rules: [isBoolean], isRequired: 'null' };
/** Absent flags have defaults; null is not absent. */
export const preferenceFlags: Field = {
  ...nested({ enabled: flag, readOnly: flag }),
  isRequired: 'null',
};
const preferences = nested({
  all: preferenceFlags,
  channels: { ...nested({ enabled: flag }), isRequired: 'null' },
});

const creationSources = [
  ...['template_store', 'editor', 'notification_directory', 'onboarding_digest_demo'],
  ...['onboarding_in_app', 'empty_state', 'dropdown', 'onboarding_get_started', 'bridge'],
  'dashboard',
];

export const definitionRules: { [Id in OperationId]?: RequestRules } = {
  createWorkflow: {
    body: {
      fields: {
        workflowId: required(isIdentifier, isString()),
        steps: steps([...updatedTypes, 'throttle']),
        __source: optional(rules.isOneOf(creationSources)),
        severity,
        name: required(isString()),
        ...content,
      },
    },
  },
  updateWorkflow: {
    body: {
      fields: {
        steps: steps(updatedTypes),
        preferences: {
          ...nested({ user: preferences, workflow: preferences }),
          isRequired: 'null',
        },
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
        ...rules.offsetPaging,
        orderDirection: optional(rules.isOneOf(orderDirections)),
        orderBy: optional(rules.isOneOf(['createdAt', 'updatedAt', 'name']), isString()),
        query: optional(isString()),
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
        controlValues: nested({ email: nested({}) }),
      },
    },
  },
  previewLayout: { body: { fields: { controlValues: optional(isObject) } } },
  duplicateLayout: {
    body: {
      fields: { name: required(isString()), isTranslationEnabled: optional(isBoolean) },
    },
  },
};
