// Checks that need no service: versions, files, folders, settings, address and key.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import {
  cacheFolder,
  configFolder,
  isShared,
  refuseSharedFolders,
  stateFolder,
} from '../../config/folders.ts';
import { settingKeys } from '../../config/settings.ts';
import { keySource, overriddenText, overriddenVariables } from '../../config/target.ts';
import { localError, SvcError, usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { type Check, warning } from './finding.ts';

const oldestNode = [20, 20, 2];

export const machineChecks: readonly Check[] = [
  {
    name: 'versions',
    async run({ host: { version, nodeVersion, platform } }) {
      const message = `svc ${version}, Node ${nodeVersion}, ${platform}`;
      const parts = nodeVersion.replace(/^v/, '').split('.').map(Number);
      const at = oldestNode.findIndex((part, index) => part !== parts[index]);
      const isOld = at >= 0 && (parts[at] ?? 0) < (oldestNode[at] ?? 0);
      return isOld
        ? warning(message, `Install Node ${oldestNode.join('.')} or later.`)
        : { message };
    },
  },
  {
    name: 'configuration',
    async run({ configuration }) {
      const { profiles, current } = configuration.read();
      const count = Object.keys(profiles).length;
      const missing = existsSync(configuration.file) ? '' : ' (does not exist yet)';
      const which = current === undefined ? 'none is current' : `${current} is current`;
      return { message: `${configuration.file}${missing}: ${counted(count, 'profile')}, ${which}` };
    },
  },
  {
    name: 'permissions',
    run: async ({ configuration, host }) => checkPermissions(configuration.file, host.platform),
  },
  {
    name: 'folders',
    async run({ host }) {
      const [config, state, cache] = [configFolder(host), stateFolder(host), cacheFolder(host)];
      for (const folder of [config, state, cache]) ensureWritable(folder);
      refuseSharedFolders(host);
      return { message: `state ${state}, cache ${cache}` };
    },
  },
  {
    name: 'settings',
    async run({ settings }) {
      const texts = settingKeys.flatMap((name) => {
        const { value, from, source } = settings.setting(name);
        return from === 'default' ? [] : [`${name} ${value} (${source})`];
      });
      return { message: texts.length === 0 ? 'all at their defaults' : texts.join(', ') };
    },
  },
  { name: 'sandbox', run: checkSandboxStore },
  {
    name: 'address',
    async run(context) {
      const { globals, host, connection } = context;
      const target = connection.target();
      const { value, source } = target.baseUrl;
      const overridden = overriddenVariables({ globals, env: host.env }, target);
      const more = overridden ? `; ${overriddenText(overridden)}` : '';
      return { message: `${value} (${source})${more}` };
    },
  },
  {
    name: 'key',
    needs: 'address',
    async run(context) {
      const { keyFrom } = context.connection.target();
      await context.connection.apiKey();
      const isInKeychain = keyFrom.kind === 'profile' && keyFrom.profile.keySource === 'keychain';
      return { message: `found (${keySource(keyFrom)}${isInKeychain ? ', in the keychain' : ''})` };
    },
  },
];

/** The configuration file contains API keys, so only its owner may have access. */
function checkPermissions(file: string, platform: string) {
  if (platform === 'win32') return { message: 'not checked on Windows' };
  if (!existsSync(file)) return { message: 'no file is stored yet' };
  for (const [name, allowed] of [
    [path.dirname(file), 0o700],
    [file, 0o600],
  ] as const) {
    const mode = statSync(name).mode & 0o777;
    // The check of the folders reports a shared folder. It may belong to the system, such as /tmp.
    if (name !== file && isShared(name, { platform })) continue;
    if ((mode & ~allowed) !== 0) {
      const octal = mode.toString(8).padStart(4, '0');
      return warning(
        `Other users can access ${name} (mode ${octal})`,
        `chmod ${allowed.toString(8)} ${name}`,
      );
    }
  }
  return { message: 'only you can read the configuration' };
}

/** Throws unless the folder, or the nearest existing parent of a missing one, is writable. */
function ensureWritable(folder: string): void {
  let nearest = folder;
  while (!existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw localError(`Cannot write to ${folder}: ${nearest} is not writable.`, {
      hint: 'Set SVC_CONFIG_DIR, SVC_STATE_DIR and SVC_CACHE_DIR to folders that you can write to.',
    });
  }
}

/** Opens a store in memory, which needs SQLite: Node has it, or the package includes it. */
async function checkSandboxStore(context: Context) {
  try {
    const { openStore } = await context.sandbox();
    (await openStore({ clock: context.host.clock })).close();
    return { message: 'can be started on this machine' };
  } catch (error) {
    if (!(error instanceof SvcError))
      throw usageError('The sandbox cannot be started on this machine.');
    return warning(error.message, error.details.hint ?? error.details.next?.[0] ?? '');
  }
}
