// Runs the whole program in the test process. rig.ts and network-rig.ts set the network, the variables and the clock.
import { Readable, Writable } from 'node:stream';
import { main } from '../../src/app/main.ts';
import type { Host, OutputStream } from '../../src/platform/host.ts';
import { runChild } from '../../src/platform/run-child.ts';

/** The processes of the machine; by default only this one, and start times are unknown. */
export type ProcessOptions = Partial<Pick<Host, 'identity' | 'isAlive'>>;

export interface HostOptions
  extends Pick<Host, 'env' | 'cwd' | 'home' | 'clock' | 'newId'>,
    ProcessOptions {
  /** Output streams that are terminals; `true` means both. */
  tty?: boolean | 'stdout' | 'stderr' | undefined;
  columns?: number | undefined;
  stdin?: string | Readable | undefined;
  /** Aborts like a signal; its reason is a `SignalReason`. */
  shutdownSignal?: AbortSignal | undefined;
  openTransport?: NonNullable<Host['openTransport']>;
  /** Receives standard output as it is written. */
  onStdout?: ((text: string) => void) | undefined;
  /** Receives what a prompt draws. */
  onPrompt?: ((text: string) => void) | undefined;
  /** Standard input is a terminal, whose keys come from this function. */
  readKeys?: Host['readKeys'] | undefined;
}

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
  /** Both streams in the order of the writes. */
  written: string;
}

export async function runMain(
  argv: readonly string[],
  {
    tty = false,
    columns = 80,
    stdin = Readable.from([]),
    shutdownSignal,
    onStdout,
    onPrompt,
    readKeys,
    ...given
  }: HostOptions,
): Promise<Output> {
  const output = { stdout: '', stderr: '', written: '' };
  const open = (name: 'stdout' | 'stderr'): OutputStream => ({
    isTty: tty === true || tty === name,
    columns,
    rows: 24,
    stream: new Writable({
      write: (chunk, _encoding, done) => {
        onPrompt?.(String(chunk));
        done();
      },
    }),
    write: async (text) => {
      if (name === 'stdout') onStdout?.(text);
      output[name] += text;
      output.written += text;
    },
  });
  const repeating = new Set<() => void>();
  const every: Host['clock']['every'] = (...timer) => {
    const stop = given.clock.every(...timer);
    repeating.add(stop);
    return () => {
      repeating.delete(stop);
      stop();
    };
  };
  const code = await main(argv, {
    platform: 'linux',
    version: '0.0.0-test',
    nodeVersion: 'v20.20.2',
    script: '/usr/local/bin/svc',
    pid: 4242,
    identity: undefined,
    isAlive: (pid) => pid === 4242,
    uncaughtError: new Promise(() => undefined),
    limitHeapGrowth: () => () => undefined,
    stdin: typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin,
    stdinIsTty: readKeys !== undefined,
    readKeys: readKeys ?? (() => Promise.reject(new Error('the rig has no keyboard'))),
    stdout: open('stdout'),
    stderr: open('stderr'),
    random: () => 0.5,
    shutdownSignal: shutdownSignal ?? new AbortController().signal,
    forceSignal: new AbortController().signal,
    spawn: () => Promise.reject(new Error('the rig does not start processes')),
    runChild,
    ...given,
    clock: { ...given.clock, every },
  });
  // Such as a line of progress, which would be drawn over the output of the next command of the process.
  if (repeating.size > 0) throw new Error(`svc ${argv.join(' ')} did not stop a repeating timer`);
  return { code, ...output };
}

/** Returns numbered UUIDs. */
export function numberedIds() {
  let next = 0;
  return () => {
    next += 1;
    return `00000000-0000-4000-8000-${String(next).padStart(12, '0')}`;
  };
}
