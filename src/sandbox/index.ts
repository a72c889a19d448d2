// The public interface of the sandbox, the local emulator of the service: open a store, handle requests,
// serve them on a socket. Besides this module, other folders import two modules of control/, the dialects,
// engine/preview.ts, http/router.ts, page/preview-file.tsx and state/default-integrations.ts.

export { type Lock, takeLock } from '../platform/files/lock.ts';
export { payloadErrors } from '../service/payload-schema.ts';
export { missingCredentials } from '../service/providers.ts';
export { createSandbox, type SandboxOptions } from './app.ts';
export type { Exchange, LoggedEvent } from './control/recorder.ts';
export { eventLine } from './control/recorder.ts';
export { faultProblems } from './control/sandbox-routes.ts';
export type { StoryFilter } from './control/story.ts';
export { ConnectionCut } from './http/responses.ts';
export {
  type OpenedSandbox,
  openSandbox,
  printLine,
  printWarning,
  type SandboxCopy,
  sleep,
  systemClock,
} from './open-sandbox.ts';
export type { FileProblem } from './page/file-problems.tsx';
export {
  openReplay,
  type PastEvent,
  type Replay,
  type ReplayedEvent,
  type ReplayedStep,
} from './replay.ts';
export {
  readApplicationIdentifier,
  type SandboxServer,
  type ServeOptions,
  serveSandbox,
} from './server.ts';
export {
  type DefinitionProblem,
  layoutProblems,
  stepErrors,
  workflowProblems,
} from './state/definition-problems.ts';
export { checkState, readState, writeState } from './state/file.ts';
export { openStore, type StoreOptions, seedFingerprint } from './state/open-store.ts';
export type { SandboxState } from './state/schema.ts';
export { stateJsonSchema } from './state/schema.ts';
export { withDefinitions } from './state/seed-state.ts';
export { stateItemError, unmarkedSkipWarning } from './state/validation-errors.ts';
export type { Clock, RandomBytes } from './store/ids.ts';
export type { Store } from './store/scope.ts';
