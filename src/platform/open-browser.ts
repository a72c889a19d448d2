// Opens an address in the browser of the machine. The address is an argument of a program and never part of a shell line.
import type { Host } from './host.ts';

/** A program that still runs after this time has opened the address. */
const timeoutMs = 2_000;

/** Returns whether a browser was started. */
export async function openInBrowser(
  { env, platform, clock }: Host,
  address: string,
): Promise<boolean> {
  const command = commandFor(platform, env);
  if (!command) return false;
  const [program = '', ...options] = command;
  const { spawn } = await import('node:child_process');
  const child = spawn(program, [...options, address], { env, detached: true, stdio: 'ignore' });
  const { signal, clear } = clock.deadline(timeoutMs);
  const isOpened = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    signal.addEventListener('abort', () => resolve(true), { once: true });
  });
  clear();
  child.unref();
  return isOpened;
}

/** Without a desktop, `xdg-open` could start a browser in the terminal. */
function commandFor(platform: string, env: Host['env']): string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
