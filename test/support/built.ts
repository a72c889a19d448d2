// Runs the built program in its own process, with its own environment and home folder.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { sandboxVariables } from './sandbox-311.ts';
import { watchFailures } from './unread-failures.ts';

const program = path.resolve('bin/svc.js');

/** The compiled code of all homes: compiling it again in each takes a fifth of the time of a test. */
const compiled = path.resolve('node_modules/.cache/svc-compiled');

function shareCompiled(home: string): void {
  const cache = path.join(home, '.cache/svc');
  for (const folder of [compiled, cache]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  symlinkSync(compiled, path.join(cache, 'compiled'));
}

/** Shell code that defines `svc` as the built program. */
export const prelude = `svc() { "${process.execPath}" "$SVC" "$@"; }; set -o pipefail; `;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves when standard output contains the text. */
  says(text: string): Promise<string>;
}

export interface Home {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Runs a command line and waits for its end. */
  svc(line: readonly string[], more?: { stdin?: string; env?: NodeJS.ProcessEnv }): Promise<Ended>;
  /** Runs a shell command in which `svc` is the built program. */
  shell(line: string, env?: NodeJS.ProcessEnv): Promise<Ended>;
  start(line: readonly string[], options?: SpawnOptions): Started;
  /** Starts a sandbox in this home; its profile becomes the current one. */
  sandbox(more?: readonly string[]): Promise<Started & { baseUrl: string; key: string }>;
}

/** With `compiles`, the home has compiled code of its own. */
export function openHome({ compiles = false } = {}): Home {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-home-'));
  if (!compiles) shareCompiled(folder);
  const watched = watchFailures();
  const started: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: folder,
    TZ: 'UTC',
    SVC: program,
    ...sandboxVariables,
    // `npm run coverage` reads the coverage of the built program from this folder.
    ...(process.env.BUILT_COVERAGE ? { NODE_V8_COVERAGE: process.env.BUILT_COVERAGE } : {}),
  };

  const watch = (child: ChildProcess): Started => {
    started.push(child);
    // A process that was killed reads no more.
    child.stdin?.on('error', () => undefined);
    const output = { stdout: '', stderr: '' };
    const waiting: { text: string; resolve: (all: string) => void }[] = [];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
      for (const { text: expected, resolve } of waiting)
        if (output.stdout.includes(expected)) resolve(output.stdout);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code) => resolve({ code, ...output }));
    });
    const says = (text: string) =>
      new Promise<string>((resolve, reject) => {
        if (output.stdout.includes(text)) resolve(output.stdout);
        waiting.push({ text, resolve });
        void ended.then((end) =>
          reject(new Error(`ended before it printed ${text}: ${JSON.stringify(end)}`)),
        );
      });
    return { process: child, ended, says };
  };

  const start = (line: readonly string[], options: SpawnOptions = {}) =>
    watch(
      spawn(process.execPath, [String(env.SVC), ...line], {
        env,
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...options,
      }),
    );

  return {
    folder,
    env,
    start,
    svc: async (line, { stdin, env: changed } = {}) => {
      const run = start(line, {
        env: { ...env, ...changed },
        stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      });
      run.process.stdin?.end(stdin);
      return watched(line, await run.ended);
    },
    shell: (line, changed) =>
      watch(
        spawn('bash', ['-c', prelude + line], {
          env: { ...env, ...changed },
          cwd: folder,
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ).ended,
    sandbox: async (more = ['--in-memory']) => {
      const run = start(['sandbox', 'start', '--port', '0', '--json', ...more]);
      const { baseUrl, key } = JSON.parse(await run.says('\n}\n').catch(() => run.says('}'))) as {
        baseUrl: string;
        key: string;
      };
      return { ...run, baseUrl, key };
    },
  };
}

/** Puts the built program as `svc` on the path of the home. */
export function putOnPath({ folder, env }: Pick<Home, 'folder' | 'env'>): void {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "$SVC" "$@"\n`);
  chmodSync(path.join(bin, 'svc'), 0o755);
  env.PATH = `${bin}:${env.PATH}`;
}
