// `svc __complete -- <words>`: prints the candidates for the last word of a command line, the one at the cursor. It can be
// empty. The completion scripts of all shells call it with the words that follow `svc`. Without `--`, Node 20 would read
// the file of `--env-file` itself. The output is one of these:
//
//   value<TAB>description   Any number of candidates. The description can be empty. A candidate replaces the whole word,
//                           so after `--order=` it is `--order=asc`. The shell selects those that match the word.
//   files                   Without a tab: the word, or its part after `--option=`, is the name of a file.
//   text                    Without a tab: svc has no candidates for this value.
//
// It sends no request, never prompts, hides errors and loads few modules, so that it is fast.
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
import { expectedAfter, readPreceding } from './command-line.ts';

export function completions([separator, ...words]: readonly string[], host: Host): string {
  const word = words.pop();
  if (separator !== '--' || word === undefined) return '';
  const preceding = readPreceding(words);
  const { candidates, source = '', prefix = '' } = expectedAfter(preceding, word);
  if (source === '@files' || source === '@text') return `${source.slice(1)}\n`;
  const { values, args } = preceding;
  return (candidates ?? valuesOf(source, values, args, host))
    .filter(({ value }) => isSafeValue(value))
    .map(({ value, name = '' }) => `${prefix}${value}\t${withoutControls(name)}\n`)
    .join('');
}

const providersByKind: Partial<Record<string, readonly string[]>> = {
  providers: allProviders,
  credentialProviders: allChannelProviders,
};

/** The values of a source after these options and arguments, newest first. */
function valuesOf(
  source: string,
  options: Partial<Record<string, string>>,
  args: readonly string[],
  host: Host,
): CachedValue[] {
  if (!source.startsWith('@'))
    return source
      .split('|')
      .filter(Boolean)
      .map((value) => ({ value }));
  const kind = source.slice(1);
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
  const whose = { profile: options['--profile'], baseUrl: options['--base-url'], env: host.env };
  const cached = readValues(valueFolder(cacheFolder(host), whose, stored), kind);
  // A command that takes a step takes its workflow as the first argument.
  const [workflow] = args;
  return kind === 'steps' && workflow !== undefined
    ? cached.filter(({ under }) => under === workflow)
    : cached;
}

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
