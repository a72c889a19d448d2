// Runs the whole program in the test process with the real HTTP clients, for tests that have a server of their own.
// Sleeping takes no time. The environment contains only the variables of the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { processHost } from '../../src/platform/process-host.ts';
import { type HostOptions, numberedIds, type Output, runMain } from './rig-host.ts';
import { sandboxVariables } from './sandbox-311.ts';
import { watchFailures } from './unread-failures.ts';

type Variables = Record<string, string | undefined>;

export interface NetworkRig {
  /** The home folder and the working directory. */
  folder: string;
  /** Variables of all command lines. */
  env: Variables;
  svc(
    argv: readonly string[],
    more?: { stdin?: string; env?: Variables } & Pick<HostOptions, 'tty' | 'shutdownSignal'>,
  ): Promise<Omit<Output, 'written'>>;
  /** Runs a command line whose output streams are terminals; returns the bytes that the terminal receives. */
  onTerminal(
    argv: readonly string[],
    more?: { columns?: number; env?: Variables },
  ): Promise<{ code: number; written: string }>;
}

export function openNetworkRig(): NetworkRig {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-rig-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const watched = watchFailures();
  const env: Variables = { ...sandboxVariables };
  const newId = numberedIds();
  let slept = 0;
  const { clock } = processHost('0.0.0-test');
  const host = {
    home: folder,
    cwd: folder,
    newId,
    clock: {
      ...clock,
      now: () => clock.now() + slept,
      ticks: () => clock.ticks() + slept,
      sleep: async (ms: number) => {
        slept += ms;
      },
    },
  };
  return {
    folder,
    env,
    svc: async (argv, { env: more, ...options } = {}) => {
      const { code, stdout, stderr } = await runMain(argv, {
        ...host,
        ...options,
        env: { ...env, ...more },
      });
      return watched(argv, { code, stdout, stderr });
    },
    onTerminal: async (argv, { columns, env: more } = {}) => {
      const { code, written } = await runMain(argv, {
        ...host,
        tty: true,
        columns,
        env: { TERM: 'xterm-256color', ...env, ...more },
      });
      return { code, written: written.replaceAll('\n', '\r\n') };
    },
  };
}
