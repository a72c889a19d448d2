// The folders of svc for configuration, state and cache, from XDG rules and svc's own variables. Imports nothing of svc,
// because the entry point needs the cache folder before it can load compiled code.

import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

export interface Machine {
  env: Record<string, string | undefined>;
  platform: string;
  /** The home directory; empty if unknown. */
  home: string;
  cwd: string;
}

/** The configuration folder: `SVC_CONFIG_DIR`, `$XDG_CONFIG_HOME/svc`, `~/.config/svc`. */
export const configFolder = (machine: Machine) => folder(machine, 'CONFIG', '.config', 'APPDATA');
/** The folder for runs and sandbox data: `SVC_STATE_DIR`, `$XDG_STATE_HOME/svc`, `~/.local/state/svc`. */
export const stateFolder = (machine: Machine) =>
  folder(machine, 'STATE', '.local/state', 'LOCALAPPDATA');
/** The folder of the journals of bulk runs. */
export const runsFolder = (machine: Machine) => join(stateFolder(machine), 'runs');
/** The cache folder: `SVC_CACHE_DIR`, `$XDG_CACHE_HOME/svc`, `~/.cache/svc`. */
export const cacheFolder = (machine: Machine) => folder(machine, 'CACHE', '.cache', 'LOCALAPPDATA');

function folder(
  { env, platform, home, cwd }: Machine,
  purpose: string,
  dotted: string,
  windows: string,
): string {
  const own = env[`SVC_${purpose}_DIR`];
  if (own) return resolve(cwd, own);
  const xdg = env[`XDG_${purpose}_HOME`];
  // The XDG specification requires that relative paths are ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'svc');
  const local = env[windows];
  if (platform === 'win32' && local) return join(local, 'svc', purpose.toLowerCase());
  return join(home === '' ? '/nonexistent' : home, dotted, 'svc');
}

/** Whether every user of the machine can write to the folder. Windows reports the same mode for every folder. */
export function isShared(folder: string, { platform }: Pick<Machine, 'platform'>): boolean {
  if (platform === 'win32') return false;
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    // The folder does not exist, or the command that uses it reports the error.
    return false;
  }
}
