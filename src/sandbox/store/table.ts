// Maps records to rows and back. A record's members are columns where queries need them; the others are JSON in `body`.

import type { SqlValue } from './database.ts';
import type { Scope } from './scope.ts';
import { fromJson, type Sql, toJson } from './sql.ts';

export type Row = Record<string, SqlValue>;

/** Inserts a row. `conflict` is an ON CONFLICT clause. */
export function insertRow(sql: Sql, table: string, row: Row, conflict = ''): void {
  sql.run(`${insertText(table, row)} ${conflict}`, ...Object.values(row));
}

function insertText(table: string, row: Row): string {
  const columns = Object.keys(row);
  const marks = `?${', ?'.repeat(columns.length - 1)}`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`;
}

/** Updates the given columns of the row with that id. */
export function updateRow(sql: Sql, table: string, id: string, row: Row): void {
  const changes = Object.keys(row).map((column) => `${column} = ?`);
  sql.run(`UPDATE ${table} SET ${changes.join(', ')} WHERE id = ?`, ...Object.values(row), id);
}

/** A condition that a column has one of the values in a JSON list. */
export const isOneOf = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/** A condition with a `?` for each value. It does not count if a value is undefined. */
export type Condition = readonly [text: string, ...values: (SqlValue | undefined)[]];

/** Joins the conditions that count. Without any, everything matches. */
export function joinConditions(
  conditions: readonly Condition[],
  by: 'AND' | 'OR' = 'AND',
): { text: string; values: SqlValue[] } {
  const used = conditions.filter(([, ...values]) => !values.includes(undefined));
  return {
    text: used.length === 0 ? 'true' : `(${used.map(([text]) => text).join(` ${by} `)})`,
    values: used.flatMap(([, ...values]) => values as SqlValue[]),
  };
}

interface TableOptions<Stored> {
  name: string;
  /** The columns of the members that are not part of `body`, by member. */
  columns: { [Member in keyof Stored]?: string };
  /** Members that are stored as 0 or 1. */
  flags?: readonly (keyof Stored)[];
  /** Members whose column contains JSON. */
  json?: readonly (keyof Stored)[];
  /** Every member has a column, so that nothing else is in `body`. */
  isComplete?: true;
}

export interface Table<Stored> {
  name: string;
  /** The columns that `fromRow` reads, for a query that names the table by the alias. */
  columns(alias: string): string;
  fromRow(row: Row): Stored;
  /** Returns the first record of the environment that matches. */
  find(scope: Scope, where: string, ...values: SqlValue[]): Stored | undefined;
  /** Returns the first record of any environment that matches. */
  findAny(scope: Scope, where: string, ...values: SqlValue[]): Stored | undefined;
  /** Returns the records of the environment that match; `where` can end with ORDER BY and LIMIT. */
  all(scope: Scope, where: string, ...values: SqlValue[]): Stored[];
  /** Returns the records of all environments that match. */
  allOfOrganization(scope: Scope, where: string, ...values: SqlValue[]): Stored[];
  /** Returns the row of a record. `more` are columns that are not members, always the same ones. */
  toRow(scope: Scope, record: Stored, more?: Row): Row;
  insert(scope: Scope, record: Stored, more?: Row): void;
  /** Replaces the row with the id of the record. */
  update(scope: Scope, record: Stored & { id: string }, more?: Row): void;
  /** Counts the records of the environment that match. */
  count(scope: Scope, where: string, ...values: SqlValue[]): number;
}

export function createTable<Stored extends object>({
  name,
  columns,
  flags = [],
  json = [],
  isComplete,
}: TableOptions<Stored>): Table<Stored> {
  // All rows of a table have the same columns, so the text is written once.
  let insert: string | undefined;
  const members = Object.entries(columns) as [keyof Stored & string, string][];
  const selected = [...members.map(([, column]) => column), ...(isComplete ? [] : ['body'])];
  const select = `SELECT ${selected.join(', ')} FROM ${name} WHERE`;
  const query = (where: string) => `${select} env = ? AND ${where}`;

  const toColumn = (member: keyof Stored, value: unknown): SqlValue => {
    if (flags.includes(member)) return value ? 1 : 0;
    return json.includes(member) ? toJson(value) : (value as SqlValue);
  };
  const toMember = (member: keyof Stored, value: SqlValue | undefined): unknown => {
    if (flags.includes(member)) return value === 1;
    return json.includes(member) ? fromJson(String(value)) : value;
  };

  const fromRow = (row: Row) => {
    const record: Record<string, unknown> = {};
    for (const [member, column] of members) record[member] = toMember(member, row[column]);
    const others = isComplete ? {} : fromJson<object>(String(row.body));
    return Object.assign(record, others) as Stored;
  };
  const toBody = (record: Stored): string => {
    const body: Record<string, unknown> = {};
    for (const member in record) if (!Object.hasOwn(columns, member)) body[member] = record[member];
    return toJson(body);
  };
  const toRow = ({ environmentId }: Scope, record: Stored, more: Row = {}): Row => {
    const row: Row = { env: environmentId };
    for (const [member, column] of members) row[column] = toColumn(member, record[member]);
    return Object.assign(row, more, isComplete ? {} : { body: toBody(record) });
  };
  return {
    name,
    columns: (alias) => selected.map((column) => `${alias}.${column}`).join(', '),
    fromRow,
    toRow,
    find(scope, where, ...values) {
      const row = scope.sql.get<Row>(query(where), scope.environmentId, ...values);
      return row && fromRow(row);
    },
    findAny({ sql }, where, ...values) {
      const row = sql.get<Row>(`${select} ${where}`, ...values);
      return row && fromRow(row);
    },
    all: (scope, where, ...values) =>
      scope.sql.all<Row>(query(where), scope.environmentId, ...values).map(fromRow),
    allOfOrganization: ({ sql }, where, ...values) =>
      sql.all<Row>(`${select} ${where}`, ...values).map(fromRow),
    insert(scope, record, more) {
      const row = toRow(scope, record, more);
      insert ??= insertText(name, row);
      scope.sql.run(insert, ...Object.values(row));
    },
    update: (scope, record, more) =>
      updateRow(scope.sql, name, record.id, toRow(scope, record, more)),
    count: ({ sql, environmentId }, where, ...values) =>
      sql.count(`${name} WHERE env = ? AND ${where}`, environmentId, ...values),
  };
}

// Records that no query looks into: a kind, a key and JSON.

interface Envelope {
  id: string;
  kind: string;
  /** Finds the record within its kind. Several records may share a key. */
  key: string;
  createdAt: string;
  updatedAt: string;
}

export type StoredRecord<Body> = Envelope & Body;

interface RecordKind<Body> {
  /** The table of the records of all kinds, for pages; conditions look into `body` with json_extract. */
  table: Table<StoredRecord<Body>>;
  find(scope: Scope, id: string): StoredRecord<Body> | undefined;
  findByKey(scope: Scope, key: string): StoredRecord<Body> | undefined;
  /** Oldest first. */
  all(scope: Scope): StoredRecord<Body>[];
  /** Those with these values of members, oldest first. An undefined value does not count. */
  where(scope: Scope, members: Record<string, string | undefined>): StoredRecord<Body>[];
  insert(scope: Scope, key: string, body: Body, id?: string): StoredRecord<Body>;
  update(scope: Scope, record: StoredRecord<Body>): StoredRecord<Body>;
  remove(scope: Scope, id: string): void;
}

/** A condition on a member of the body of a record. Finds a `subscriberId` by its index. */
export const isMember = (path: string, value: string | undefined): Condition => [
  `body ->> '$.${path}' = ?`,
  value,
];

export function createRecordKind<Body extends object>(kind: string): RecordKind<Body> {
  const records = createTable<StoredRecord<Body>>({
    name: 'records',
    columns: {
      id: 'id',
      kind: 'kind',
      key: 'key',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    } as { [Member in keyof StoredRecord<Body>]?: string },
  });
  return {
    table: records,
    find: (scope, id) => records.find(scope, 'kind = ? AND id = ?', kind, id),
    findByKey: (scope, key) => records.find(scope, 'kind = ? AND key = ?', kind, key),
    all: (scope) => records.all(scope, 'kind = ? ORDER BY created_at, id', kind),
    where(scope, members) {
      const { text, values } = joinConditions([
        ['kind = ?', kind],
        ...Object.entries(members).map((entry) => isMember(...entry)),
      ]);
      return records.all(scope, `${text} ORDER BY created_at, id`, ...values);
    },
    insert(scope, key, body, id = scope.ids.objectId()) {
      const times = { createdAt: scope.now, updatedAt: scope.now };
      const record = { ...body, ...times, id, kind, key };
      records.insert(scope, record);
      return record;
    },
    update(scope, record) {
      const changed = { ...record, updatedAt: scope.now };
      records.update(scope, changed);
      return changed;
    },
    remove({ sql }, id) {
      sql.run('DELETE FROM records WHERE id = ?', id);
    },
  };
}
