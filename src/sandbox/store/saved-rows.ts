// The rows of all data tables as JSON, to put the same data into another store without computing it again.
import { dataTables } from './schema.ts';
import { type Sql, toJson } from './sql.ts';

/** Per table with rows: its columns, and its rows as a JSON array of arrays, in UTF-8: the WebAssembly driver converts long texts slowly. */
export type SavedRows = { table: string; columns: string[]; rows: Uint8Array }[];

export function saveRows(sql: Sql): SavedRows {
  return dataTables.flatMap((table) => {
    const rows = sql.all<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY rowid`);
    const [first] = rows;
    if (first === undefined) return [];
    return {
      table,
      columns: Object.keys(first),
      rows: Buffer.from(toJson(rows.map(Object.values))),
    };
  });
}

/** Inserts saved rows into empty tables. */
export function restoreSavedRows(sql: Sql, saved: SavedRows): void {
  for (const { table, columns, rows } of saved) {
    const values = columns.map((_, index) => `value ->> ${index}`);
    sql.run(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(CAST(? AS TEXT))`,
      rows,
    );
  }
}
