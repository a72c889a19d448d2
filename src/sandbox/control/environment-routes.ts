// Control routes of copied environments: each has the initial data of Development, so that tests can run at the same time.
import type { CopiedEnvironment } from '../control-client/schemas.ts';
import {
  findEnvironment,
  listStoredEnvironments,
  removeEnvironment,
} from '../store/environments.ts';
import type { CopyTarget, Store } from '../store/scope.ts';
import { notFound } from '../values/http-error.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

export const environmentRoutes = ({ store, requestLog }: ControlOptions): ControlRoute[] => [
  {
    method: 'POST',
    path: '/environments',
    description: {
      id: 'createEnvironment',
      summary: 'Create an environment with its own key and a copy of the seed data of Development',
      response: 'CopiedEnvironment',
    },
    handle(): CopiedEnvironment {
      const names = new Set(listStoredEnvironments(store.sql).map(({ name }) => name));
      let number = 1;
      while (names.has(`Test ${number}`)) number += 1;
      const { ids } = store;
      const id = ids.objectId();
      const name = `Test ${number}`;
      store.fillCopy({ id, name, identifier: ids.apiKey().slice(0, 12) });
      const created = findEnvironment(store.sql, id);
      const { identifier: applicationIdentifier = '', keys: [first] = [] } = created ?? {};
      return { environmentId: id, name, key: first?.key ?? '', applicationIdentifier };
    },
  },
  {
    method: 'DELETE',
    path: '/environments/:id',
    description: {
      id: 'removeEnvironment',
      summary: 'Delete an environment that was created as a copy, with its key and its data',
      response: 'Removed',
      errors: [404],
    },
    handle({ parameter }) {
      const id = parameter('id');
      if (!findCopy(store, id)) throw notFound(`No environment was copied with id ${id}`);
      removeEnvironment(store.sql, id);
      requestLog.clear(id);
      return { removed: true };
    },
  },
];

/** Undefined for an environment that is not a copy. */
export function findCopy({ sql }: Store, environmentId: string): CopyTarget | undefined {
  const environment = findEnvironment(sql, environmentId);
  return environment?.isCopy ? environment : undefined;
}
