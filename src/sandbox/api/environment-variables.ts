// Variables of the organization, which templates read as `env.<key>`, since 3.15. A key sees the values of its environment.
import { limits } from '../../service/limits.ts';
import {
  type EnvironmentVariable,
  hiddenValue,
} from '../../service/schemas/environment-variables.ts';
import { otherEnvironment } from '../http/authorization.ts';
import { badRequest, conflict, forbidden, notFound } from '../http/http-error.ts';
import { organizationId } from '../store/ids.ts';
import type { Scope } from '../store/scope.ts';
import { toJson } from '../store/sql.ts';
import {
  allVariables,
  findVariable,
  insertVariable,
  removeVariable,
  type StoredVariable,
  updateVariable,
} from '../store/variables.ts';
import { allWorkflowsOfOrganization } from '../store/workflows.ts';
import type { Handler } from './handler.ts';

type Values = StoredVariable['values'];

const ownValues = ({ environmentId }: Scope, values: Values): Values =>
  values.filter(({ _environmentId }) => _environmentId === environmentId);

const toVariable = (
  { id, key, isSecret, createdAt, updatedAt }: StoredVariable,
  values: Values,
): EnvironmentVariable => ({
  _id: id,
  _organizationId: organizationId,
  key,
  type: 'string',
  isSecret,
  values: values.map((item) => (isSecret ? { ...item, value: hiddenValue } : item)),
  createdAt,
  updatedAt,
});

function requireVariable(scope: Scope, key: string): StoredVariable {
  const stored = findVariable(scope, key);
  if (stored) return stored;
  throw notFound(`Environment variable with key "${key}" not found`);
}

/** Newest first. */
export const listEnvironmentVariables: Handler<'listEnvironmentVariables'> = ({
  query: { search = '' },
  scope,
}) =>
  allVariables(scope)
    .filter(({ key }) => key.toLowerCase().includes(search.toLowerCase()))
    .reverse()
    .map((stored) => toVariable(stored, ownValues(scope, stored.values)));

export const getEnvironmentVariable: Handler<'getEnvironmentVariable'> = ({ path, scope }) => {
  const stored = requireVariable(scope, path.variableKey);
  return toVariable(stored, ownValues(scope, stored.values));
};

export const createEnvironmentVariable: Handler<'createEnvironmentVariable'> = ({
  body: { key, isSecret = false, values = [] },
  scope,
}) => {
  const most = limits.environmentVariables;
  const count = allVariables(scope).length;
  if (count >= most)
    throw badRequest(
      `Environment variables limit exceeded. Maximum allowed variables is ${most}.`,
      { context: { currentCount: count, limit: most } },
    );
  if (findVariable(scope, key))
    throw conflict(`Environment variable with key "${key}" already exists`);
  checkValues(scope, values, 'omit the entry.');
  const stored = insertVariable(scope, key, { isSecret, values: [...values] });
  return toVariable(stored, stored.values);
};

function checkValues(scope: Scope, values: Values, remedy: string): void {
  if (ownValues(scope, values).length < values.length) throw otherEnvironment();
  if (values.some(({ value }) => value === hiddenValue))
    throw badRequest(
      `Submitted value matches the secret mask placeholder; provide the real value or ${remedy}`,
    );
}

/** The values of other environments stay. */
export const updateEnvironmentVariable: Handler<'updateEnvironmentVariable'> = ({
  path: { variableKey },
  body: { values, ...shared },
  scope,
}) => {
  const stored = requireVariable(scope, variableKey);
  if (Object.values(shared).some((value) => value !== undefined))
    throw forbidden(
      'This authentication scheme is scoped to a single environment and cannot update shared environment variable metadata. Only per-environment values can be updated, or authenticate with a session token.',
    );
  if (!values) throw badRequest('At least one field must be provided to update');
  checkValues(scope, [...values], 'omit the entry to keep the existing one.');
  const byEnvironment = new Map(
    [...stored.values, ...values].map(({ _environmentId, value }) => [_environmentId, value]),
  );
  const merged = [...byEnvironment].map(([_environmentId, value]) => ({ _environmentId, value }));
  const changed = updateVariable(scope, { ...stored, values: merged });
  return toVariable(changed, ownValues(scope, merged));
};

/** Deletes the value of the environment, and the variable with its last value. */
export const deleteEnvironmentVariable: Handler<'deleteEnvironmentVariable'> = ({
  path: { variableKey },
  scope,
}) => {
  const stored = requireVariable(scope, variableKey);
  const own = ownValues(scope, stored.values);
  if (own.length === 0)
    throw notFound(
      `Environment variable with key "${variableKey}" has no value for the authenticated environment`,
    );
  const values = stored.values.filter((item) => !own.includes(item));
  if (values.length === 0) removeVariable(scope, stored);
  else updateVariable(scope, { ...stored, values });
  return undefined;
};

export const getEnvironmentVariableUsage: Handler<'getEnvironmentVariableUsage'> = ({
  path: { variableKey },
  scope,
}) => {
  requireVariable(scope, variableKey);
  const isUsed = new RegExp(`(^|[^\\w$])env\\.${variableKey}(?![\\w$])`);
  return {
    workflows: allWorkflowsOfOrganization(scope)
      .filter(({ steps }) => steps.some(({ controlValues }) => isUsed.test(toJson(controlValues))))
      .map(({ name, identifier }) => ({ name, workflowId: identifier })),
  };
};
