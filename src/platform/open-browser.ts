// Opens an address in the browser of the machine. The address is an argument of a program and never part of a shell
// line. Every user of the machine can read that argument.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Host } from './host.ts';
import { writePrivatePage } from './private-page.ts';

/** A program that still runs after this time has opened the address. */
const timeoutMs = 2_000;

/** Whether there seems to be a browser to start. */
export const hasBrowser = ({ platform, env }: Pick<Host, 'platform' | 'env'>): boolean =>
  commandFor(platform, env) !== undefined;

/** Returns whether a browser was started. */
export async function openInBrowser(
  { env, platform, clock }: Host,
  address: string,
): Promise<boolean> {
  const command = commandFor(platform, env);
  if (!command) return false;
  const [program = '', ...options] = command;
  const { spawn } = await import('node:child_process');
  const child = spawn(program, [...options, address], {
    env: withoutSecrets(env),
    detached: true,
    stdio: 'ignore',
  });
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

/**
 * Opens a link that others must not read, through a file that only the user can read and that redirects to the link.
 * `lifetimeMs` is how long the link works: a later call removes older files.
 */
export async function openSecretLink(
  host: Host,
  link: string,
  lifetimeMs: number,
): Promise<boolean> {
  if (!commandFor(host.platform, host.env)) return false;
  let file: string;
  try {
    file = writePrivatePage(host, {
      prefix: 'svc-open-',
      name: 'open.html',
      html: redirectTo(link),
      keptMs: lifetimeMs,
    });
  } catch {
    // Without a folder for temporary files, the caller prints the link.
    return false;
  }
  const isOpened = await openInBrowser(host, pathToFileURL(file).href);
  if (!isOpened) rmSync(path.dirname(file), { recursive: true, force: true });
  return isOpened;
}

function redirectTo(link: string): string {
  const address = link.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>svc</title>
<p><a href="${address}">Open the page</a></p>
`;
}

/** Without a desktop, `xdg-open` could start a browser in the terminal. */
function commandFor(platform: string, env: Host['env']): string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

const secretName =
  /^SVC_|(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASS|PASSWD|PASSWORD|PASSPHRASE|CREDENTIALS?)(_|$)/i;

/** The browser and its extensions need no keys. The desktop passes the focus in XDG_ACTIVATION_TOKEN. */
const withoutSecrets = (env: Host['env']): Host['env'] =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => name === 'XDG_ACTIVATION_TOKEN' || !secretName.test(name),
    ),
  );
