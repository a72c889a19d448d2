// Resolves the active profile, and the address and key of the service, with their origins.
import { type ErrorDetails, SvcError, usageError } from '../core/errors.ts';
import { isLoopback } from '../core/loopback.ts';
import { listText, shellWord } from '../core/text.ts';
import { explicitSetting, type Setting, type SettingSources } from './settings.ts';
import { type Configuration, findProfile, type Profile } from './store.ts';

/** The command line and the variables. */
export type CommandSources = Pick<SettingSources, 'globals' | 'env'>;

export interface ChosenProfile extends Setting<string> {
  profile: Profile;
}

/**
 * The active profile; undefined if none is named and none is current. Throws a usage error for an unknown name. An
 * unknown SVC_PROFILE does not matter for a service on this machine whose address and key are given: that is a sandbox
 * in a shell which has selected another one.
 */
export function chooseProfile(
  sources: CommandSources,
  { current, profiles }: Configuration,
): ChosenProfile | undefined {
  const named: Setting<string> | undefined =
    explicitSetting('profile', sources) ??
    (current ? { value: current, from: 'file', source: 'current profile' } : undefined);
  if (!named) return undefined;
  const profile = findProfile({ profiles }, named.value);
  if (profile) return { ...named, profile };
  if (named.from === 'file') return undefined;
  if (named.from === 'variable' && isLocalServiceGiven(sources)) return undefined;
  throw usageError(`Unknown profile \`${named.value}\` (from ${named.source}).`, {
    suggestion: { input: named.value, candidates: Object.keys(profiles) },
    next: [...(named.value === 'sandbox' ? ['svc sandbox start'] : []), 'svc profiles list'],
  });
}

/** The address and the source of its key. */
export interface Target {
  baseUrl: Setting<string>;
  keyFrom:
    | { type: 'file'; path: string }
    | { type: 'variable'; key: string }
    | { type: 'profile'; name: string; profile: Profile };
  profile?: ChosenProfile;
}

export interface TargetSources {
  sources: CommandSources;
  profile?: ChosenProfile | undefined;
  profileNames: readonly string[];
  normalize: (text: string, source: string) => string;
}

/**
 * Resolves address and key. Throws an auth error unless they belong together: the key of a profile is sent only to
 * its own address, and a key from an option or variable only to an address from an option or variable.
 */
export function resolveTarget({
  sources,
  profile,
  profileNames,
  normalize,
}: TargetSources): Target {
  const normalized = (setting: Setting<string> | undefined) =>
    setting && { ...setting, value: normalize(setting.value, setting.source) };
  const named = normalized(explicitBaseUrl(sources));
  const saved = normalized(
    profile && {
      value: profile.profile.baseUrl,
      from: 'profile',
      source: `profile ${profile.value}`,
    },
  );
  const baseUrl = named ?? saved;
  if (!baseUrl) {
    const [first, ...others] = profileNames;
    throw first === undefined
      ? new SvcError('auth', 'No service selected: no base URL and no profile.', {
          next: ['svc login', 'svc sandbox start'],
        })
      : new SvcError('auth', 'No service selected: no base URL and no current profile.', {
          next: [`svc profiles use ${others.length > 0 ? '<name>' : first}`, 'svc profiles list'],
        });
  }
  const withProfile = profile ? { profile } : {};
  const explicitKey = findExplicitKey(sources);
  if (explicitKey) {
    if (!named && saved) {
      throw mixedSourcesError(
        `${explicitKey.from} is given, but the base URL comes from ${saved.source}.`,
        {
          hint: `Also set the base URL (--base-url${sources.globals.profile ? '' : ' or SVC_BASE_URL'}), or use the key of the profile.`,
        },
      );
    }
    return { baseUrl, keyFrom: explicitKey.keyFrom, ...withProfile };
  }
  if (!profile || !saved) {
    throw new SvcError('auth', `No API key for ${baseUrl.value}.`, {
      hint: 'Set SVC_API_KEY, or log in.',
      next: [`svc login --base-url ${shellWord(baseUrl.value)}`],
    });
  }
  if (saved.value !== baseUrl.value) {
    throw mixedSourcesError(
      `The key of ${saved.source} belongs to ${saved.value} and is not sent to ${baseUrl.value}.`,
      {
        hint: 'Log in to that address.',
        next: [`svc login --base-url ${shellWord(baseUrl.value)}`],
      },
    );
  }
  return {
    baseUrl,
    keyFrom: { type: 'profile', name: profile.value, profile: profile.profile },
    profile,
  };
}

/** The profile that is named or whose key is used; undefined if the current one is replaced by options or variables. */
export const profileInUse = (active: ChosenProfile | undefined, target: () => Target) =>
  active?.from === 'file' && target().keyFrom.type !== 'profile' ? undefined : active;

/** Variables that name a service or a profile, but have no effect because of `by`. */
export interface OverriddenVariables {
  names: readonly string[];
  by: readonly string[];
}

/** Undefined if the variables have the same values as what overrides them. */
export function overriddenVariables(
  { globals, env: { SVC_BASE_URL, SVC_API_KEY } }: CommandSources,
  { baseUrl, keyFrom, profile }: Target,
): OverriddenVariables | undefined {
  if (!profile || profile.from === 'file') return undefined;
  const stored = profile.profile;
  if (profile.from === 'option') {
    const isOther = {
      SVC_BASE_URL: SVC_BASE_URL && !globals.baseUrl && SVC_BASE_URL !== stored.baseUrl,
      SVC_API_KEY: SVC_API_KEY && !globals.apiKeyFile && SVC_API_KEY !== stored.key,
    };
    const names = Object.entries(isOther).flatMap(([name, other]) => (other ? [name] : []));
    return names.length === 0 ? undefined : { names, by: [profile.source] };
  }
  const isSame =
    keyFrom.type === 'variable' && keyFrom.key === stored.key && baseUrl.value === stored.baseUrl;
  if (keyFrom.type === 'profile' || isSame) return undefined;
  return { names: [profile.source], by: [baseUrl.source, keySource(keyFrom)] };
}

/** `SVC_BASE_URL and SVC_API_KEY are ignored, because --profile takes precedence`. */
export const overriddenText = ({ names, by }: OverriddenVariables): string =>
  `${listText(names)} ${names.length === 1 ? 'is' : 'are'} ignored, because ${listText(by)} ${by.length === 1 ? 'takes' : 'take'} precedence`;

/** `--api-key-file`, `SVC_API_KEY` or `profile live`. */
export function keySource(keyFrom: Target['keyFrom']): string {
  if (keyFrom.type === 'profile') return `profile ${keyFrom.name}`;
  return keyFrom.type === 'file' ? '--api-key-file' : 'SVC_API_KEY';
}

export const isSandboxTarget = ({ keyFrom }: Target): boolean =>
  keyFrom.type === 'profile' && keyFrom.profile.sandbox === true;

/** Whether options or variables name the service: then neither a default profile nor the current one applies. */
export const isServiceGiven = (sources: CommandSources): boolean =>
  isTargetNamed(sources) || findExplicitKey(sources) !== undefined;

/** Whether options or variables name a profile or an address. */
const isTargetNamed = (sources: CommandSources): boolean =>
  explicitSetting('profile', sources) !== undefined || explicitBaseUrl(sources) !== undefined;

/** The address from --base-url or SVC_BASE_URL. */
export const explicitBaseUrl = (sources: CommandSources): Setting<string> | undefined =>
  explicitSetting('baseUrl', withoutOverridden(sources));

/** --profile takes precedence over the variables of a service, but not over its options. */
const withoutOverridden = ({ globals, env }: CommandSources): CommandSources =>
  globals.profile
    ? { globals, env: { ...env, SVC_BASE_URL: undefined, SVC_API_KEY: undefined } }
    : { globals, env };

function isLocalServiceGiven(sources: CommandSources): boolean {
  const { value = '' } = explicitBaseUrl(sources) ?? {};
  return URL.canParse(value) && isLoopback(new URL(value).hostname) && !!findExplicitKey(sources);
}

/** SVC_API_KEY contains the key itself, --api-key-file the path of a file. */
function findExplicitKey(sources: CommandSources) {
  const { apiKeyFile } = sources.globals;
  const { SVC_API_KEY } = withoutOverridden(sources).env;
  if (apiKeyFile)
    return { from: '--api-key-file', keyFrom: { type: 'file', path: apiKeyFile } } as const;
  return SVC_API_KEY
    ? ({ from: 'SVC_API_KEY', keyFrom: { type: 'variable', key: SVC_API_KEY } } as const)
    : undefined;
}

const mixedSourcesError = (message: string, details: ErrorDetails) =>
  new SvcError('auth', message, details);
