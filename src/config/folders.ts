// The folders of svc for configuration, state and cache, from XDG rules and svc's own variables.
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
  kind: string,
  dotted: string,
  windows: string,
): string {
  const own = env[`SVC_${kind}_DIR`];
  if (own) return resolve(cwd, own);
  const xdg = env[`XDG_${kind}_HOME`];
  // The XDG specification requires that relative paths are ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'svc');
  const local = env[windows];
  if (platform === 'win32' && local) return join(local, 'svc', kind.toLowerCase());
  return join(home === '' ? '/nonexistent' : home, dotted, 'svc');
}
