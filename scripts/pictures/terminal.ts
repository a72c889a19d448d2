// Runs the commands of a scene on a real terminal of 80 columns and reads its screen.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import type { Scene } from './scenes.ts';

export const columns = 80;

const maxSceneMs = 60_000;

export interface Cell {
  text: string;
  /** An index of the sixteen colors; undefined is the text color. */
  color: number | undefined;
  isBold: boolean;
  isDim: boolean;
}

export interface Home {
  folder: string;
  env: Record<string, string>;
  /** Runs a shell line in which `svc` is the built program. */
  shell(line: string): string;
  close(): void;
}

/** A folder with a sandbox at a fixed time, in which `svc` uses this sandbox. */
export function openHome(): Home {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-pictures-'));
  const bin = path.join(folder, '.bin');
  mkdirSync(bin);
  const program = path.resolve('bin/svc.js');
  writeFileSync(path.join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(path.join(bin, 'svc'), 0o755);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    // Sixteen colors, which each theme of the pictures defines.
    TERM: 'xterm',
  };
  const shell = (line: string) =>
    execFileSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  shell('svc sandbox start --in-memory --port 0 --detach --time 2026-01-15T12:00:00Z --frozen');
  return {
    folder,
    env,
    shell,
    close() {
      shell('svc sandbox stop');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns the lines of the screen. Throws if a command exits with another code than the scene says. */
export async function playScene({ files = {}, before = [], lines }: Scene): Promise<Cell[][]> {
  const home = openHome();
  try {
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(home.folder, name), text);
    for (const line of before) home.shell(line);
    const script = lines.map(({ command, code = 0 }) => shown(command, code)).join('\n');
    const until = lines.find((line) => line.until)?.until;
    const written = await onTerminal(home, `${script}\nexit 0`, until);
    return await readScreen(written.replaceAll(home.folder, '~'));
  } finally {
    home.close();
  }
}

/** Shell code that prints a command with a prompt, runs it and stops at an unexpected exit code. */
const shown = (command: string, code: number) =>
  `printf '\\033[1m$ %s\\033[0m\\n' ${quoted(command)}\n${command}\ngot=$?\n` +
  `test $got -eq ${code} || { printf '%s exits with %s\\n' ${quoted(command)} $got; exit 1; }`;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Runs a shell script. A marker keeps the terminal open, because its last output can get lost when it closes. With
 * `until`, returns what was written when this text is there, and leaves the live screen with q.
 */
function onTerminal({ folder, env }: Home, script: string, until?: RegExp): Promise<string> {
  const terminal = spawn(
    'bash',
    ['-c', `(${script}\n); printf '\\033]777;%s\\007' $?; read -r _`],
    { cols: columns, rows: 24, cwd: folder, env },
  );
  let written = '';
  let live: string | undefined;
  return new Promise((resolve, reject) => {
    const fail = () => {
      terminal.kill('SIGKILL');
      reject(new Error(`A command does not end:\n${written}`));
    };
    const timer = setTimeout(fail, maxSceneMs);
    terminal.onData((data) => {
      written += data;
      const end = /\x1b\]777;(\d+)\x07/.exec(written);
      if (!end) {
        if (live !== undefined || !until?.test(stripVTControlCharacters(written))) return;
        live = written;
        terminal.write('q');
        return;
      }
      clearTimeout(timer);
      terminal.kill('SIGKILL');
      const output = live ?? written.slice(0, end.index);
      if (end[1] === '0') resolve(output);
      else reject(new Error(output));
    });
  });
}

async function readScreen(written: string): Promise<Cell[][]> {
  const screen = new xterm.Terminal({
    cols: columns,
    rows: 24,
    scrollback: 1000,
    allowProposedApi: true,
  });
  await new Promise<void>((done) => screen.write(written, done));
  const { active } = screen.buffer;
  const lines = Array.from({ length: active.length }, (_unused, y): Cell[] => {
    const line = active.getLine(y);
    return Array.from({ length: columns }, (_none, x) => line?.getCell(x)).flatMap((cell) =>
      cell && cell.getWidth() > 0
        ? [
            {
              text: cell.getChars() || ' ',
              color: cell.isFgPalette() ? cell.getFgColor() : undefined,
              isBold: cell.isBold() !== 0,
              isDim: cell.isDim() !== 0,
            },
          ]
        : [],
    );
  });
  while (lines.at(-1)?.every(({ text }) => text === ' ')) lines.pop();
  return lines;
}
