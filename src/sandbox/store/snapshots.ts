// Snapshots of all data of a sandbox: the rows, the clock and the keys of environments that no longer exist. They are in
// a database beside the data, which is in memory if the data is.
import path from 'node:path';
import type { InboxChanges } from './changes.ts';
import type { SandboxClock } from './clock.ts';
import type { Dialect } from './dialect.ts';
import type { Clock } from './ids.ts';
import { dataTables } from './schema.ts';
import type { Sql } from './sql.ts';

export interface Snapshot {
  name: string;
  /** When it was made, by the clock of the machine: ISO time. */
  createdAt: string;
  /** The time in the sandbox. */
  time: string;
  events: number;
  messages: number;
}

export interface Snapshots {
  list(): Snapshot[];
  /** Replaces a snapshot of the same name. */
  save(name: string): Snapshot;
  /** `undefined`: there is no such snapshot. A text: why it cannot be restored. */
  restore(name: string): Snapshot | string | undefined;
  /** Returns whether there was such a snapshot. */
  remove(name: string): boolean;
}

interface SnapshotsOptions {
  sql: Sql;
  clock: SandboxClock;
  machine: Clock;
  inboxChanges: InboxChanges;
  /** The data directory; undefined for data in memory. */
  directory: string | undefined;
  dialect: () => Dialect;
}

interface Row extends Snapshot {
  id: number;
  frozen: number;
  mode: string;
  service: string;
}

/** Keys that a restored environment needs if it has none. */
const keysTable = 'api_keys';
const allTables = [...dataTables, keysTable];

export function createSnapshots({
  sql,
  clock,
  machine,
  inboxChanges,
  directory,
  dialect,
}: SnapshotsOptions): Snapshots {
  let isAttached = false;
  const attach = () => {
    const file = directory === undefined ? ':memory:' : path.join(directory, 'snapshots.db');
    if (!isAttached) sql.exec(`ATTACH DATABASE '${file.replaceAll("'", "''")}' AS snapshots`);
    isAttached = true;
    // Each time, because the disk may have been full at the first.
    sql.exec(`CREATE TABLE IF NOT EXISTS snapshots.list (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL, time TEXT NOT NULL,
      frozen INTEGER NOT NULL, mode TEXT NOT NULL, service TEXT NOT NULL, events INTEGER NOT NULL,
      messages INTEGER NOT NULL
    )`);
  };
  const find = (name: string) => {
    attach();
    return sql.get<Row>('SELECT * FROM snapshots.list WHERE name = ?', name);
  };
  const saved = (id: number, table: string) => `snapshots."${id} ${table}"`;
  const drop = ({ id }: Row) => {
    for (const table of allTables) sql.exec(`DROP TABLE IF EXISTS ${saved(id, table)}`);
    sql.run('DELETE FROM snapshots.list WHERE id = ?', id);
  };
  /** By table. They stay the same while a sandbox runs. */
  const knownColumns = new Map<string, readonly string[]>();
  const columnsOf = (table: string) => {
    const columns =
      knownColumns.get(table) ??
      sql
        .all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
        .map(({ name }) => name);
    knownColumns.set(table, columns);
    return columns;
  };

  return {
    list: () => {
      attach();
      return sql.all<Row>('SELECT * FROM snapshots.list ORDER BY id').map(toSnapshot);
    },
    save(name) {
      const old = find(name);
      return sql.transaction(() => {
        if (old) drop(old);
        const { mode, service } = dialect();
        sql.run(
          `INSERT INTO snapshots.list (name, createdAt, time, frozen, mode, service, events, messages)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          name,
          new Date(machine.now()).toISOString(),
          new Date(clock.now()).toISOString(),
          clock.isFrozen() ? 1 : 0,
          mode,
          service,
          sql.count('main.notifications'),
          sql.count('main.messages'),
        );
        const row = sql.get<Row>('SELECT * FROM snapshots.list WHERE name = ?', name) as Row;
        for (const table of allTables) {
          const columns = columnsOf(table).join(', ');
          sql.exec(`CREATE TABLE ${saved(row.id, table)} (svc_row INTEGER PRIMARY KEY, ${columns});
            INSERT INTO ${saved(row.id, table)} (svc_row, ${columns})
              SELECT rowid, ${columns} FROM main.${table}`);
        }
        return toSnapshot(row);
      });
    },
    restore(name) {
      const row = find(name);
      if (!row) return undefined;
      const { mode, service } = dialect();
      if (row.mode !== mode || row.service !== service)
        return `it is of version ${row.service} in the mode ${row.mode}, and the sandbox has version ${service} in the mode ${mode}`;
      const reportInboxes = () => {
        for (const { env, subscriber } of sql.all<{ env: string; subscriber: string }>(
          "SELECT DISTINCT env, subscriber FROM main.messages WHERE channel = 'in_app'",
        ))
          for (const event of ['unread', 'unseen'] as const)
            inboxChanges.add({ environmentId: env, subscriber, event });
      };
      sql.transaction(() => {
        reportInboxes();
        for (const table of dataTables) restoreRows(table, saved(row.id, table));
        restoreKeys(row.id);
        reportInboxes();
        if (clock.isFrozen() !== (row.frozen === 1)) clock.freeze(row.frozen === 1);
        clock.set(Date.parse(row.time));
      });
      return toSnapshot(row);
    },
    remove(name) {
      const row = find(name);
      if (row) sql.transaction(() => drop(row));
      return row !== undefined;
    },
  };

  /** Rows that are the same stay: to write all of them would take longer than to compare them. */
  function restoreRows(table: string, copy: string): void {
    const columns = columnsOf(table);
    const isChanged = columns.map((column) => `now.${column} IS NOT was.${column}`).join(' OR ');
    sql.exec(`DELETE FROM main.${table} WHERE rowid IN (
        SELECT now.rowid FROM main.${table} now LEFT JOIN ${copy} was ON was.svc_row = now.rowid
        WHERE was.svc_row IS NULL OR ${isChanged});
      INSERT INTO main.${table} (rowid, ${columns.join(', ')})
        SELECT was.* FROM ${copy} was LEFT JOIN main.${table} now ON now.rowid = was.svc_row
        WHERE now.rowid IS NULL`);
  }

  /** The keys of environments that exist now and in the snapshot stay. */
  function restoreKeys(id: number): void {
    const columns = columnsOf(keysTable).join(', ');
    sql.exec(`DELETE FROM main.${keysTable} WHERE env NOT IN (SELECT id FROM main.environments);
      INSERT INTO main.${keysTable} (${columns}) SELECT ${columns} FROM ${saved(id, keysTable)}
        WHERE env NOT IN (SELECT env FROM main.${keysTable})`);
  }
}

const toSnapshot = ({ name, createdAt, time, events, messages }: Row): Snapshot => ({
  name,
  createdAt,
  time,
  events,
  messages,
});
