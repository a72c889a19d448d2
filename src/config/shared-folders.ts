// Refuses folders that every user of the machine can write to, because others could replace the files in them.
import { localError } from '../core/errors.ts';
import { shellWord } from '../core/text.ts';
import { cacheFolder, configFolder, isShared, type Machine, stateFolder } from './folders.ts';

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
