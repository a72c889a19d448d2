// Refuses folders of svc that every user of the machine can write to: others could replace the files in them.
import { statSync } from 'node:fs';
import { localError } from '../core/errors.ts';
import { shellWord } from '../core/shell-word.ts';
import { cacheFolder, configFolder, type Machine, stateFolder } from './folders.ts';

/** Throws if the configuration, state or cache folder is shared, such as /tmp. svc does not change its mode. */
export function refuseSharedFolders(machine: Machine): void {
  for (const [name, folderOf] of [
    ['CONFIG', configFolder],
    ['STATE', stateFolder],
    ['CACHE', cacheFolder],
  ] as const) {
    const folder = folderOf(machine);
    if (!isShared(folder, machine)) continue;
    const variable = `SVC_${name}_DIR`;
    throw localError(
      `Every user of this machine can write to ${folder}, the ${name.toLowerCase()} folder of svc.`,
      machine.env[variable]
        ? {
            hint: `Set ${variable} to a folder that only you can write to. svc creates it if it does not exist.`,
          }
        : { next: [`chmod 700 ${shellWord(folder)}`] },
    );
  }
}

/** Windows reports the same mode for every folder. */
export function isShared(folder: string, { platform }: Pick<Machine, 'platform'>): boolean {
  if (platform === 'win32') return false;
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    // It does not exist, or the command that uses it reports the error.
    return false;
  }
}
