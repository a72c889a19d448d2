// Runs a program on a real pseudo-terminal whose screen a test can read.
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { type Home, prelude } from './built.ts';

export interface TerminalOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  columns?: number;
  /** The program is an interactive shell; its exit code is not needed. */
  isInteractive?: true;
}

export interface OnTerminal {
  /** Resolves when the screen contains the text; with `expected` false, when it no longer does. */
  shows(text: string, expected?: boolean): Promise<void>;
  /** Resolves when the screen contains the text at least `times` times. */
  counts(text: string, times: number): Promise<void>;
  types(text: string): void;
  /** Returns the lines of the screen, with wrapped lines joined and without trailing spaces. */
  screen(): string;
  ended(): Promise<{ code: number | undefined; screen: string; written: string }>;
}

/** Runs a shell command on a terminal in which `svc` is the built program. */
export const inTerminal = (
  { env, folder }: Home,
  line: string,
  more: { columns?: number; env?: NodeJS.ProcessEnv } = {},
): OnTerminal =>
  onTerminal('bash', ['-c', prelude + line], {
    ...more,
    cwd: folder,
    env: { ...env, ...more.env },
  });

// When a program exits, its terminal closes, and on a busy machine the last output can be lost. So a shell reports the
// exit code in an invisible sequence and keeps the terminal open.
const keepOpen = `trap : INT; "$@"; printf '\\033]777;%s\\007' $?; read -r _`;

export function onTerminal(
  program: string,
  args: readonly string[],
  { env, cwd, columns = 80, isInteractive }: TerminalOptions,
): OnTerminal {
  const [file, line] = isInteractive
    ? [program, [...args]]
    : ['sh', ['-c', keepOpen, 'sh', program, ...args]];
  const terminal = spawn(file, line, {
    cols: columns,
    rows: 24,
    cwd,
    env: { TERM: 'xterm-256color', ...env } as Record<string, string>,
  });
  const emulator = new xterm.Terminal({ cols: columns, rows: 24, allowProposedApi: true });
  let written = '';
  let code: number | undefined;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  terminal.onData((data) => {
    if (code !== undefined) return;
    written += data;
    emulator.write(data, notify);
    const end = /\x1b\]777;(\d+)\x07/.exec(written);
    if (!end) return;
    code = Number(end[1]);
    written = written.slice(0, end.index);
    emulator.write('', notify);
  });
  onTestFinished(() => {
    terminal.kill('SIGKILL');
    emulator.dispose();
  });
  const screen = () => {
    const { active } = emulator.buffer;
    const lines = Array.from({ length: active.length }, (_unused, row) => {
      const line = active.getLine(row);
      return `${line?.isWrapped ? '' : '\n'}${line?.translateToString(true) ?? ''}`;
    });
    return lines.join('').trim();
  };
  const until = (ready: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const listener = () => {
        if (ready()) {
          listeners.delete(listener);
          resolve();
        } else if (code !== undefined) reject(new Error(`exited with ${code}:\n${screen()}`));
      };
      listeners.add(listener);
      listener();
    });
  return {
    shows: (text, expected = true) => until(() => screen().includes(text) === expected),
    counts: (text, times) => until(() => screen().split(text).length > times),
    types: (text) => terminal.write(text),
    screen,
    ended: async () => {
      await until(() => code !== undefined);
      return { code, screen: screen(), written };
    },
  };
}
