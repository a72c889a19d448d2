// The sandbox that a command means, and its control routes.
import type { Client } from '../../api/client.ts';
import type { Profile } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { SvcError, usageError } from '../../errors.ts';
import { controlIfRunning } from '../sandbox-control.ts';

export interface Connected {
  client: Client;
  name: string;
  baseUrl: string;
}

/**
 * The name of the profile that sandbox commands mean: the one that --profile names; else the one that
 * holds, if it is a sandbox; else `sandbox`, or the only one that is a sandbox.
 */
function sandboxName({ configuration, globals, world }: Context): string {
  if (globals.profile) return globals.profile;
  const { current, profiles } = configuration.read();
  const sandboxes = Object.keys(profiles).filter((name) => profiles[name]?.sandbox);
  const chosen = world.env.SVC_PROFILE || current;
  if (chosen !== undefined && sandboxes.includes(chosen)) return chosen;
  const [only, ...others] = sandboxes;
  return only === undefined || others.length > 0 ? 'sandbox' : only;
}

/** The profile that sandbox commands mean. One that is no sandbox is refused. */
export function sandboxProfile(context: Context): { name: string; profile: Profile } {
  // A name in SVC_PROFILE that does not exist is refused, as everywhere.
  if (!context.globals.profile) context.profile();
  const name = sandboxName(context);
  const { profiles } = context.configuration.read();
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const sandboxes = Object.keys(profiles).filter((one) => profiles[one]?.sandbox);
  if (!profile?.sandbox && sandboxes.length > 0) {
    const what = profile ? `is for ${profile.baseUrl}, which is no sandbox` : 'does not exist';
    throw usageError(`Profile \`${name}\` ${what}. Sandboxes: ${sandboxes.join(', ')}.`, {
      hint: 'Name the profile of a sandbox with --profile.',
    });
  }
  if (!profile) {
    throw new SvcError('notFound', `There is no sandbox: no profile \`${name}\`.`, {
      next: ['svc sandbox start'],
    });
  }
  if (!profile.sandbox) {
    throw usageError(`Profile \`${name}\` is for ${profile.baseUrl}, which is no sandbox.`, {
      hint: 'Name the profile of a sandbox with --profile.',
    });
  }
  return { name, profile };
}

/** What a start needs to make or mend the profile of that name. */
export const named = (name: string) => (name === 'sandbox' ? '' : ` --profile-name ${name}`);

/** A client for the sandbox. */
export async function connectSandbox(context: Context): Promise<Connected> {
  const { name, profile } = sandboxProfile(context);
  if (profile.key === undefined) {
    throw new SvcError('auth', `The key of profile \`${name}\` is forgotten.`, {
      hint: 'A start restores it, also while the sandbox runs; of one in memory it was printed at the start.',
      next: [`svc sandbox start${named(name)}`, `svc login --profile ${name}`],
    });
  }
  const { baseUrl } = profile;
  return { client: await context.clientFor(baseUrl, profile.key, { retries: 0 }), name, baseUrl };
}

/** Says which sandbox is meant where the answer itself does not: another profile is current. */
export function noteMeant({ globals, note, configuration, world }: Context, { name }: Connected) {
  const chosen = globals.profile || world.env.SVC_PROFILE || configuration.read().current;
  if (chosen !== undefined && chosen !== name)
    note(`This is the sandbox of profile ${name}; profile ${chosen} is no sandbox.`);
}

/** Calls a control route; says so when no sandbox runs there. */
export async function control(
  { client, name, baseUrl }: Connected,
  method: 'GET' | 'POST' | 'DELETE',
  action: string,
  body?: object,
): Promise<unknown> {
  const answer = await controlIfRunning(client, method, action, body);
  if (answer) return answer.value;
  throw new SvcError(
    'unavailable',
    `The sandbox of profile ${name} is not running at ${baseUrl}.`,
    { next: [`svc sandbox start --detach${named(name)}`] },
  );
}
