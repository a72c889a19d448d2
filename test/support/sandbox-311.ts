// The sandbox as most tests know it: like version 3.11 of the service, from which their expectations come. A test of
// another version names it.
import {
  openSandbox as openNewest,
  openStore as openNewestStore,
  type ServeOptions,
  type StoreOptions,
  serveSandbox as serveNewest,
} from '../../src/sandbox/index.ts';
import { startSandbox as startNewest } from '../../src/testing/index.ts';
import type { SandboxOptions } from '../../src/testing/types.ts';

export * from '../../src/sandbox/index.ts';

const service = '3.11';

/** The variables of a command line or process that starts a sandbox. */
export const sandboxVariables = { SVC_SANDBOX_SERVICE: service };

/** A state and a data folder keep their version. */
const isFree = ({ seed }: { seed?: unknown }) =>
  typeof seed !== 'object' || seed === null || !('service' in seed);
const withVersion = <T extends { service?: unknown; seed?: unknown }>(options: T): T =>
  options.service !== undefined || !isFree(options) ? options : { ...options, service };

export const openStore = (options: StoreOptions) => openNewestStore(withVersion(options));
export const openSandbox = (options: Parameters<typeof openNewest>[0]) =>
  openNewest(withVersion(options));
export const serveSandbox = (options: ServeOptions) => serveNewest(withVersion(options));
export const startSandbox = (options: SandboxOptions = {}) => startNewest(withVersion(options));
