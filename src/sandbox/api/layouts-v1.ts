// Layouts in version 1 of the routes. They are only stored: e-mails of version 2 workflows do not use them.
import { limits } from '../../service/limits.ts';
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import { userId } from '../store/ids.ts';
import type { Scope } from '../store/scope.ts';
import { createRecordKind, type StoredRecord } from '../store/table.ts';
import type { Handler } from './handler.ts';
import { checkPageSize } from './parameters.ts';

interface Layout {
  name: string;
  identifier: string;
  content: string;
  description?: string | undefined;
  variables?: unknown;
  isDefault: boolean;
}

const layouts = createRecordKind<Layout>('layout');

const serialize = (
  { environmentId, organizationId }: Scope,
  { id, kind: _, key: _key, ...layout }: StoredRecord<Layout>,
) => ({
  _id: id,
  _environmentId: environmentId,
  _organizationId: organizationId,
  _creatorId: userId,
  channel: 'email',
  contentType: 'customHtml',
  variables: [],
  ...layout,
  isDeleted: false,
  controls: {},
});

const defaultPageSize = 10;

/** `orderBy` 1 sorts upwards. */
export const listLayoutsV1: Handler<'listLayoutsV1'> = ({
  query: { page = 0, pageSize = defaultPageSize, orderBy },
  scope,
}) => {
  checkPageSize('Page size', pageSize, limits.page.layoutsV1);
  const all = layouts.all(scope);
  const sorted = orderBy === 1 ? all : all.toReversed();
  const data = sorted.slice(page * pageSize, (page + 1) * pageSize);
  const serialized = data.map((layout) => serialize(scope, layout));
  return { page, totalCount: all.length, pageSize, data: serialized };
};

export const getLayoutV1: Handler<'getLayoutV1'> = ({ path: { layoutId }, scope }) =>
  serialize(scope, requireLayout(scope, layoutId));

export const createLayoutV1: Handler<'createLayoutV1'> = ({ body, scope }) => {
  const { identifier, isDefault = false } = body;
  checkContent(body.content);
  checkUnused(scope, identifier);
  const { id } = layouts.insert(scope, identifier, { ...body, isDefault });
  if (isDefault) makeDefault(scope, id);
  return { _id: id };
};

/** Empty texts are ignored. */
export const updateLayoutV1: Handler<'updateLayoutV1'> = ({ path: { layoutId }, body, scope }) => {
  const current = requireLayout(scope, layoutId);
  const { identifier = '', isDefault } = body;
  if (identifier && identifier !== current.identifier) checkUnused(scope, identifier);
  if (isDefault === false && current.isDefault) throw conflict('One default layout is required');
  const changes = Object.entries(body).filter(([, value]) => value !== undefined && value !== '');
  const changed = { ...current, ...Object.fromEntries(changes) };
  checkContent(changed.content);
  layouts.update(scope, { ...changed, key: changed.identifier });
  if (isDefault) makeDefault(scope, current.id);
  return serialize(scope, requireLayout(scope, current.id));
};

export const deleteLayoutV1: Handler<'deleteLayoutV1'> = ({ path: { layoutId }, scope }) => {
  const { id, isDefault } = requireLayout(scope, layoutId);
  if (isDefault) {
    throw conflict(
      `Layout with id ${layoutId} is being used as your default layout, so it can not be deleted`,
    );
  }
  layouts.remove(scope, id);
  return undefined;
};

export const setDefaultLayout: Handler<'setDefaultLayout'> = ({ path: { layoutId }, scope }) => {
  makeDefault(scope, requireLayout(scope, layoutId).id);
  return undefined;
};

function makeDefault(scope: Scope, id: string): void {
  for (const layout of layouts.all(scope)) {
    const isDefault = layout.id === id;
    if (layout.isDefault !== isDefault) layouts.update(scope, { ...layout, isDefault });
  }
}

function checkContent(content: string): void {
  if (!content.includes('{{{body}}}')) throw badRequest('Layout content must contain {{{body}}}');
}

function checkUnused(scope: Scope, identifier: string): void {
  if (!layouts.findByKey(scope, identifier)) return;
  throw conflict(
    `Layout with identifier: ${identifier} already exists under environment ${scope.environmentId}`,
  );
}

function requireLayout(scope: Scope, id: string): StoredRecord<Layout> {
  const layout = layouts.find(scope, id) ?? layouts.findByKey(scope, id);
  if (layout) return layout;
  throw notFound(`Layout not found for id ${id} in the environment ${scope.environmentId}`);
}
