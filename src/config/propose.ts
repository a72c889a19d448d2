// The command lines that svc proposes. Each one selects the service of the command that proposes it, because a copied
// line would otherwise read from the current profile, or write to it.
import type { Globals } from '../cli/globals.ts';
import { kebabCase, type ShellWord, shellWord, splitShellWords } from '../core/text.ts';
import { selectedBy } from './selected-by.ts';
import { explicitSetting } from './settings.ts';
import { type Configuration, findProfile } from './store.ts';
import type { CommandSources } from './target.ts';

/** Adds the options that select the service to a command line; `profile` names another one than that in use. */
export type Propose = (command: string, profile?: string | null) => string;

const hasOption = (words: readonly ShellWord[], ...flags: string[]) =>
  words.some(({ quoted }) =>
    flags.some((flag) => quoted === flag || quoted.startsWith(`${flag}=`)),
  );

/** Moves an id such as `--yes`, which `shellWord` has quoted, and the arguments after it behind `--`. */
function separateArguments(words: readonly string[]): readonly string[] {
  const isOption = (word = '') => word.startsWith('-');
  const start = words.findIndex((word, at) => /^'-./.test(word) && !isOption(words[at - 1]));
  if (start === -1 || words.includes('--')) return words;
  const end = words.findIndex((word, at) => at > start && isOption(word));
  const options = end === -1 ? [] : words.slice(end);
  const ids = words.slice(start, end === -1 ? undefined : end);
  return [...words.slice(0, start), ...options, '--', ...ids];
}

/** The options that select the service in a command line. A group is listed if all of its commands use the same ones. */
function selectionOf(words: readonly ShellWord[]) {
  const [program, noun = '', verb] = words.map(({ text }) => text);
  if (program !== 'svc' || hasOption(words, '--help', '-h')) return 'nothing';
  return selectedBy[noun] ?? selectedBy[`${noun} ${verb}`] ?? 'all';
}

const optionWords = (options: [name: keyof Globals, value: string | boolean | undefined][]) =>
  options.flatMap(([name, value]): string[] => {
    if (!value) return [];
    const flag = `--${kebabCase(name)}`;
    return value === true ? [flag] : [flag, shellWord(value)];
  });

export function createPropose(
  sources: CommandSources,
  readConfiguration: () => Pick<Configuration, 'current' | 'profiles'>,
): Propose {
  const { globals, env } = sources;
  const { baseUrl, apiKeyFile, caFile, insecureHttp } = globals;
  const stored = () => {
    try {
      return readConfiguration();
    } catch {
      return { profiles: {} };
    }
  };
  /** The profile that a command line without options uses. */
  const isUsual = (profile: string) =>
    stored().current === profile &&
    (!env.SVC_PROFILE || env.SVC_PROFILE === profile) &&
    !env.SVC_BASE_URL &&
    !env.SVC_API_KEY;
  /** Undefined if it needs no option. The variable may be set for one command only. */
  const profileInUse = (): string | undefined => {
    const variable = explicitSetting('baseUrl', sources) ? undefined : env.SVC_PROFILE;
    const name =
      globals.profile || (variable && findProfile(stored(), variable) ? variable : undefined);
    return name === undefined || isUsual(name) ? undefined : name;
  };

  const selection = (by: 'all' | 'address' | 'profile', profile: string | null | undefined) => {
    const inUse = optionWords([
      ['profile', profileInUse()],
      ['baseUrl', by === 'profile' ? undefined : baseUrl],
      ['apiKeyFile', by === 'all' ? apiKeyFile : undefined],
    ]);
    if (typeof profile !== 'string') return inUse;
    // If this command selects a service, a line without an option would be completed with that one.
    return isUsual(profile) && inUse.length === 0 ? [] : optionWords([['profile', profile]]);
  };

  return (command, profile) => {
    const words = splitShellWords(command);
    const by = selectionOf(words);
    const isSelected = hasOption(words, '-p', '--profile', '--base-url', '--api-key-file');
    const connection = optionWords([
      ['caFile', hasOption(words, '--ca-file') ? undefined : caFile],
      ['insecureHttp', !hasOption(words, '--insecure-http') && insecureHttp],
    ]);
    const added =
      by === 'nothing' ? [] : [...(isSelected ? [] : selection(by, profile)), ...connection];
    const quotedWords = words.map(({ quoted }) => quoted);
    // Before a redirection or pipe.
    const redirection = quotedWords.findIndex((word) => /^[<>|]$/.test(word));
    const end = redirection === -1 ? quotedWords.length : redirection;
    const line = separateArguments([...quotedWords.slice(0, end), ...added]);
    return [...line, ...quotedWords.slice(end)].join(' ');
  };
}
