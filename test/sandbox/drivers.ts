// The SQLite drivers to test: the bundled one, and `node:sqlite` if this Node has it.
import type { OpenDatabase } from '../../src/sandbox/store/database.ts';
import { nativeDriver } from '../../src/sandbox/store/driver.ts';
import { wasmDriver } from '../../src/sandbox/store/wasm-driver.ts';

export const driverNames = ['node:sqlite', 'node-sqlite3-wasm'] as const;

export type DriverName = (typeof driverNames)[number];

const available: Record<DriverName, OpenDatabase | undefined> = {
  'node:sqlite': nativeDriver(),
  'node-sqlite3-wasm': wasmDriver(),
};

export const drivers = driverNames.flatMap((name) => {
  const driver = available[name];
  return driver ? [{ name, driver }] : [];
});
