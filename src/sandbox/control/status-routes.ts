// Control routes of the sandbox itself: status, stop and reset.
import { isObject } from '../../core/objects.ts';
import { unprocessable } from '../http/http-error.ts';
import type { Sql } from '../store/sql.ts';
import { type SandboxStatus, sandboxName } from './client.ts';
import type { ControlOptions, ControlRoute } from './route.ts';

export const statusRoutes = ({
  store,
  startedAt,
  isEnveloped,
  pid,
  onStop,
  page,
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
      envelope: isEnveloped(),
      page: page?.baseUrl ?? null,
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
    async handle({ body }) {
      const requested = await body(bodyLimit);
      const compat = isObject(requested) ? requested.compat : undefined;
      if (compat !== undefined && compat !== 'novu' && compat !== 'none')
        throw unprocessable('compat must be novu or none');
      store.reset(compat && compat === 'novu');
      return { reset: true };
    },
  },
];

const bodyLimit = 1_000;

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
