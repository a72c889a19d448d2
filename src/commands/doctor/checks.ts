import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { cacheFolder, configFolder, isShared, stateFolder } from '../../config/folders.ts';
import { resolveNetwork } from '../../config/network.ts';
import { settingKeys } from '../../config/settings.ts';
import { refuseSharedFolders } from '../../config/shared-folders.ts';
import {
  isSandboxTarget,
  keySource,
  overriddenText,
  overriddenVariables,
} from '../../config/target.ts';
import { durationText } from '../../core/durations.ts';
import { type ExitReason, localError, SvcError, usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { ownEnvironment } from '../../environment/environments.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import { versionFacts } from '../../service/servers.ts';
import { verifiedVersions } from '../../service/versions.ts';
import { readServiceVersion, storeServiceVersion } from '../shared/server-facts.ts';

export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'problem' | 'skipped';
  message: string;
  /** How to fix it; null when there is nothing to fix. */
  fix: string | null;
  /** The exit reason of a command that fails because of it. */
  exitReason?: ExitReason;
}

export interface Check {
  name: string;
  /** Skip the check after a problem of this one; `all`: of any check but `sandbox`. */
  needs?: 'address' | 'all';
  /** Returns what it finds. Throws the error that other commands would exit with when there is a problem. */
  run(context: Context): Promise<Pick<Finding, 'message'> & Partial<Finding>>;
}

const warning = (message: string, fix: string) => ({ status: 'warning' as const, message, fix });

// Checks that need no service: versions, files, folders, settings, address and key.

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
      const isInKeychain = keyFrom.type === 'profile' && keyFrom.profile.keySource === 'keychain';
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

// Checks of the service, from two requests: whether and how it responds, its clock and version, and the environment of
// the key.

/** A larger difference between the two clocks is reported. */
const toleratedSkewMs = 60_000;

interface ServiceResponse {
  value: Environment[];
  headers: Record<string, string>;
}

export function serviceChecks(): Check[] {
  let response: ServiceResponse | undefined;
  const checks: Check[] = [
    {
      name: 'proxy',
      async run(context) {
        const { proxy, caFile } = await resolveNetwork(
          context.settings.caFile,
          context.host.env,
          new URL(context.connection.target().baseUrl.value),
        );
        const proxyText = proxy ? `through ${proxy.url} (${proxy.variable})` : 'none';
        return { message: `${proxyText}${caFile ? `; trusting ${caFile}` : ''}` };
      },
    },
    {
      name: 'service',
      async run(context) {
        const { now } = context.host.clock;
        const startedAt = now();
        const client = await context.client();
        response = await client.exchange('listEnvironments', {});
        return { message: `responds in ${now() - startedAt} ms and accepts the key` };
      },
    },
    {
      name: 'encryption',
      async run(context) {
        const { value } = context.connection.target().baseUrl;
        if (value.startsWith('https:')) return { message: 'TLS with a trusted certificate' };
        return context.settings.insecureHttp
          ? warning('none: http:// to another machine', 'Use https:// if the service supports it.')
          : { message: 'not needed on this machine' };
      },
    },
    {
      name: 'clock',
      async run(context) {
        const serviceTime = Date.parse(response?.headers.date ?? '');
        if (Number.isNaN(serviceTime)) return { message: 'the service does not send its time' };
        const skew = Math.round((context.host.clock.now() - serviceTime) / 1000);
        const message = `${durationText(Math.abs(skew) * 1000)} ${skew >= 0 ? 'ahead of' : 'behind'} the service`;
        if (Math.abs(skew) * 1000 <= toleratedSkewMs) return { message };
        if (isSandboxTarget(context.connection.target()))
          return { message: `${message}: the sandbox has its own clock (svc sandbox clock)` };
        return warning(
          message,
          "Set this machine's clock: --since and --until are relative to it.",
        );
      },
    },
    { name: 'server', run: checkVersion },
    { name: 'environment', run: (context) => checkEnvironment(context, response?.value ?? []) },
  ];
  return checks.map((check) => ({ ...check, needs: 'all' }));
}

async function checkEnvironment(context: Context, environments: readonly Environment[]) {
  const own = await ownEnvironment(context, environments);
  const { keyFrom } = context.connection.target();
  // A profile whose key is not used says nothing about this key.
  const storedName = keyFrom.type === 'profile' ? keyFrom.profile.environment : undefined;
  if (keyFrom.type === 'profile' && own && storedName !== undefined && storedName !== own.name) {
    return warning(
      `The key is for ${own.name}, but profile ${keyFrom.name} was stored for ${storedName}`,
      `svc login --profile ${keyFrom.name}`,
    );
  }
  if (!own) return { message: 'the service does not show which environment the key is for' };
  const { length } = environments;
  return { message: length === 1 ? own.name : `${own.name}, one of ${length} environments` };
}

/** Reads the version, stores it with the profile, and says what the server restricts and lacks. */
async function checkVersion(context: Context) {
  const version = await readServiceVersion(await context.client());
  if (version === undefined) return { message: 'the server does not say its version' };
  const { keyFrom } = context.connection.target();
  if (keyFrom.type === 'profile' && keyFrom.profile.serviceVersion !== version)
    await storeServiceVersion(context, keyFrom.name, version);
  const { restricts, lacks, isVerified } = versionFacts(version);
  const message = [
    `version ${version}`,
    ...(restricts.length === 0 ? [] : [`restricts: ${restricts.join(', ')}`]),
    ...(lacks.length === 0 ? [] : [`does not offer: ${lacks.join(', ')}`]),
  ].join('; ');
  return isVerified
    ? { message }
    : warning(
        message,
        `svc is verified with servers ${verifiedVersions.oldest} to ${verifiedVersions.newest}.`,
      );
}
