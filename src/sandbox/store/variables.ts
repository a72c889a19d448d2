// Variables of the organization, each with a value for some of its environments.
import { findEnvironment } from './environments.ts';
import type { Scope } from './scope.ts';
import { createRecordKind, type StoredRecord } from './table.ts';

interface Variable {
  isSecret: boolean;
  values: { _environmentId: string; value: string }[];
}

export type StoredVariable = StoredRecord<Variable>;

const kind = createRecordKind<Variable>('variable');
/** The records belong to no environment. */
const ofOrganization = (scope: Scope): Scope => ({ ...scope, environmentId: scope.organizationId });

export const allVariables = (scope: Scope): StoredVariable[] => kind.all(ofOrganization(scope));
export const findVariable = (scope: Scope, key: string): StoredVariable | undefined =>
  kind.findByKey(ofOrganization(scope), key);
export const insertVariable = (scope: Scope, key: string, variable: Variable): StoredVariable =>
  kind.insert(ofOrganization(scope), key, variable);
export const updateVariable = (scope: Scope, variable: StoredVariable): StoredVariable =>
  kind.update(ofOrganization(scope), variable);
export const removeVariable = (scope: Scope, { id }: StoredVariable): void =>
  kind.remove(ofOrganization(scope), id);

/** The values that templates read as `env`; undefined before the service had them. */
export function environmentValues(scope: Scope): Record<string, string> | undefined {
  if (!scope.dialect.hasLaterSteps) return undefined;
  const { environmentId } = scope;
  const own = allVariables(scope).flatMap(({ key, values }) =>
    values
      .filter(({ _environmentId }) => _environmentId === environmentId)
      .map(({ value }) => [key, value]),
  );
  const { name = '', type = 'dev' } = findEnvironment(scope.sql, environmentId) ?? {};
  return { ...Object.fromEntries(own), name, type };
}

/** Their names. */
export function environmentNames(scope: Scope): string[] | undefined {
  const values = environmentValues(scope);
  return values && Object.keys(values);
}
