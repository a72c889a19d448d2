// The public interface of the sandbox, the local emulator of the service: open a store, handle requests,
// serve them on a socket. Other folders import only this module, three modules of control/ and
// state/default-integrations.ts.

export { type Lock, takeLock } from '../platform/files/lock.ts';
export { payloadErrors } from './engine/payload-schema.ts';
export { createSandbox, type SandboxOptions } from './http/app.ts';
export { ConnectionCut } from './http/connection-cut.ts';
export { eventLine } from './http/event-line.ts';
export type { LoggedEvent } from './http/event-log.ts';
export {
  type OpenedSandbox,
  openSandbox,
  printLine,
  sleep,
  systemClock,
} from './http/open-sandbox.ts';
export { type SandboxServer, type ServeOptions, serveSandbox } from './http/server.ts';
export type { Clock, RandomBytes } from './ids.ts';
export { missingCredentials } from './provider-credentials.ts';
export { checkState, readState, writeState } from './state/file.ts';
export { stateItemError } from './state/item-error.ts';
export { stateJsonSchema } from './state/json-schema.ts';
export type { SandboxState } from './state/schema.ts';
export { seedFingerprint } from './state/seed-fingerprint.ts';
export { workflowsWithSkip } from './state/skip-modes.ts';
export { stepErrors } from './state/step-errors.ts';
export { openStore, type StoreOptions } from './store/open.ts';
export type { Store } from './store/scope.ts';
