// The environment and the time that a request works with.
import type { Ids } from '../ids.ts';
import type { Sql } from './sql.ts';

export interface Scope {
  sql: Sql;
  ids: Ids;
  environmentId: string;
  organizationId: string;
  /** Behaves like the recorded service where that differs from the specification. */
  compat: boolean;
  /** ISO time of the request. */
  now: string;
}
