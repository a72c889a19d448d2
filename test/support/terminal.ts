// A real pseudo-terminal with a screen that can be read, for what only happens on one.
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { type Home, prelude } from './built.ts';

export interface TerminalOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  columns?: number;
}

export interface OnTerminal {
  /** Resolves when the screen shows the text, or `false` when it no longer does. */
  shows(text: string, wanted?: boolean): Promise<void>;
  /** Resolves when the text stands on the screen so many times. */
  counts(text: string, times: number): Promise<void>;
  types(text: string): void;
  /** The lines of the screen, wrapped ones whole, without blanks at their ends. */
  screen(): string;
  ended(): Promise<{ code: number | undefined; screen: string; written: string }>;
}

/** Written when a line is over, unseen by the screen; the shell stays until it is told that this has arrived. */
const end = '\x1b]777;over\x07';
const stay = "; code=$?; stty -echo; printf '\\033]777;over\\007'; read -r; exit $code";

/** Runs a program to its end, with every byte that it writes: a terminal forgets what its last user left unread. */
export const toItsEnd = (argv: readonly string[], options: TerminalOptions): OnTerminal =>
  onTerminal('bash', ['-c', `"$@"${stay}`, 'bash', ...argv], options);

/** Runs a shell line on a terminal, in which `svc` is the program. */
export const inTerminal = (
  { env, folder }: Home,
  line: string,
  more: { columns?: number; env?: NodeJS.ProcessEnv } = {},
): OnTerminal =>
  onTerminal('bash', ['-c', `${prelude}\n{ ${line}\n}${stay}`], {
    ...more,
    cwd: folder,
    env: { ...env, ...more.env },
  });

export function onTerminal(
  program: string,
  args: readonly string[],
  { env, cwd, columns = 80 }: TerminalOptions,
): OnTerminal {
  const terminal = spawn(program, [...args], {
    cols: columns,
    rows: 24,
    cwd,
    env: { TERM: 'xterm-256color', ...env } as Record<string, string>,
  });
  const emulator = new xterm.Terminal({ cols: columns, rows: 24, allowProposedApi: true });
  let written = '';
  let code: number | undefined;
  const waiting = new Set<() => void>();
  const look = () => {
    for (const one of waiting) one();
  };
  terminal.onData((data) => {
    const wasOver = written.includes(end);
    written += data;
    if (!wasOver && written.includes(end)) terminal.write('\r');
    emulator.write(data, look);
  });
  terminal.onExit(({ exitCode }) => {
    code = exitCode;
    emulator.write('', look);
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
      const one = () => {
        if (ready()) {
          waiting.delete(one);
          resolve();
        } else if (code !== undefined) reject(new Error(`ended with ${code}:\n${screen()}`));
      };
      waiting.add(one);
      one();
    });
  return {
    shows: (text, wanted = true) => until(() => screen().includes(text) === wanted),
    counts: (text, times) => until(() => screen().split(text).length > times),
    types: (text) => terminal.write(text),
    screen,
    ended: async () => {
      await until(() => code !== undefined);
      return { code, screen: screen(), written: written.split(end)[0] ?? '' };
    },
  };
}
