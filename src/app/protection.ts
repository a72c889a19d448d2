// Checks whether a command may write: rejects writes with --read-only or a read-only profile, and requires the name of a
// protected profile or environment. Names the profile to use if the service rejects a write to another environment.
import type { Command } from '../cli/command.ts';
import {
  environmentFacts,
  isProtected,
  type ListedEnvironment,
  standsFor,
  withListedFacts,
} from '../config/environment-facts.ts';
import type { Profile } from '../config/store.ts';
import { type ChosenProfile, profileInUse } from '../config/target.ts';
import { type SvcError, usageError } from '../core/errors.ts';
import { shellWord } from '../core/shell-word.ts';
import { describeProfile } from './confirm.ts';
import type { Context } from './context.ts';

/** A write that may go on. */
interface AllowedWrite {
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
  const require = async (guards: readonly (Guard | undefined)[]): Promise<AllowedWrite> => {
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
    return require([profileGuard(target)]);
  }
  refuseReadOnly(line, guardingProfile(context));
  // Protection needs a profile: with address and key from variables, svc sends no request to find the environment.
  const affected = guardingProfile(context) && (await command.affects?.(context, input));
  const guards = (affected?.environments ?? [undefined]).map((environment) =>
    environment ? environmentGuard(context, environment) : activeGuard(context),
  );
  const allowed = await require(guards);
  const last = affected?.isInside && affected.environments.at(-1);
  return last ? { ...allowed, place: describeEnvironment(context, last) } : allowed;
}

function refuseReadOnly(commandLine: string, used: ChosenProfile | undefined): void {
  if (!used?.profile.readOnly) return;
  const { value: name } = used;
  throw usageError(`\`${commandLine}\` changes data, and profile ${name} is read-only.`, {
    hint: 'Use another profile, or allow writes.',
    next: [`svc profiles read-only ${shellWord(name)} --off`],
  });
}

/** A protected profile or environment, and the names that confirm a write to it; one of them is enough. */
interface Guard {
  names: readonly [string, ...string[]];
  kind: 'profile' | 'environment';
  place: string;
}

const guardingProfile = ({ profile, connection }: Context) =>
  profileInUse(profile(), connection.target);

const profileGuard = ({ value, profile }: ChosenProfile): Guard | undefined =>
  isProtected(profile)
    ? { names: [value], kind: 'profile', place: describeProfile(value, profile) }
    : undefined;

function activeGuard(context: Context): Guard | undefined {
  const active = guardingProfile(context);
  const guard = active && profileGuard(active);
  return guard && { ...guard, place: context.connection.place() };
}

/** The protection of an environment: as in its profile; without a profile, the default for its name and type. */
function environmentGuard(context: Context, environment: ListedEnvironment): Guard | undefined {
  const profiles = findProfiles(context, environment);
  const place = describeEnvironment(context, environment);
  const inUse = guardingProfile(context);
  const active = profiles.find(({ name }) => name === inUse?.value);
  const [first, ...others] = (active ? [active] : profiles)
    .filter(({ profile }) => isProtected(withListedFacts(profile, environment)))
    .map(({ name }) => name);
  if (first !== undefined) return { names: [first, ...others], kind: 'profile', place };
  // Nothing shows whether the active profile is for this environment, so its protection applies as well.
  const unmatched = inUse && !active && !hasEnvironment(inUse.profile) ? inUse : undefined;
  if (unmatched && isProtected(unmatched.profile))
    return { names: [unmatched.value], kind: 'profile', place };
  if (profiles.length > 0 || !isProtected(environmentFacts(environment))) return undefined;
  const alternatives = unmatched ? [unmatched.value] : [];
  return { names: [environmentLabel(environment), ...alternatives], kind: 'environment', place };
}

const hasEnvironment = ({ environment, environmentId }: Profile) =>
  environment !== undefined || environmentId !== undefined;

const environmentLabel = ({ _id, name }: ListedEnvironment) => (name.trim() === '' ? _id : name);

/** The stored profiles for an environment of the active service. */
function findProfiles({ configuration, connection }: Context, environment: ListedEnvironment) {
  const { value: baseUrl } = connection.target().baseUrl;
  return Object.entries(configuration.read().profiles)
    .filter(([, profile]) => profile.baseUrl === baseUrl && standsFor(profile, environment))
    .map(([name, profile]) => ({ name, profile }));
}

/** `in Production (profile live)`; without a profile for the environment, `in Production`. */
function describeEnvironment(context: Context, environment: ListedEnvironment): string {
  const profiles = findProfiles(context, environment);
  const isActive = ({ name }: { name: string }) => name === context.profile()?.value;
  const guarding = ({ profile }: { profile: Profile }) => isProtected(profile);
  const shown = profiles.find(isActive) ?? profiles.find(guarding) ?? profiles[0];
  return `in ${environmentLabel(environment)}${shown ? ` (profile ${shown.name})` : ''}`;
}

/**
 * Requires the user to confirm the name of each protected profile or environment, at the prompt or with --confirm.
 * Ignores --yes.
 */
async function requireNames(
  commandLine: string,
  { globals: { confirm: given = [] }, prompt }: Context,
  required: readonly (Guard | undefined)[],
): Promise<void> {
  const guards = required.filter((guard) => guard !== undefined);
  for (const { names, kind, place } of guards) {
    if (names.some((name) => given.includes(name))) continue;
    const message = `\`${commandLine}\` changes data ${place}, and the ${kind} is protected.`;
    if (given.length === 0 && prompt.isPossible) {
      const entered = await prompt.text(`${message} Type ${names[0]} to continue:`);
      if (names.includes(entered)) continue;
    }
    const all = new Set(guards.map((guard) => `--confirm ${shellWord(guard.names[0])}`));
    const wrong = given.find((name) => !guards.some((guard) => guard.names.includes(name)));
    const wrongName =
      wrong === undefined
        ? ''
        : `\`${wrong}\` is not the name of the ${kind} (${names.join(' or ')}). `;
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
        hint: `${keyText}. Run the command again with --profile ${shellWord(profile.name)}, the profile of ${environmentLabel(other)}.`,
      })
    : error.with({
        hint: `${keyText}. Log in with a key of ${environmentLabel(other)}, and run the command again with that profile.`,
        next: ['svc login --profile <name>'],
      });
}
