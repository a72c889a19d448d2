// Lists and creates environments. A new environment is empty and has an API key.
import type { Environment } from '../../api/schemas/environments.ts';
import { badRequest, notFound, unprocessable } from '../http/http-error.ts';
import { derivedId } from '../ids.ts';
import { organizationId, userId } from '../seed/ids.ts';
import { slugOf } from '../slugs.ts';
import {
  environmentExists,
  insertEnvironment,
  listStoredEnvironments,
  type StoredEnvironment,
  setKey,
} from '../store/environments.ts';
import type { Handler } from './handler.ts';

const maxEnvironments = 10;
const protectedNames = ['development', 'production'];

export const listEnvironments: Handler<'listEnvironments'> = ({ scope }) =>
  listStoredEnvironments(scope.sql).map(toEnvironment);

export const createEnvironment: Handler<'createEnvironment'> = ({
  body: { name, color, parentId },
  scope,
}) => {
  const { sql, ids } = scope;
  const existing = listStoredEnvironments(sql);
  if (protectedNames.includes(name.trim().toLowerCase())) {
    throw unprocessable('Environment name cannot be Development or Production');
  }
  if (existing.length >= maxEnvironments) {
    throw badRequest(`Cannot have more than ${maxEnvironments} environments`);
  }
  if (existing.some((environment) => environment.name === name)) {
    throw badRequest('Environment name must be unique');
  }
  if (parentId !== undefined && !environmentExists(sql, parentId)) {
    throw notFound(`Environment with id ${parentId} not found`);
  }
  const id = ids.objectId();
  insertEnvironment(scope, {
    id,
    name,
    identifier: ids.apiKey().slice(0, 12),
    type: 'prod',
    color,
    ...(parentId === undefined ? {} : { parentId }),
  });
  setKey(sql, id, ids.apiKey());
  const created = listStoredEnvironments(sql).find((environment) => environment.id === id);
  if (!created) throw new Error(`environment ${id} was not found after it was inserted`);
  const environment = toEnvironment(created);
  if (!scope.compat) return environment;
  // The service sends the key encrypted, which is of no use, and neither slug nor parent.
  const { slug: _slug, _parentId, ...response } = environment;
  const [{ key: _key, ...details } = { _userId: userId }] = environment.apiKeys ?? [];
  return { ...response, apiKeys: [{ key: `nvsk.${derivedId(id)}${derivedId(name)}`, ...details }] };
};

const toEnvironment = ({
  id,
  name,
  identifier,
  type,
  parentId,
  keys,
}: StoredEnvironment): Environment => ({
  _id: id,
  name,
  _organizationId: organizationId,
  identifier,
  type,
  slug: slugOf(name, 'env', id),
  apiKeys: keys.map(({ key, hash }) => ({ key, _userId: userId, hash })),
  ...(parentId === undefined ? {} : { _parentId: parentId }),
});
