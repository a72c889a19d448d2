// A sandbox in this process with a fixed clock, and a way to ask it. A defect fails the test.
import { onTestFinished } from 'vitest';
import { createSandbox, openStore, type SandboxOptions } from '../../src/sandbox/index.ts';
import type { OpenDatabase } from '../../src/sandbox/store/driver.ts';

export const key = '0123456789abcdef0123456789abcdef';
export const noon = Date.parse('2026-01-15T12:00:00.000Z');

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any form
  body: any;
  headers: Headers;
}

export type Ask = (
  line: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>;

export interface OpenOptions
  extends Partial<Pick<SandboxOptions, 'envelope' | 'hosts' | 'onStop' | 'startTimer' | 'faults'>> {
  directory?: string;
  driver?: OpenDatabase;
  now?: () => number;
  time?: number;
  frozen?: boolean;
}

export async function openSandbox(options: OpenOptions = {}) {
  const { directory, driver, now = () => noon, time, frozen = false, ...rest } = options;
  const clock = { now };
  const store = await openStore({
    clock,
    key,
    frozen,
    ...(time === undefined ? {} : { time }),
    ...(directory === undefined ? {} : { directory }),
    ...(driver === undefined ? {} : { driver }),
  });
  onTestFinished(() => store.close());
  const defects: unknown[] = [];
  const sandbox = createSandbox({
    store,
    clock,
    onInternalError: (error) => defects.push(error),
    ...rest,
  });
  const ask: Ask = async (line, body, headers = {}) => {
    const [method = 'GET', target = '/'] = line.split(' ');
    const answer = await sandbox(
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
    if (defects.length > 0) throw defects[0];
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: answer.headers,
    };
  };
  return { ask, store, sandbox };
}
