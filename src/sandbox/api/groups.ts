// Groups of workflows and feeds of notifications, which are only stored. The sandbox records no changes to promote.
import { conflict, notFound } from '../http/http-error.ts';
import { derivedId } from '../store/ids.ts';
import type { Scope } from '../store/scope.ts';
import { createRecordKind, type StoredRecord } from '../store/table.ts';
import type { Handler } from './handler.ts';

interface Named {
  name: string;
}

const groups = createRecordKind<Named>('group');
const feeds = createRecordKind<Named>('feed');

type Shown = Pick<StoredRecord<Named>, 'id' | 'name' | 'createdAt' | 'updatedAt'>;

const serialize = (
  { environmentId, organizationId }: Scope,
  { id, name, createdAt, updatedAt }: Shown,
) => ({
  _id: id,
  name,
  _environmentId: environmentId,
  _organizationId: organizationId,
  createdAt,
  updatedAt,
});

/** In the service, every environment has this group. */
const generalName = 'General';
const generalId = ({ environmentId }: Scope) => derivedId(`${environmentId}:group`);

const allGroups = (scope: Scope): Shown[] => {
  const stored = groups.all(scope);
  const id = generalId(scope);
  if (stored.some((group) => group.id === id)) return stored;
  const times = { createdAt: scope.now, updatedAt: scope.now };
  return [{ id, name: generalName, ...times }, ...stored];
};

export const listNotificationGroups: Handler<'listNotificationGroups'> = ({ scope }) =>
  allGroups(scope).map((group) => serialize(scope, group));

export const createNotificationGroup: Handler<'createNotificationGroup'> = ({
  body: { name },
  scope,
}) => ({ ...serialize(scope, groups.insert(scope, name, { name })), _parentId: generalId(scope) });

export const getNotificationGroup: Handler<'getNotificationGroup'> = ({ path: { id }, scope }) =>
  serialize(scope, requireGroup(scope, id));

export const renameNotificationGroup: Handler<'renameNotificationGroup'> = ({
  path: { id },
  body: { name },
  scope,
}) => {
  const { id: groupId } = requireGroup(scope, id);
  const stored = groups.find(scope, groupId) ?? groups.insert(scope, name, { name }, groupId);
  return serialize(scope, groups.update(scope, { ...stored, name }));
};

export const deleteNotificationGroup: Handler<'deleteNotificationGroup'> = ({
  path: { id },
  scope,
}) => {
  groups.remove(scope, requireGroup(scope, id).id);
  return { acknowledged: true, status: 'deleted' };
};

function requireGroup(scope: Scope, id: string): Shown {
  const group = allGroups(scope).find((stored) => stored.id === id);
  if (!group) throw notFound('Not Found', { context: { statusCode: 404 } });
  return group;
}

const serializeFeed = (scope: Scope, feed: Shown) => ({
  ...serialize(scope, feed),
  identifier: feed.name,
});

export const listFeeds: Handler<'listFeeds'> = ({ scope }) =>
  feeds.all(scope).map((feed) => serializeFeed(scope, feed));

export const createFeed: Handler<'createFeed'> = ({ body: { name }, scope }) => {
  if (feeds.findByKey(scope, name)) throw conflict(`Feed with identifier: ${name} already exists`);
  return serializeFeed(scope, feeds.insert(scope, name, { name }));
};

/** An unknown feed is not an error. */
export const deleteFeed: Handler<'deleteFeed'> = ({ path: { feedId }, scope }) => {
  const feed = feeds.find(scope, feedId);
  if (feed) feeds.remove(scope, feed.id);
  return feeds.all(scope).map((other) => serializeFeed(scope, other));
};

export const listChanges: Handler<'listChanges'> = ({ query: { page = 0, limit = 10 } }) => ({
  data: [],
  totalCount: 0,
  page,
  pageSize: limit,
});

export const countChanges: Handler<'countChanges'> = () => 0;

export const applyChanges: Handler<'applyChanges'> = () => [];

export const applyChange: Handler<'applyChange'> = () => {
  throw notFound('Parent Change not found');
};
