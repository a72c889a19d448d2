// Variables of one environment: the values that the environment has. The service hides those of secrets.
import type { Service } from '../app/context.ts';
import { ifExists } from '../core/errors.ts';
import type { EnvironmentVariable } from '../service/schemas/environment-variables.ts';
import { environmentIdFor } from './environments.ts';
import { type KindAccess, listedAccess, toFoundListed } from './kind-access.ts';
import type { FoundResource } from './remote.ts';
import { toVariable } from './resource.ts';

export function variableAccess(service: Service): KindAccess {
  const { client } = service;
  const pathTo = (variableKey: string) => ({ path: { variableKey } });
  /** Undefined if the environment has no value. Servers until 3.18.0 show the values of other environments, too. */
  const toFound = async (variable: EnvironmentVariable): Promise<FoundResource | undefined> => {
    const id = await environmentIdFor(service, 'variables');
    const own = variable.values.find(({ _environmentId }) => _environmentId === id);
    const { key, isSecret } = variable;
    return (
      own &&
      toFoundListed(
        toVariable({ key, isSecret, value: isSecret ? undefined : own.value }),
        variable,
      )
    );
  };
  const read = (key: string) => ifExists(client.call('getEnvironmentVariable', pathTo(key)));
  const list = async () => {
    const variables = await client.call('listEnvironmentVariables', {});
    const found = await Promise.all(variables.map(toFound));
    return found.filter((one) => one !== undefined);
  };
  return {
    ...listedAccess(list),
    find: async (key) => {
      const variable = await read(key);
      return variable && toFound(variable);
    },
    write: async (writes, { wanted, credentials }) => {
      if (wanted.kind !== 'variable') return undefined;
      const { key, isSecret } = wanted.value;
      const value = String(credentials?.value ?? wanted.value.value ?? '');
      const values = [{ _environmentId: await environmentIdFor(service, 'variables'), value }];
      // Another environment can have a value.
      const variable = await read(key);
      if (variable && variable.isSecret !== isSecret) return secrecyProblem(isSecret);
      if (variable)
        await writes.call('updateEnvironmentVariable', { ...pathTo(key), body: { values } });
      else
        await writes.call('createEnvironmentVariable', {
          body: { key, ...(isSecret ? { isSecret } : {}), values },
        });
      return undefined;
    },
    delete: (writes, { resource: { id } }) => writes.call('deleteEnvironmentVariable', pathTo(id)),
  };
}

export const secrecyProblem = (isSecret: boolean): string =>
  `the variable exists and is ${isSecret ? 'not ' : ''}a secret, which an API key cannot change; delete it in all environments first`;
