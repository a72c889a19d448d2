// Control routes of the sandbox itself: status, stop and reset.
import type { Clock } from '../ids.ts';
import type { Store } from '../store/scope.ts';
import type { Sql } from '../store/sql.ts';

export interface ControlOptions {
  store: Store;
  clock: Clock;
  startedAt: string;
  envelope?: boolean;
  pid?: number;
  onStop?: () => void;
}

export interface ControlRoute {
  method: 'GET' | 'POST';
  path: string;
  act: () => unknown;
}

export const controlRoutes = ({
  store,
  startedAt,
  envelope = false,
  pid,
  onStop,
}: ControlOptions): ControlRoute[] => [
  {
    method: 'GET',
    path: '/__sandbox/status',
    act: () => ({
      name: 'svc-sandbox',
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
    path: '/__sandbox/stop',
    act() {
      onStop?.();
      return { stopping: onStop !== undefined };
    },
  },
  {
    method: 'POST',
    path: '/__sandbox/reset',
    act() {
      store.reset();
      return { reset: true };
    },
  },
];

const countedTables = ['environments', 'subscribers', 'topics', 'workflows', 'events'] as const;

const countRows = (sql: Sql): Record<string, number> =>
  Object.fromEntries(
    countedTables.map((table) => [
      table,
      sql.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0,
    ]),
  );
