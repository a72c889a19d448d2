// Questions on a real pseudo-terminal.
import { spawn } from '@lydell/node-pty';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Home, openHome } from '../support/built.ts';

/** Starts a command line on a terminal of 80 columns. */
function onTerminal(home: Home, line: readonly string[]) {
  const terminal = spawn(process.execPath, [String(home.env.SVC), ...line], {
    cols: 80,
    rows: 24,
    cwd: home.folder,
    env: { ...home.env, TERM: 'xterm-256color' } as Record<string, string>,
  });
  let screen = '';
  let code: number | undefined;
  const waiting = new Set<() => void>();
  terminal.onData((data) => {
    screen += data;
    for (const look of waiting) look();
  });
  terminal.onExit(({ exitCode }) => {
    code = exitCode;
    for (const look of waiting) look();
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  const until = (ready: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (ready()) {
          waiting.delete(look);
          resolve();
        } else if (code !== undefined) reject(new Error(`ended with ${code}: ${screen}`));
      };
      waiting.add(look);
      look();
    });
  return {
    sees: (text: string) => until(() => screen.includes(text)),
    types: (text: string) => terminal.write(text),
    ended: async () => {
      await until(() => code !== undefined);
      return { code, screen };
    },
  };
}

describe('svc login on a terminal', () => {
  it('asks for address, key and name, and never shows the key', async () => {
    const home = openHome();
    const { baseUrl, key } = await home.sandbox();
    const terminal = onTerminal(home, ['login']);
    await terminal.sees('Base URL of the service:');
    terminal.types(`${baseUrl}\r`);
    await terminal.sees('API key:');
    terminal.types(`${key}\r`);
    await terminal.sees('Name of the profile:');
    terminal.types('\r');
    const { code, screen } = await terminal.ended();
    expect(code).toBe(0);
    expect(screen).toContain('as profile development');
    expect(screen).not.toContain(key);
  });

  it('ends with 130 and stores nothing when it is interrupted', async () => {
    const home = openHome();
    const terminal = onTerminal(home, ['login']);
    await terminal.sees('Base URL of the service:');
    terminal.types('\x03');
    expect((await terminal.ended()).code).toBe(130);
    expect(JSON.parse((await home.svc(['profiles', 'list', '--json'])).stdout)).toEqual([]);
  });
});

describe('a question', () => {
  it('is answered with no by the return key alone', async () => {
    const home = openHome();
    await home.sandbox();
    const terminal = onTerminal(home, ['profiles', 'delete', 'sandbox']);
    await terminal.sees('(y/N)');
    terminal.types('\r');
    expect((await terminal.ended()).code).toBe(2);
    expect((await home.svc(['profiles', 'list', '-o', 'ids'])).stdout).toBe('sandbox\n');
  });
});
