// The service on one machine: opening its store, answering requests, serving them on a socket.
// The only module of the sandbox that others import.
export { createSandbox, type SandboxOptions } from './http/app.ts';
export { type SandboxServer, type ServeOptions, serveSandbox } from './http/server.ts';
export type { Clock, RandomBytes } from './ids.ts';
export { readState, writeState } from './state/file.ts';
export type { SandboxState } from './state/schema.ts';
export { seedFingerprint } from './state/seed-fingerprint.ts';
export { type Lock, takeLock } from './store/lock.ts';
export { openStore, type Store, type StoreOptions } from './store/open.ts';
