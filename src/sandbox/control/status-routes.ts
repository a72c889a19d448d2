// Control routes of the sandbox itself: status, stop and reset.
import type { Sql } from '../store/sql.ts';
import { type SandboxStatus, sandboxName } from './client.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

export const statusRoutes = ({
  store,
  startedAt,
  envelope,
  pid,
  onStop,
}: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/status',
    handle: (): SandboxStatus => ({
      name: sandboxName,
      ...(pid === undefined ? {} : { pid }),
      startedAt,
      storage: store.storage,
      seed: store.seedFingerprint,
      compat: store.compat ? 'novu' : null,
      envelope,
      ...countRows(store.sql),
    }),
  },
  {
    method: 'POST',
    path: '/stop',
    handle() {
      onStop?.();
      return { stopping: onStop !== undefined };
    },
  },
  {
    method: 'POST',
    path: '/reset',
    handle() {
      store.reset();
      return { reset: true };
    },
  },
];

const countRows = (sql: Sql) => {
  const count = (table: string) =>
    sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0;
  return {
    environments: count('environments'),
    subscribers: count('subscribers'),
    topics: count('topics'),
    workflows: count('workflows'),
    events: count('events'),
  };
};
