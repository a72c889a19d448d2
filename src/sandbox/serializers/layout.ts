// Serializes layouts: the listing has them without schemas and content.
import { isObject } from '../../core/objects.ts';
import type { Layout } from '../../service/schemas/layouts.ts';
import type { StoredLayout } from '../store/layouts.ts';
import { createSlug } from '../values/slugs.ts';
import { contextSchema, subscriberSchema } from './step-variables.ts';
import { usedVariables } from './used-variables.ts';
import { author } from './workflow.ts';

export const layoutDataSchema = {
  type: 'object',
  properties: {
    email: {
      type: 'object',
      properties: {
        body: { type: 'string', minLength: 1 },
        editorType: { type: 'string', enum: ['block', 'html'], default: 'block' },
      },
      required: ['body'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
  $schema: 'http://json-schema.org/draft-07/schema#',
};

const layoutUiSchema = {
  group: 'LAYOUT',
  properties: {
    email: {
      component: 'LAYOUT_EMAIL',
      properties: {
        body: { component: 'EMAIL_BODY', placeholder: '' },
        editorType: { component: 'EMAIL_EDITOR_SELECT', placeholder: 'block' },
      },
    },
  },
};

/** The variables of a layout as a JSON Schema. It has no payload. */
export function layoutVariables(email: object): Record<string, unknown> {
  const { subscriber, context } = usedVariables(Object.values(email));
  return {
    type: 'object',
    properties: {
      subscriber: subscriberSchema(isObject(subscriber) ? subscriber.data : {}),
      content: { type: 'string' },
      context: contextSchema(context),
    },
    additionalProperties: false,
  };
}

export function serializeLayoutSummary(layout: StoredLayout): Layout {
  const { id, layoutId, name, isDefault, createdAt, updatedAt } = layout;
  return {
    _id: id,
    layoutId,
    name,
    slug: createSlug(name, 'lt', id),
    isDefault,
    updatedAt,
    createdAt,
    origin: 'novu-cloud',
    type: 'BRIDGE',
    variables: {},
    controls: { values: {} },
    isTranslationEnabled: layout.isTranslationEnabled ?? false,
  };
}

export function serializeLayout(layout: StoredLayout): Layout {
  const { body, editorType, isChanged } = layout;
  const email = { ...(body === undefined ? {} : { body }), ...(editorType ? { editorType } : {}) };
  const hasValues = Object.keys(email).length > 0;
  return {
    ...serializeLayoutSummary(layout),
    ...(isChanged ? { updatedBy: author } : {}),
    variables: layoutVariables(email),
    controls: {
      uiSchema: layoutUiSchema,
      dataSchema: layoutDataSchema,
      values: hasValues ? { email } : {},
    },
  };
}
