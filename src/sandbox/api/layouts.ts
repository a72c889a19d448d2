// Lists, creates, changes, copies and deletes the layouts of e-mails.

import type { Layout } from '../../service/schemas/layouts.ts';
import { conflict } from '../http/http-error.ts';
import {
  findLayout,
  insertLayout,
  type LayoutBody,
  listLayouts as listStoredLayouts,
  removeLayout,
  type StoredLayout,
  saveLayout,
  searchLayouts,
} from '../store/layouts.ts';
import type { Scope } from '../store/scope.ts';
import { createSlug, idInSlug, slugify } from '../store/slugs.ts';
import { environmentNames } from '../store/variables.ts';
import { allWorkflows, type StepDefinition, saveWorkflow } from '../store/workflows.ts';
import { checkLayoutName, layoutNotFound } from '../templates/definition.ts';
import {
  checkLayout,
  layoutDataSchema,
  layoutVariables,
  type PreviewRequest,
  previewLayoutContent,
} from '../templates/layout.ts';
import type { Handler } from './handler.ts';
import { author } from './workflows.ts';

export const listLayouts: Handler<'listLayouts'> = ({ query, scope }) => {
  const { layouts, totalCount } = searchLayouts(scope, {
    query: query.query,
    orderBy: query.orderBy ?? 'createdAt',
    orderDirection: query.orderDirection ?? 'DESC',
    limit: query.limit ?? 50,
    offset: query.offset ?? 0,
  });
  return { layouts: layouts.map(serializeLayoutSummary), totalCount };
};

export const getLayout: Handler<'getLayout'> = ({ path: { layoutId }, scope }) =>
  serializeLayout(scope, requireLayout(scope, layoutId));

/** A new layout always has the empty document; its content can be given only by an update. */
export const createLayout: Handler<'createLayout'> = ({ body: { layoutId, name }, scope }) => {
  checkLayoutName(scope, name);
  return addLayout(scope, layoutId || slugify(name), name, {
    body: emptyDocument,
    editorType: 'block',
  });
};

export const updateLayout: Handler<'updateLayout'> = ({
  path: { layoutId },
  body: { name, controlValues, isTranslationEnabled },
  scope,
}) => {
  checkLayoutName(scope, name);
  if (controlValues) checkLayout(scope, controlValues, environmentNames(scope));
  const { body, editorType, ...layout } = requireLayout(scope, layoutId);
  const content = controlValues === undefined ? { body, editorType } : (controlValues?.email ?? {});
  const isTranslated = isTranslationEnabled ?? layout.isTranslationEnabled;
  const changed = { ...layout, name, ...content, isTranslationEnabled: isTranslated };
  saveLayout(scope, { ...changed, isChanged: true });
  return serializeLayout(scope, requireLayout(scope, layout.id));
};

export const deleteLayout: Handler<'deleteLayout'> = ({ path, scope }) => {
  const layout = requireLayout(scope, path.layoutId);
  if (layout.isDefault) {
    throw conflict(
      `Layout with id ${path.layoutId} is being used as a default layout, it can not be deleted`,
    );
  }
  for (const workflow of workflowsWith(scope, layout)) {
    saveWorkflow(scope, {
      ...workflow,
      steps: workflow.steps.map((step) => without(step, layout)),
    });
  }
  removeLayout(scope, layout.id);
  return undefined;
};

export const duplicateLayout: Handler<'duplicateLayout'> = ({
  path: { layoutId },
  body: { name },
  scope,
}) => {
  checkLayoutName(scope, name);
  const { body, editorType } = requireLayout(scope, layoutId);
  return addLayout(scope, slugify(name), name, { body, editorType });
};

export const getLayoutUsage: Handler<'getLayoutUsage'> = ({ path: { layoutId }, scope }) => ({
  workflows: workflowsWith(scope, requireLayout(scope, layoutId)).map(({ name, identifier }) => ({
    name,
    workflowId: identifier,
  })),
});

export const previewLayout: Handler<'previewLayout'> = ({ path: { layoutId }, body, scope }) =>
  previewLayoutContent(requireLayout(scope, layoutId), body as PreviewRequest, scope);

/** Finds a layout by identifier, internal id or slug. */
function requireLayout(scope: Scope, layoutId: string): StoredLayout {
  const layout = findLayout(scope, layoutId) ?? findLayout(scope, idInSlug(layoutId, 'lt') ?? '');
  if (!layout) throw layoutNotFound(scope, layoutId);
  return layout;
}

/** The first layout of an environment is its default one. */
function addLayout(scope: Scope, layoutId: string, name: string, content: LayoutBody) {
  const { environmentId, now, ids } = scope;
  const layouts = listStoredLayouts(scope);
  if (layouts.some((layout) => layout.layoutId === layoutId)) {
    throw conflict(
      `Layout with identifier: ${layoutId} already exists under environment ${environmentId}`,
    );
  }
  const id = ids.objectId();
  const isDefault = !layouts.some((layout) => layout.isDefault);
  const times = { createdAt: now, updatedAt: now };
  insertLayout(scope, { id, layoutId, name, isDefault, ...times, ...content });
  return serializeLayout(scope, requireLayout(scope, id));
}

const uses = ({ controlValues }: StepDefinition, { layoutId }: StoredLayout) =>
  controlValues.layoutId === layoutId;

const workflowsWith = (scope: Scope, layout: StoredLayout) =>
  allWorkflows(scope).filter(({ steps }) => steps.some((step) => uses(step, layout)));

function without(step: StepDefinition, layout: StoredLayout): StepDefinition {
  if (!uses(step, layout)) return step;
  const { layoutId: _, ...controlValues } = step.controlValues;
  return { ...step, controlValues };
}

const paragraph = (textAlign: string | null, content: object) => ({
  type: 'paragraph',
  attrs: { textAlign, showIfKey: null },
  content: [content],
});
const space = { type: 'text', text: ' ' };
const contentVariable = {
  type: 'variable',
  attrs: { id: 'content', label: null, fallback: null, required: false, aliasFor: null },
};
const emptyDocument = JSON.stringify({
  type: 'doc',
  content: [paragraph(null, space), paragraph('left', contentVariable), paragraph(null, space)],
});

// Serializes layouts: the listing has them without schemas and content.

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

function serializeLayoutSummary(layout: StoredLayout): Layout {
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

function serializeLayout(scope: Scope, layout: StoredLayout): Layout {
  const { body, editorType, isChanged } = layout;
  const email = { ...(body === undefined ? {} : { body }), ...(editorType ? { editorType } : {}) };
  const hasValues = Object.keys(email).length > 0;
  return {
    ...serializeLayoutSummary(layout),
    ...(isChanged ? { updatedBy: author } : {}),
    variables: layoutVariables(email, environmentNames(scope)),
    controls: {
      uiSchema: layoutUiSchema,
      dataSchema: layoutDataSchema,
      values: hasValues ? { email } : {},
    },
  };
}
