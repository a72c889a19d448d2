// Checks whether a command may write: rejects writes with --read-only or a read-only profile, and requires the name of a
// protected profile or environment. Names the profile to use if the service rejects a write to another environment.
import type { Command } from '../cli/command.ts';
import {
  environmentFacts,
  environmentOfKey,
  isProtected,
  type ListedEnvironment,
  standsFor,
  withListedFacts,
} from '../config/environment-facts.ts';
import { profileKey } from '../config/keys.ts';
import { type ChosenProfile, isServiceGiven, profileInUse } from '../config/target.ts';
import { type SvcError, usageError } from '../core/errors.ts';
import { shellWord } from '../core/text.ts';
import { describeProfile } from './confirm.ts';
import type { Context } from './context.ts';

export interface AllowedWrite {
  /** Where the command writes, if not in the active environment. */
  place?: string | undefined;
  /** Asks for the names that are still to be confirmed, for a command that shows its plan first. */
  confirmNames?: () => Promise<void>;
}

/**
 * Rejects writes with `--read-only` or a read-only profile, and asks for the name of a protected profile or environment.
 */
export async function checkWriteAllowed(
  path: readonly string[],
  context: Context,
  command: Command,
  input: never,
): Promise<AllowedWrite> {
  const line = ['svc', ...path].join(' ');
  if (context.settings.readOnly) {
    const { source } = context.settings.setting('readOnly');
    throw usageError(`\`${line}\` changes data, which ${source} does not allow.`);
  }
  const profile = await command.targetProfile?.(context, input);
  const require = async (guards: readonly Guard[]): Promise<AllowedWrite> => {
    const isLater =
      command.plansFirst && context.prompt.isPossible && context.globals.confirm === undefined;
    if (isLater) return { confirmNames: () => requireNames(line, context, guards) };
    await requireNames(line, context, guards);
    return {};
  };
  if (profile !== undefined) {
    const { namedProfile } = await import('./service.ts');
    const target = namedProfile(context, profile);
    refuseReadOnly(line, target);
    return require(activeGuards([withPlace(target)]));
  }
  const inUse = await profilesInUse(context);
  for (const used of inUse) refuseReadOnly(line, used);
  // If no profile of the service has rules, svc sends no request to find the environment.
  const mayAffect = inUse.length > 0 || guardedProfiles(context).length > 0;
  const affected = mayAffect ? await command.affects?.(context, input) : undefined;
  const guards = (affected?.environments ?? [undefined]).flatMap((environment) =>
    environment ? environmentGuard(context, environment, inUse) : activeGuards(inUse),
  );
  const allowed = await require(guards);
  const last = affected?.isInside && affected.environments.at(-1);
  return last ? { ...allowed, place: describeEnvironment(context, last) } : allowed;
}

function refuseReadOnly(commandLine: string, { value: name, profile }: ChosenProfile): void {
  if (!profile.readOnly) return;
  throw usageError(`\`${commandLine}\` changes data, and profile ${name} is read-only.`, {
    hint: 'Use another profile, or allow writes.',
    next: [`svc profiles read-only ${shellWord(name)} --off`],
  });
}

/** A protected profile or environment, and the names that confirm a write to it; one of them is enough. */
interface Guard {
  names: readonly [string, ...string[]];
  noun: 'profile' | 'environment';
  place: string;
}

interface ProfileInUse extends ChosenProfile {
  place: string;
}

const withPlace = (chosen: ChosenProfile): ProfileInUse => ({
  ...chosen,
  place: describeProfile(chosen.value, chosen.profile),
});

/** The profiles whose rules apply: those that have the address and key in use, and the one that SVC_PROFILE names. */
async function profilesInUse({ connection, profile }: Context): Promise<ProfileInUse[]> {
  const selected = profileInUse(profile(), connection.target);
  const ofKey = (await connection.profilesOfKey()).map(withPlace);
  if (!selected || ofKey.some(({ value }) => value === selected.value)) return ofKey;
  return [{ ...selected, place: connection.place() }, ...ofKey];
}

/**
 * The stored profiles for an address and key from options or variables. If none has that key and some have rules, those
 * of the environment of the key, which takes a request.
 */
export async function findProfilesOfKey(context: Context): Promise<readonly ChosenProfile[]> {
  const { connection } = context;
  if (!isGiven(context) || connection.target().keyFrom.type === 'profile') return [];
  const atAddress = profilesAtAddress(context);
  if (atAddress.length === 0) return [];
  const key = await connection.apiKey();
  const keys = await Promise.all(
    // A keychain that is not available shows no key.
    atAddress.map(({ value, profile }) => profileKey(value, profile).catch(() => undefined)),
  );
  const withKey = atAddress.filter((_profile, index) => keys[index] === key);
  if (withKey.length > 0 || guardedProfiles(context).length === 0) return withKey;
  const environment = environmentOfKey(await context.call('listEnvironments', {}), key);
  return environment ? findProfiles(context, environment) : [];
}

const isGiven = ({ globals, host }: Context) => isServiceGiven({ globals, env: host.env });

/** The stored profiles of the active service. */
function profilesAtAddress({ configuration, connection }: Context): ChosenProfile[] {
  const { value: baseUrl, from, source } = connection.target().baseUrl;
  return Object.entries(configuration.read().profiles)
    .filter(([, profile]) => profile.baseUrl === baseUrl)
    .map(([value, profile]) => ({ value, from, source, profile }));
}

/** The profiles that are protected or read-only; none if no service is given. */
const guardedProfiles = (context: Context): ChosenProfile[] =>
  isGiven(context)
    ? profilesAtAddress(context).filter(({ profile }) => isProtected(profile) || profile.readOnly)
    : [];

/** One for each protected profile: SVC_PROFILE and the key of another profile need both names. */
const activeGuards = (inUse: readonly ProfileInUse[]): Guard[] =>
  inUse
    .filter(({ profile }) => isProtected(profile))
    .map(({ value, place }) => ({ names: [value], noun: 'profile', place }));

/** The protection of an environment: as in its profile; without a profile, the default for its name and type. */
function environmentGuard(
  context: Context,
  environment: ListedEnvironment,
  inUse: readonly ProfileInUse[],
): Guard | [] {
  const profiles = findProfiles(context, environment);
  const place = describeEnvironment(context, environment);
  const active = profiles.filter(({ value }) => inUse.some((used) => used.value === value));
  const [first, ...others] = (active.length > 0 ? active : profiles)
    .filter(({ profile }) => isProtected(withListedFacts(profile, environment)))
    .map(({ value }) => value);
  if (first !== undefined) return { names: [first, ...others], noun: 'profile', place };
  // Nothing shows whether the active profile is for this environment, so its protection applies as well.
  const unmatched = active.length > 0 ? undefined : inUse.find(isWithoutEnvironment);
  if (unmatched && isProtected(unmatched.profile))
    return { names: [unmatched.value], noun: 'profile', place };
  if (profiles.length > 0 || !isProtected(environmentFacts(environment))) return [];
  const alternatives = unmatched ? [unmatched.value] : [];
  return { names: [environmentLabel(environment), ...alternatives], noun: 'environment', place };
}

const isWithoutEnvironment = ({ profile: { environment, environmentId } }: ChosenProfile) =>
  environment === undefined && environmentId === undefined;

const environmentLabel = ({ _id, name }: ListedEnvironment) => (name.trim() === '' ? _id : name);

/** The stored profiles for an environment of the active service. */
const findProfiles = (context: Context, environment: ListedEnvironment) =>
  profilesAtAddress(context).filter(({ profile }) => standsFor(profile, environment));

/** `in Production (profile live)`; without a profile for the environment, `in Production`. */
function describeEnvironment(context: Context, environment: ListedEnvironment): string {
  const profiles = findProfiles(context, environment);
  const isActive = ({ value }: ChosenProfile) => value === context.profile()?.value;
  const guarding = ({ profile }: ChosenProfile) => isProtected(profile);
  const profile = profiles.find(isActive) ?? profiles.find(guarding) ?? profiles[0];
  return `in ${environmentLabel(environment)}${profile ? ` (profile ${profile.value})` : ''}`;
}

/**
 * Requires the user to confirm the name of each protected profile or environment, at the prompt or with --confirm.
 * Ignores --yes.
 */
async function requireNames(
  commandLine: string,
  { globals: { confirm: confirmed = [] }, prompt }: Context,
  guards: readonly Guard[],
): Promise<void> {
  for (const { names, noun, place } of guards) {
    if (names.some((name) => confirmed.includes(name))) continue;
    const message = `\`${commandLine}\` changes data ${place}, and the ${noun} is protected.`;
    if (confirmed.length === 0 && prompt.isPossible) {
      const entered = await prompt.text(`${message} Type ${names[0]} to continue:`);
      if (names.includes(entered)) continue;
    }
    const all = new Set(guards.map((guard) => `--confirm ${shellWord(guard.names[0])}`));
    const wrong = confirmed.find((name) => !guards.some((guard) => guard.names.includes(name)));
    const wrongName =
      wrong === undefined
        ? ''
        : `\`${wrong}\` is not the name of the ${noun} (${names.join(' or ')}). `;
    throw usageError(message, {
      hint: `${wrongName}Run the command again with ${[...all].join(' ')}.`,
    });
  }
}

/**
 * Adds which profile to use, if the service rejects a request because the key belongs to another environment than the
 * one that the command affects. Servers do so since 3.17.
 */
export async function withOwnProfileHint(
  error: SvcError,
  context: Context,
  command: Command,
  input: never,
): Promise<SvcError> {
  const { status, hint } = error.details;
  if (
    status !== 403 ||
    hint !== undefined ||
    !/scoped to a single environment/i.test(error.message)
  )
    return error;
  const affected = await command.affects?.(context, input).catch(() => undefined);
  const other = affected?.environments.findLast((environment) => environment !== undefined);
  const own = context.profile()?.profile.environment;
  const keyText = `The key belongs to ${own ?? 'one environment'}`;
  if (!other)
    return error.with({
      hint: `${keyText}, and the request is for another environment. Run the command again with --profile and the profile of that environment.`,
      next: ['svc profiles list'],
    });
  const [profile] = findProfiles(context, other);
  return profile
    ? error.with({
        hint: `${keyText}. Run the command again with --profile ${shellWord(profile.value)}, the profile of ${environmentLabel(other)}.`,
      })
    : error.with({
        hint: `${keyText}. Log in with a key of ${environmentLabel(other)}, and run the command again with that profile.`,
        next: ['svc login --profile <name>'],
      });
}
