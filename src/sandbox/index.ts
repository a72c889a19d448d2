// The public interface of the sandbox, the local emulator of the service: open a store, handle requests,
// serve them on a socket. Besides this module, other folders import three modules of control-client/, the dialects,
// engine/preview.ts, page/preview-file.tsx and state/default-integrations.ts.

export { type Lock, takeLock } from '../platform/files/lock.ts';
export { payloadErrors } from '../service/payload-schema.ts';
export { missingCredentials } from '../service/provider-credentials.ts';
export { createSandbox, type SandboxOptions } from './app.ts';
export { faultProblems } from './control/fault-routes.ts';
export { ConnectionCut } from './http/connection-cut.ts';
export { eventLine } from './http/event-line.ts';
export type { LoggedEvent } from './http/event-log.ts';
export {
  type OpenedSandbox,
  openSandbox,
  printLine,
  printWarning,
  sleep,
  systemClock,
} from './open-sandbox.ts';
export {
  readApplicationIdentifier,
  type SandboxServer,
  type ServeOptions,
  serveSandbox,
} from './server.ts';
export {
  type DefinitionProblem,
  layoutProblems,
  workflowProblems,
} from './state/definition-problems.ts';
export { checkState, readState, writeState } from './state/file.ts';
export { stateJsonSchema } from './state/json-schema.ts';
export { openStore, type StoreOptions, seedFingerprint } from './state/open-store.ts';
export type { SandboxState } from './state/schema.ts';
export { unmarkedSkipWarning } from './state/skip-modes.ts';
export { stepErrors } from './state/step-errors.ts';
export { stateItemError } from './state/validation-errors.ts';
export type { Store } from './store/scope.ts';
export type { Clock, RandomBytes } from './values/ids.ts';
