// What can be checked without the service: versions, files, folders, settings, address and key.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { counted } from '../../core/counts.ts';
import { localError, SvcError, usageError } from '../../core/errors.ts';
import { type Check, warning } from './finding.ts';

const oldestNode = [20, 20, 2];

export const machineChecks: readonly Check[] = [
  {
    name: 'versions',
    async look({ host: { version, nodeVersion, platform } }) {
      const found = `svc ${version}, Node ${nodeVersion}, ${platform}`;
      const parts = nodeVersion.replace(/^v/, '').split('.').map(Number);
      const at = oldestNode.findIndex((part, index) => part !== parts[index]);
      const isOld = at >= 0 && (parts[at] ?? 0) < (oldestNode[at] ?? 0);
      return isOld ? warning(found, `Node ${oldestNode.join('.')} or later is needed.`) : { found };
    },
  },
  {
    name: 'configuration',
    async look({ configuration }) {
      const { profiles, current } = configuration.read();
      const count = Object.keys(profiles).length;
      const there = existsSync(configuration.file) ? '' : ' (not there yet)';
      const which = current === undefined ? 'none is current' : `${current} is current`;
      return {
        found: `${configuration.file}${there}: ${counted(count, 'profile')}, ${which}`,
      };
    },
  },
  {
    name: 'permissions',
    look: async ({ configuration, host }) => modes(configuration.file, host.platform),
  },
  {
    name: 'folders',
    async look({ folders }) {
      for (const folder of [folders.config, folders.state, folders.cache]) writable(folder);
      return { found: `state ${folders.state}, cache ${folders.cache}` };
    },
  },
  {
    name: 'settings',
    async look({ preferences }) {
      const given = Object.entries(preferences.all()).filter(([, { from }]) => from !== 'default');
      const named = given.map(([name, { value, source }]) => `${name} ${value} (${source})`);
      return { found: named.length === 0 ? 'all at their defaults' : named.join(', ') };
    },
  },
  { name: 'sandbox', look: sandboxStore },
  {
    name: 'address',
    async look(context) {
      const { baseUrl } = context.target();
      return { found: `${baseUrl.value} (${baseUrl.source})` };
    },
  },
  {
    name: 'key',
    async look(context) {
      const { keyFrom } = context.target();
      await context.apiKey();
      const from = {
        file: '--api-key-file',
        variable: 'SVC_API_KEY',
        profile: keyFrom.kind === 'profile' ? `profile ${keyFrom.name}` : '',
      }[keyFrom.kind];
      const inKeychain = keyFrom.kind === 'profile' && keyFrom.profile.keySource === 'keychain';
      return { found: `there is one (${from}${inKeychain ? ', in the keychain' : ''})` };
    },
  },
];

/** The file holds keys: nobody else may read it. */
function modes(file: string, platform: string) {
  if (platform === 'win32') return { found: 'left to the system' };
  if (!existsSync(file)) return { found: 'nothing is stored yet' };
  for (const [name, wanted] of [
    [path.dirname(file), 0o700],
    [file, 0o600],
  ] as const) {
    const mode = statSync(name).mode & 0o777;
    if ((mode & ~wanted) !== 0) {
      const shown = mode.toString(8).padStart(4, '0');
      return warning(`${name} is open to others (${shown})`, `chmod ${wanted.toString(8)} ${name}`);
    }
  }
  return { found: 'readable by you alone' };
}

/** A folder that is not there yet can be made where its nearest parent is writable. */
function writable(folder: string): void {
  let nearest = folder;
  while (!existsSync(nearest) && path.dirname(nearest) !== nearest) nearest = path.dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw localError(`${folder} cannot be written: ${nearest} is not writable.`, {
      hint: 'Set SVC_CONFIG_DIR, SVC_STATE_DIR and SVC_CACHE_DIR to folders of your own.',
    });
  }
}

/** Opens a store in memory: it needs SQLite, of Node or of the package. */
async function sandboxStore(context: Context) {
  try {
    const { openStore } = await context.sandbox();
    (await openStore({ clock: context.host.clock })).close();
    return { found: 'can be started on this machine' };
  } catch (error) {
    if (!(error instanceof SvcError)) throw usageError('The sandbox cannot be started here.');
    return warning(error.message, error.details.hint ?? error.details.next?.[0] ?? '');
  }
}
