// Topics.
import type { Topic } from '../../service/schemas/topics.ts';
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import { cursorPage } from '../store/listing-pages.ts';
import type { Scope } from '../store/scope.ts';
import { toJson } from '../store/sql.ts';
import { type Condition, isOneOf } from '../store/table.ts';
import {
  allTopicTexts,
  findTopic,
  insertTopic,
  removeTopic,
  renameStoredTopic,
  type StoredTopic,
  topics,
  touchTopic,
} from '../store/topics.ts';
import type { Handler } from './handler.ts';
import { checkCursorQuery, matchingTexts } from './parameters.ts';

const orderColumns = {
  _id: 'id',
  key: 'key',
  name: 'name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

export const toTopic = ({ id, key, name, createdAt, updatedAt }: StoredTopic): Topic => ({
  _id: id,
  key,
  ...(name === null ? {} : { name }),
  createdAt,
  updatedAt,
});

export const listTopics: Handler<'listTopics'> = ({ query, scope }) => {
  const { key, name } = query;
  const where: Condition[] = [
    ...(key ? [textCondition(scope, 'key', key)] : []),
    ...(name ? [textCondition(scope, 'name', name)] : []),
  ];
  const order = checkCursorQuery(query, orderColumns);
  const { rows, ...page } = cursorPage(scope, { table: topics, order, where }, query);
  return { data: rows.map(toTopic), ...page };
};

/** Older versions use the filter as a regular expression. */
function textCondition(scope: Scope, column: 'key' | 'name', text: string): Condition {
  if (scope.dialect.hasLiteralFilters || /^[\w:-]*$/.test(text))
    return [`instr(${column}_fold, ?) > 0`, text.toLowerCase()];
  return [isOneOf(column), toJson(matchingTexts(text, allTopicTexts(scope, column)))];
}

export const getTopic: Handler<'getTopic'> = ({ path: { topicKey }, scope }) =>
  toTopic(requireTopic(scope, topicKey));

export const renameTopic: Handler<'renameTopic'> = ({
  path: { topicKey },
  body: { name },
  scope,
}) => {
  renameStoredTopic(scope, requireTopic(scope, topicKey).id, name);
  return toTopic(requireTopic(scope, topicKey));
};

export function requireTopic(scope: Scope, key: string): StoredTopic {
  const topic = findTopic(scope, key);
  if (!topic) throw notFound(`Topic with key ${key} not found`);
  return topic;
}

/** A topic key consists of letters, digits and `_ : . -`, or is an e-mail address. */
const isTopicKey = (key: string): boolean =>
  /^[a-zA-Z0-9_:.-]+$/.test(key) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(key);

/** Throws if a new topic cannot have this key. */
export function checkTopicKey(key: string): void {
  if (isTopicKey(key)) return;
  throw badRequest(
    `Invalid topic key: "${key}". Topic keys must contain only alphanumeric characters (a-z, A-Z, 0-9), hyphens (-), underscores (_), colons (:), or be a valid email address.`,
  );
}

/** An existing topic gets the given name, but the response shows it as it was. */
export const createTopic: Handler<'createTopic'> = ({
  body: { key, name },
  query: { failIfExists },
  scope,
}) => {
  const existing = findTopic(scope, key);
  if (existing && failIfExists) throw conflict(`Topic with key "${key}" already exists`);
  if (existing) {
    if (name) renameStoredTopic(scope, existing.id, name);
    else touchTopic(scope, existing.id);
    return toTopic(existing);
  }
  checkTopicKey(key);
  const created = toTopic(insertTopic(scope, { key, name: name ?? null }));
  // The service shows a name that is null only here.
  return name === null ? ({ ...created, name } as unknown as typeof created) : created;
};

export const deleteTopic: Handler<'deleteTopic'> = ({ path: { topicKey }, scope }) => {
  removeTopic(scope, requireTopic(scope, topicKey).id);
  return { acknowledged: true };
};
