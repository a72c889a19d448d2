// Changes and deletes environments, and lists the tags of their workflows.
import { badRequest, notFound, unauthorized, unprocessable } from '../http/http-error.ts';
import {
  changeEnvironment,
  listStoredEnvironments,
  removeEnvironment,
  type StoredEnvironment,
} from '../store/environments.ts';
import type { Scope } from '../store/scope.ts';
import { allWorkflows } from '../store/workflows.ts';
import type { Handler } from './handler.ts';
import { requireObjectId } from './object-id.ts';

const protectedNames = ['Development', 'Production'];
const isProtected = ({ name }: { name: string }) => protectedNames.includes(name);

export const updateEnvironment: Handler<'updateEnvironment'> = ({
  path: { environmentId },
  body: { name, identifier, color, parentId, dns, bridge },
  scope,
}) => {
  requireObjectId('environmentId', environmentId);
  const stored = find(scope, ({ id }) => id === environmentId);
  if (!stored) throw unauthorized('Environment not found');
  if (name) checkNewName(stored, name.trim());
  changeEnvironment(scope, stored, {
    ...(name ? { name: name.trim() } : {}),
    ...(identifier ? { identifier } : {}),
    ...(color ? { color } : {}),
    ...(parentId ? { parentId } : {}),
    ...(isObject(dns) ? { dns } : {}),
    ...(isObject(bridge) ? { bridge } : {}),
  });
  return { matched: 1, modified: 1 };
};

export const deleteEnvironment: Handler<'deleteEnvironment'> = ({
  path: { environmentId },
  scope,
}) => {
  const stored = find(scope, ({ id }) => id === environmentId);
  if (!stored) throw notFound(`Environment ${environmentId} not found`);
  if (isProtected(stored)) {
    throw badRequest(
      `The ${stored.name} environment is protected and cannot be deleted. Only custom environments can be deleted.`,
    );
  }
  removeEnvironment(scope.sql, environmentId);
  return undefined;
};

export const listEnvironmentTags: Handler<'listEnvironmentTags'> = ({
  path: { environmentId },
  scope,
}) => {
  const stored = find(scope, (one) => one.id === environmentId || one.identifier === environmentId);
  if (!stored) throw notFound(`Environment ${environmentId} not found`);
  const tags = allWorkflows({ ...scope, environmentId: stored.id }).flatMap((one) => one.tags);
  return [...new Set(tags)].map((name) => ({ name }));
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const find = ({ sql }: Scope, matches: (environment: StoredEnvironment) => boolean) =>
  listStoredEnvironments(sql).find(matches);

function checkNewName(stored: StoredEnvironment, name: string): void {
  if (isProtected(stored) && name !== stored.name)
    throw unprocessable('Cannot update the name of Development or Production environments');
  if (isProtected({ name }) && name !== stored.name)
    throw unprocessable('Environment name cannot be Development or Production');
}
