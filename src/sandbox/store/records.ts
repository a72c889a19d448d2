// Records that no query looks into: a kind, a key and JSON.
import type { Scope } from './scope.ts';
import { createTable } from './table.ts';

interface Envelope {
  id: string;
  kind: string;
  /** Finds the record within its kind. Several records may share a key. */
  key: string;
  createdAt: string;
  updatedAt: string;
}

export type StoredRecord<Body> = Envelope & Body;

export interface RecordKind<Body> {
  find(scope: Scope, id: string): StoredRecord<Body> | undefined;
  findByKey(scope: Scope, key: string): StoredRecord<Body> | undefined;
  /** Oldest first. */
  all(scope: Scope): StoredRecord<Body>[];
  insert(scope: Scope, key: string, body: Body, id?: string): StoredRecord<Body>;
  update(scope: Scope, record: StoredRecord<Body>): StoredRecord<Body>;
  remove(scope: Scope, id: string): void;
}

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
    find: (scope, id) => records.find(scope, 'kind = ? AND id = ?', kind, id),
    findByKey: (scope, key) => records.find(scope, 'kind = ? AND key = ?', kind, key),
    all: (scope) => records.all(scope, 'kind = ? ORDER BY created_at, id', kind),
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
