// The client for the control routes of a sandbox, and the bodies of their responses. Commands and tests use it, each with
// its own way to send a request.

import type { Client } from '../../api/client.ts';
import { unitMs } from '../../core/durations.ts';
import { SvcError } from '../../core/errors.ts';
import { isObject, keepMatching } from '../../core/objects.ts';
import type { Mode } from '../../service/mode.ts';
import type { SandboxVersion } from '../../service/versions.ts';
import type { SandboxState } from '../state/schema.ts';
import type { Snapshot } from '../store/snapshots.ts';
import type { FaultSettings, FaultState } from './fault-settings.ts';
import type {
  ActivityPage,
  CapturedMessage,
  ClockMove,
  ClockState,
  CopiedEnvironment,
  MessagePage,
  MessageQuery,
  NotEmulatedRoute,
  PageLink,
  RecordedRequest,
  RequestPage,
  RequestQuery,
  SandboxStatus,
  TriggeredEvent,
} from './schemas.ts';

export type {
  ActivityPage,
  CapturedMessage,
  ClockMove,
  ClockState,
  MessagePage,
  MessageQuery,
  RecordedRequest,
  RequestQuery,
  SandboxStatus,
  Snapshot,
  TriggeredEvent,
};

export const controlPath = '/__sandbox';

export interface ControlRequest {
  method: 'GET' | 'POST' | 'DELETE';
  target: string;
  body?: object;
}

export type ControlClient = ReturnType<typeof createControlClient>;

/** `send` returns the body of the response; it throws if the response is an error. */
export function createControlClient(send: (request: ControlRequest) => Promise<unknown>) {
  const call = async <T>(method: ControlRequest['method'], path: string, body?: object) =>
    (await send({ method, target: `${controlPath}/${path}`, ...(body ? { body } : {}) })) as T;
  const list = async <T>(path: string, query: MessageQuery) =>
    keepMatching(await call<T>('GET', `${path}?${toParameters(query)}`), query, ['transactionId']);
  return {
    status: () => call<SandboxStatus>('GET', 'status'),
    stop: () => call<{ stopping: boolean }>('POST', 'stop'),
    /** Changes the given mode and version; otherwise they stay. */
    reset: (changed: { compat?: Mode | undefined; service?: SandboxVersion | undefined } = {}) =>
      call<{ reset: true }>('POST', 'reset', changed),
    clock: () => call<ClockState>('GET', 'clock'),
    advanceClock: (ms: number) => call<ClockMove>('POST', 'clock', { advance: ms }),
    /** `time` is an ISO time or `now`. */
    setClock: (time: string) => call<ClockMove>('POST', 'clock', { set: time }),
    messages: (query: MessageQuery = {}) => list<MessagePage>('messages', query),
    /** Events with the results of their channel steps. */
    activity: (query: MessageQuery = {}) => list<ActivityPage>('activity', query),
    /** The requests of the application. */
    requests: (query: RequestQuery = {}) =>
      call<RequestPage>('GET', `requests?${toParameters(query)}`),
    message: (id: string) => call<CapturedMessage>('GET', `messages/${encodeURIComponent(id)}`),
    faults: () => call<FaultState>('GET', 'faults'),
    setFaults: (settings: FaultSettings) => call<FaultState>('POST', 'faults', settings),
    clearFaults: () => call<FaultState>('DELETE', 'faults'),
    copyEnvironment: () => call<CopiedEnvironment>('POST', 'environments'),
    removeEnvironment: (id: string) =>
      call<{ removed: true }>('DELETE', `environments/${encodeURIComponent(id)}`),
    snapshots: () => call<{ snapshots: Snapshot[] }>('GET', 'snapshots'),
    saveSnapshot: (name: string) => call<Snapshot>('POST', 'snapshots', { name }),
    restoreSnapshot: (name: string) =>
      call<Snapshot>('POST', `snapshots/${encodeURIComponent(name)}/restore`),
    removeSnapshot: (name: string) =>
      call<{ removed: true }>('DELETE', `snapshots/${encodeURIComponent(name)}`),
    createPageLink: () => call<PageLink>('POST', 'page'),
    exportState: (reveal = false) =>
      call<SandboxState>('GET', `export${reveal ? '?reveal=true' : ''}`),
    seed: (state: SandboxState) =>
      call<{ seeded: true; environments: number }>('POST', 'seed', state),
  };
}

function toParameters(query: MessageQuery | RequestQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  return parameters;
}

/** The routes in one line: `POST /v1/inbox/session (3), GET /v1/channel-endpoints (1)`. */
export const notEmulatedText = (routes: readonly NotEmulatedRoute[]): string =>
  routes.map(({ method, path, requests }) => `${method} ${path} (${requests})`).join(', ');

/** How long the sandbox accepts a link to its page. */
export const linkLifetimeMs = unitMs.m;

/** An exported state can be much larger than other responses. */
const maxStateBytes = 256 * 1024 * 1024;

/** Calls the control routes of the sandbox at the address of an API client. */
export const connectControl = (client: Client): ControlClient =>
  createControlClient(async ({ method, target, body }) => {
    const bytes = body && Buffer.from(JSON.stringify(body));
    const request = { method, target, responseLimit: maxStateBytes };
    return (await client.send({ ...request, ...(bytes ? { body: bytes } : {}) })).value;
  });

/** Returns undefined if no sandbox listens at the address. */
export const ifRunning = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (isNotListening(error)) return undefined;
    throw error;
  });

/** Whether the connection failed. A timeout does not count: a slow sandbox is running. */
const isNotListening = (error: unknown) =>
  error instanceof SvcError &&
  error.details.outcome !== undefined &&
  'failure' in error.details.outcome &&
  ['network', 'unsent'].includes(error.details.outcome.failure);

/** Whether a server responded as a sandbox does to `status`. It could be the real service, or another program. */
export const isSandboxStatus = (value: unknown): value is SandboxStatus =>
  isObject(value) && value.name === 'svc-sandbox';
