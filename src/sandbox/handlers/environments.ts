// Environments of the organization. A new one is empty and has a working key.
import type { Environment } from '../../api/schemas/environments.ts';
import { badRequest, notFound, unprocessable } from '../http/http-error.ts';
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

const mostEnvironments = 10;
const protectedNames = ['development', 'production'];

export const listEnvironments: Handler<'listEnvironments'> = ({ scope }) =>
  listStoredEnvironments(scope.sql).map(environmentAnswer);

export const createEnvironment: Handler<'createEnvironment'> = ({
  body: { name, color, parentId },
  scope,
}) => {
  const { sql, ids } = scope;
  const existing = listStoredEnvironments(sql);
  if (protectedNames.includes(name.trim().toLowerCase())) {
    throw unprocessable('Environment name cannot be Development or Production');
  }
  if (existing.length >= mostEnvironments) {
    throw badRequest(`Cannot have more than ${mostEnvironments} environments`);
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
  const made = listStoredEnvironments(sql).find((environment) => environment.id === id);
  if (!made) throw new Error(`environment ${id} is not there after it was stored`);
  return environmentAnswer(made);
};

const environmentAnswer = ({
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
