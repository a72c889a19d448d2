// Opens a sandbox in this process with a fixed clock. Internal errors of the sandbox fail the test.
import { onTestFinished } from 'vitest';
import { withoutUndefined } from '../../src/core/objects.ts';
import { createControlClient } from '../../src/sandbox/control/client.ts';
import type { OpenDatabase } from '../../src/sandbox/store/database.ts';
import type { Mode } from '../../src/service/mode.ts';
import type { SandboxVersion } from '../../src/service/versions.ts';
import {
  createSandbox,
  openStore,
  type SandboxOptions,
  type SandboxState,
  type StoreOptions,
} from '../support/sandbox-311.ts';
import { openSeededStore } from '../support/seeded-store.ts';

export const key = '0123456789abcdef0123456789abcdef';
export const noon = Date.parse('2026-01-15T12:00:00.000Z');

export interface TestResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape
  body: any;
  headers: Headers;
}

export type Ask = (
  line: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<TestResponse>;

export interface OpenOptions
  extends Partial<
    Pick<
      SandboxOptions,
      | 'envelope'
      | 'hosts'
      | 'onStop'
      | 'startTimer'
      | 'faults'
      | 'pageUrl'
      | 'profile'
      | 'stopSignal'
    >
  > {
  directory?: string;
  driver?: OpenDatabase;
  now?: () => number;
  time?: number;
  frozen?: boolean;
  mode?: Mode;
  /** Default: 3.11. */
  service?: SandboxVersion | undefined;
  queueDelayMs?: number | 'mode';
  seed?: SandboxState;
}

export async function openSandbox(options: OpenOptions = {}) {
  const {
    now = () => noon,
    mode,
    directory,
    driver,
    time,
    frozen,
    service,
    queueDelayMs,
    seed,
    ...rest
  } = options;
  const clock = { now };
  const given = withoutUndefined({ directory, driver, time, frozen, queueDelayMs, seed });
  const store =
    Object.keys(given).length === 0
      ? await openSeededStore({ clock, key, mode, service })
      : await openStore({ clock, key, mode, service, ...(given as Partial<StoreOptions>) });
  onTestFinished(() => store.close());
  const internalErrors: unknown[] = [];
  const sandbox = createSandbox({
    store,
    clock,
    onInternalError: (error) => internalErrors.push(error),
    // Without the envelope, unless the test names a mode.
    ...(mode === undefined ? { envelope: false } : {}),
    ...rest,
  });
  const ask: Ask = async (line, body, headers = {}) => {
    const [method = 'GET', target = '/'] = line.split(' ');
    const response = await sandbox(
      new Request(`http://localhost${target}`, {
        method,
        headers: {
          authorization: `ApiKey ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    if (internalErrors.length > 0) throw internalErrors[0];
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  };
  const control = createControlClient(async ({ method, target, body: sent }) => {
    const { status, body } = await ask(`${method} ${target}`, sent);
    if (status >= 400) throw new Error(`${method} ${target}: ${JSON.stringify(body)}`);
    return body;
  });
  return { ask, control, store, sandbox, internalErrors };
}
