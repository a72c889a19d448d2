// Resolves effective settings and their origin: option > variable > profile > file > default.
// An empty variable counts as unset; `0` and `false` are off. Pure functions.
import { type ErrorDetails, SvcError, usageError } from '../core/errors.ts';
import type { Configuration, Profile } from './store.ts';

export type Origin = 'option' | 'variable' | 'profile' | 'file' | 'default';

export interface Setting<T> {
  value: T;
  from: Origin;
  /** The name of the option, variable, profile or file that it came from. */
  source: string;
}

type Env = Record<string, string | undefined>;

/** All sources of a setting. */
export interface SettingSpec<T> {
  option?: T | undefined;
  optionName: string;
  variable: string;
  read: (text: string, source: string) => T;
  /** Key in the configuration file's settings. */
  key?: string;
  fallback: T;
}

export function resolveSetting<T>(
  spec: SettingSpec<T>,
  env: Env,
  settings: Record<string, string>,
): Setting<T> {
  if (spec.option !== undefined)
    return { value: spec.option, from: 'option', source: spec.optionName };
  const variable = env[spec.variable];
  if (variable)
    return { value: spec.read(variable, spec.variable), from: 'variable', source: spec.variable };
  const stored = spec.key === undefined ? undefined : settings[spec.key];
  if (spec.key !== undefined && stored !== undefined && stored !== '') {
    return {
      value: spec.read(stored, `setting ${spec.key}`),
      from: 'file',
      source: `setting ${spec.key}`,
    };
  }
  return { value: spec.fallback, from: 'default', source: 'default' };
}

/** `0`, `false`, `no` and `off` are off; any other text is on. */
export const readSwitch = (text: string) => !/^(0|false|no|off)$/i.test(text.trim());

export interface ChosenProfile extends Setting<string> {
  profile: Profile;
}

/** A profile of an environment named Production is protected by default. */
export const isProtected = (profile: Pick<Profile, 'protected' | 'environment'>): boolean =>
  profile.protected ?? /^production$/i.test(profile.environment ?? '');

/** The active profile; undefined if none is named and none is current. Throws a usage error for an unknown name. */
export function chooseProfile(
  option: string | undefined,
  env: Env,
  { current, profiles }: Configuration,
): ChosenProfile | undefined {
  const named: Setting<string> | undefined = option
    ? { value: option, from: 'option', source: '--profile' }
    : env.SVC_PROFILE
      ? { value: env.SVC_PROFILE, from: 'variable', source: 'SVC_PROFILE' }
      : current
        ? { value: current, from: 'file', source: 'current profile' }
        : undefined;
  if (!named) return undefined;
  const profile = Object.hasOwn(profiles, named.value) ? profiles[named.value] : undefined;
  if (profile) return { ...named, profile };
  if (named.from === 'file') return undefined;
  throw usageError(`Unknown profile \`${named.value}\` (from ${named.source}).`, {
    suggestion: { input: named.value, candidates: Object.keys(profiles) },
    next: ['svc profiles list'],
  });
}

/** The address and the source of its key. */
export interface Target {
  baseUrl: Setting<string>;
  keyFrom:
    | { kind: 'file'; path: string }
    | { kind: 'variable'; key: string }
    | { kind: 'profile'; name: string; profile: Profile };
  profile?: ChosenProfile;
}

export interface TargetSources {
  baseUrlOption?: string | undefined;
  keyFileOption?: string | undefined;
  env: Env;
  profile?: ChosenProfile | undefined;
  /** The names of all stored profiles. */
  profileNames: readonly string[];
  normalize: (text: string, source: string) => string;
}

/**
 * Resolves address and key. Throws an auth error unless they belong together: the key of a profile is sent only to
 * its own address, and a key from an option or variable only to an address from an option or variable.
 */
export function resolveTarget({
  baseUrlOption,
  keyFileOption,
  env,
  profile,
  profileNames,
  normalize,
}: TargetSources): Target {
  const named = baseUrlOption
    ? {
        value: normalize(baseUrlOption, '--base-url'),
        from: 'option' as const,
        source: '--base-url',
      }
    : env.SVC_BASE_URL
      ? {
          value: normalize(env.SVC_BASE_URL, 'SVC_BASE_URL'),
          from: 'variable' as const,
          source: 'SVC_BASE_URL',
        }
      : undefined;
  const saved = profile && {
    value: normalize(profile.profile.baseUrl, `profile ${profile.value}`),
    from: 'profile' as const,
    source: `profile ${profile.value}`,
  };
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
  const given = keyFileOption
    ? { from: '--api-key-file', keyFrom: { kind: 'file' as const, path: keyFileOption } }
    : env.SVC_API_KEY
      ? { from: 'SVC_API_KEY', keyFrom: { kind: 'variable' as const, key: env.SVC_API_KEY } }
      : undefined;
  if (given) {
    if (!named && saved) {
      throw mixedSourcesError(
        `${given.from} is given, but the base URL comes from ${saved.source}.`,
        {
          hint: 'Also set the base URL (--base-url or SVC_BASE_URL), or use the key of the profile.',
        },
      );
    }
    return { baseUrl, keyFrom: given.keyFrom, ...withProfile };
  }
  if (!profile || !saved) {
    throw new SvcError('auth', `No API key for ${baseUrl.value}.`, {
      hint: 'Set SVC_API_KEY, or log in.',
      next: [`svc login --base-url ${baseUrl.value}`],
    });
  }
  if (saved.value !== baseUrl.value) {
    throw mixedSourcesError(
      `The key of ${saved.source} belongs to ${saved.value} and is not sent to ${baseUrl.value}.`,
      { hint: 'Log in to that address.', next: [`svc login --base-url ${baseUrl.value}`] },
    );
  }
  return {
    baseUrl,
    keyFrom: { kind: 'profile', name: profile.value, profile: profile.profile },
    profile,
  };
}

const mixedSourcesError = (message: string, details: ErrorDetails) =>
  new SvcError('auth', message, details);
