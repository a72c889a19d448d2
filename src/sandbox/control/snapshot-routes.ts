// Control routes of snapshots: copies of all data, with the faults and the log of requests. Keys and sessions are those of
// the running sandbox.
import { conflict, notFound, unprocessable } from '../http/http-error.ts';
import { listStoredEnvironments } from '../store/environments.ts';
import type { Snapshot } from '../store/snapshots.ts';
import { bodyLimit, type ControlOptions, type ControlRoute, parse } from './route.ts';
import { snapshotBody } from './schemas.ts';

export function snapshotRoutes({
  store,
  scheduler,
  faults,
  rejectedTriggers,
  notEmulated,
  requestLog,
}: ControlOptions): ControlRoute[] {
  const { snapshots, environmentId: developmentId } = store;
  /** Restores the parts that are only in memory, by the name of the snapshot. After a restart of the sandbox, a snapshot has none of it. */
  const restores = new Map<string, readonly (() => void)[]>();
  const saveMemory = () => [
    ...listStoredEnvironments(store.sql).map(({ id }) => faults.of(id).save()),
    ...[rejectedTriggers, notEmulated, requestLog].map((part) => part.save()),
  ];
  const clearMemory = () => {
    faults.of(developmentId).reset();
    for (const part of [rejectedTriggers, notEmulated, requestLog]) part.clear();
  };
  const requireWhole = (environmentId: string) => {
    if (listStoredEnvironments(store.sql).some(({ id, isCopy }) => isCopy && id === environmentId))
      throw unprocessable('A snapshot contains all environments: use the key of Development');
  };
  return [
    {
      method: 'GET',
      path: '/snapshots',
      description: {
        id: 'listSnapshots',
        summary: 'List the snapshots, oldest first',
        response: 'SnapshotList',
      },
      handle: () => ({ snapshots: snapshots.list() }),
    },
    {
      method: 'POST',
      path: '/snapshots',
      description: {
        id: 'saveSnapshot',
        summary:
          'Save all data with pending jobs, clock, faults and requests; replaces a snapshot of the same name',
        body: 'SnapshotRequest',
        response: 'Snapshot',
        errors: [422],
      },
      async handle({ environmentId, body }): Promise<Snapshot> {
        requireWhole(environmentId);
        const { name } = parse(snapshotBody, await body(bodyLimit));
        scheduler.catchUp();
        const saved = snapshots.save(name);
        restores.set(name, saveMemory());
        return saved;
      },
    },
    {
      method: 'POST',
      path: '/snapshots/{name}/restore',
      description: {
        id: 'restoreSnapshot',
        summary: 'Restore a snapshot; keys and sessions stay those of the running sandbox',
        response: 'RestoredSnapshot',
        errors: [404, 409, 422],
      },
      handle({ environmentId, parameter }) {
        requireWhole(environmentId);
        const name = parameter('name');
        const restored = snapshots.restore(name);
        if (restored === undefined) throw notFound(`No snapshot has the name ${name}`);
        if (typeof restored === 'string')
          throw conflict(`Snapshot ${name} cannot be restored: ${restored}`);
        clearMemory();
        for (const restore of restores.get(name) ?? []) restore();
        return { ...restored, restored: true };
      },
    },
    {
      method: 'DELETE',
      path: '/snapshots/{name}',
      description: {
        id: 'removeSnapshot',
        summary: 'Delete a snapshot',
        response: 'Removed',
        errors: [404],
      },
      handle({ parameter }) {
        const name = parameter('name');
        if (!snapshots.remove(name)) throw notFound(`No snapshot has the name ${name}`);
        restores.delete(name);
        return { removed: true };
      },
    },
  ];
}
