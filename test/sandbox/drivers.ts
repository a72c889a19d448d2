// The drivers that this Node has: the one that is part of svc always, its own where it has one.
import { nativeDriver, type OpenDatabase } from '../../src/sandbox/store/driver.ts';
import { wasmDriver } from '../../src/sandbox/store/wasm-driver.ts';

export const driverNames = ['node:sqlite', 'node-sqlite3-wasm'] as const;

export type DriverName = (typeof driverNames)[number];

const found: Record<DriverName, OpenDatabase | undefined> = {
  'node:sqlite': nativeDriver(),
  'node-sqlite3-wasm': wasmDriver(),
};

export const drivers = driverNames.flatMap((name) => {
  const driver = found[name];
  return driver ? [{ name, driver }] : [];
});
