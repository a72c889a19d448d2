// Opens stores with the built-in seed as copies of a database that was seeded once, in a fifth of the time.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadDriver } from '../../src/sandbox/store/driver.ts';
import { openStore, type StoreOptions } from './sandbox-311.ts';

/** Other options that change the data keep their defaults. */
type SeedOptions = Pick<StoreOptions, 'clock' | 'key' | 'mode' | 'service'>;

const databases = new Map<string, Promise<Buffer>>();

/** Returns a path that no other test uses. */
const newFile = () => path.join(tmpdir(), `svc-database-${crypto.randomUUID()}`);

async function createDatabase(options: SeedOptions): Promise<Buffer> {
  const driver = await loadDriver();
  const file = newFile();
  const store = await openStore({ ...options, driver: () => driver(file) });
  store.close();
  const content = readFileSync(file);
  rmSync(file);
  return content;
}

/** The caller closes the store, which has a lock file until then. */
export async function openSeededStore(options: SeedOptions) {
  const { clock, key, mode, service } = options;
  const id = JSON.stringify([clock.now(), key, mode, service]);
  const created = databases.get(id) ?? createDatabase(options);
  databases.set(id, created);
  const content = await created;
  const driver = await loadDriver();
  return openStore({
    ...options,
    driver: () => {
      const file = newFile();
      writeFileSync(file, content);
      const database = driver(file);
      database.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF',
      );
      // The open database remains readable.
      rmSync(file);
      return database;
    },
  });
}
