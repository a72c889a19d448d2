// `svc __complete <kind>`: prints cached values for shell completion. Sends no request, never prompts, hides errors
// and loads few modules, so that it is fast.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, configFolder, runsFolder } from '../config/folders.ts';
import type { Configuration } from '../config/store.ts';
import { readRegularFile } from '../platform/files/regular-file.ts';
import type { Host } from '../platform/host.ts';
import { allChannelProviders, allProviders } from '../service/providers.ts';
import {
  type CachedValue,
  isSafeValue,
  readValues,
  valueFolder,
  withoutControls,
} from './cache.ts';

/** Lines of `value<TAB>name`, newest first. */
export function completions(argv: readonly string[], host: Host): string {
  const [kind = ''] = argv;
  const values = /^[a-zA-Z]+$/.test(kind) ? findValues(kind, argv, host) : [];
  return values
    .filter(({ value }) => isSafeValue(value))
    .map(({ value, name = '' }) => `${value}\t${withoutControls(name)}\n`)
    .join('');
}

const providersByKind: Partial<Record<string, readonly string[]>> = {
  providers: allProviders,
  credentialProviders: allChannelProviders,
};

function findValues(kind: string, argv: readonly string[], host: Host): CachedValue[] {
  const providers = providersByKind[kind];
  if (providers) return providers.map((value) => ({ value }));
  if (kind === 'runs') return listRunIds(runsFolder(host));
  const stored = readConfiguration(join(configFolder(host), 'config.json'));
  if (kind === 'profiles') {
    return Object.entries(stored.profiles).map(([value, { baseUrl }]) => ({
      value,
      name: baseUrl,
    }));
  }
  const whose = {
    profile: optionValue('--profile', argv),
    baseUrl: optionValue('--base-url', argv),
    env: host.env,
  };
  const under = optionValue('--under', argv);
  const known = readValues(valueFolder(cacheFolder(host), whose, stored), kind);
  return under === undefined ? known : known.filter((entry) => entry.under === under);
}

const optionValue = (option: string, argv: readonly string[]) =>
  argv.includes(option) ? argv[argv.indexOf(option) + 1] : undefined;

/** Newest first: run ids start with their time. */
function listRunIds(folder: string): CachedValue[] {
  try {
    return readdirSync(folder)
      .sort()
      .reverse()
      .map((value) => ({ value }));
  } catch {
    return [];
  }
}

/** Returns an empty configuration if the file cannot be read. Other commands report the error. */
function readConfiguration(file: string): Configuration {
  try {
    const stored = JSON.parse(readRegularFile(file)) as Partial<Configuration>;
    return { profiles: {}, settings: {}, ...stored };
  } catch {
    return { profiles: {}, settings: {} };
  }
}
