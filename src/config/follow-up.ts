// The command lines that svc proposes. Each one selects the service of the command that proposes it, because a copied
// line would otherwise read from the current profile, or write to it.
import type { Globals } from '../cli/globals.ts';
import { kebabCase, type ShellWord, shellWord, splitShellWords } from '../core/text.ts';
import { givenSetting } from './settings.ts';
import { type Configuration, findProfile } from './store.ts';
import type { CommandSources } from './target.ts';

export interface FollowUps {
  /** A command line with the options that select the service; `profile` names another one than that in use. */
  line(command: string, profile?: string | null): string;
  /** Completes the commands in a message: in backticks, and the rest of the last line as in `Resume: svc …`. */
  text(message: string): string;
}

/** The commands that use a service. `svc sandbox start` and `exec` create one. */
const serviceCommands =
  /^svc (?:subscribers|inbox|messages|topics|workflows(?! validate)|layouts|diff|events|activity|contexts|integrations|environments|sandbox(?! (?:start|exec)(?: |$))|runs (?:show|watch|resume|fix)|api|mcp|login|logout|whoami|doctor|upgrade|profiles show)(?: |$)/;

/** A group, which prints its help. */
const groups = /^svc (?!(?:login|logout|whoami|doctor)$)[\w-]+$/;

/** The commands that need the name of the profile only. */
const profileCommands = /^svc (?:logout|profiles show)(?: |$)/;

const hasOption = (words: readonly ShellWord[], ...flags: string[]) =>
  words.some(({ text }) => flags.some((flag) => text === flag || text.startsWith(`${flag}=`)));

const usesService = (command: string, words: readonly ShellWord[]) =>
  serviceCommands.test(command) && !groups.test(command) && !hasOption(words, '--help', '-h');

/** Whether a sentence follows, as in `svc topics list. Otherwise …`. */
const isProse = (words: readonly ShellWord[]) =>
  words.some(
    ({ quoted }, index) =>
      quoted.endsWith('.') && /^[A-Z][a-z]/.test(words[index + 1]?.quoted ?? ''),
  );

type GivenOptions = [name: keyof Globals, value: string | boolean | undefined][];

const splitWords = (options: GivenOptions): string[] =>
  options.flatMap(([name, value]) => {
    if (!value) return [];
    const flag = `--${kebabCase(name)}`;
    return value === true ? [flag] : [flag, shellWord(value)];
  });

export function createFollowUps(
  sources: CommandSources,
  readConfiguration: () => Pick<Configuration, 'current' | 'profiles'>,
): FollowUps {
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
    const variable = givenSetting('baseUrl', sources) ? undefined : env.SVC_PROFILE;
    const name =
      globals.profile || (variable && findProfile(stored(), variable) ? variable : undefined);
    return name === undefined || isUsual(name) ? undefined : name;
  };

  const selection = (command: string, profile: string | null | undefined): string[] => {
    const service: GivenOptions = [
      ['baseUrl', baseUrl],
      // A new login replaces the key.
      ['apiKeyFile', command.startsWith('svc login') ? undefined : apiKeyFile],
    ];
    const inUse = splitWords([
      ['profile', profileInUse()],
      ...(profileCommands.test(command) ? [] : service),
    ]);
    if (typeof profile !== 'string') return inUse;
    // If this command selects a service, a line without an option would be completed with that one.
    return isUsual(profile) && inUse.length === 0 ? [] : splitWords([['profile', profile]]);
  };

  const line: FollowUps['line'] = (command, profile) => {
    const words = splitShellWords(command);
    if (!usesService(command, words)) return command;
    const isSelected = hasOption(words, '-p', '--profile', '--base-url', '--api-key-file');
    const added = [
      ...(isSelected ? [] : selection(command, profile)),
      ...(hasOption(words, '--ca-file') ? [] : splitWords([['caFile', caFile]])),
      ...(hasOption(words, '--insecure-http') ? [] : splitWords([['insecureHttp', insecureHttp]])),
    ];
    const quotedWords = words.map(({ quoted }) => quoted);
    const end = quotedWords.findIndex((word) => /^[<>|]$/.test(word));
    // Before a redirection or pipe.
    return quotedWords.toSpliced(end === -1 ? quotedWords.length : end, 0, ...added).join(' ');
  };
  return {
    line,
    text: (message) =>
      message
        .replace(/`(svc [^`]+)`/g, (_all, command: string) => `\`${line(command)}\``)
        .replace(/(?<=: )svc [^`\n]*$/, (command) =>
          isProse(splitShellWords(command)) ? command : line(command),
        ),
  };
}
