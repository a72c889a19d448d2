// Finds the sandbox that a command is for, and calls its control routes.
import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import type { Profile } from '../../config/store.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { callControlIfRunning } from '../../sandbox/control/client.ts';

export interface ConnectedSandbox {
  client: Client;
  baseUrl: string;
  /** Null if only the address is known. */
  profile: string | null;
  /** The profile, else the address. */
  name: string;
  /** `sandbox of profile main`, or `sandbox at http://127.0.0.1:4400`. */
  title: string;
}

/** Connects to the sandbox given by --profile, --base-url or their variables; default: the current one. */
export function connectSandbox(context: Context): Promise<ConnectedSandbox> {
  const { globals, host } = context;
  const usesAddress = globals.baseUrl || (!globals.profile && host.env.SVC_BASE_URL);
  return usesAddress ? connectAddress(context) : connectProfile(context);
}

async function connectAddress(context: Context): Promise<ConnectedSandbox> {
  const { value: baseUrl, source } = context.target().baseUrl;
  const key = await context.apiKey();
  const client = await context.clientFor(baseUrl, key, { retries: 0 });
  // Check first that the address is a sandbox: it may be a real service.
  const response = await callControlIfRunning(client, 'GET', 'status').catch((error: unknown) => {
    if (error instanceof SvcError && error.details.status === 404) return { value: undefined };
    throw error;
  });
  if (response && (response.value as { name?: unknown } | undefined)?.name !== 'svc-sandbox') {
    throw usageError(`${baseUrl} (from ${source}) is not a sandbox.`, {
      hint: 'Select a sandbox with --profile.',
    });
  }
  const { profiles } = context.configuration.read();
  const [profile = null] =
    Object.entries(profiles).find(
      ([, one]) => one.sandbox && one.baseUrl === baseUrl && one.key === key,
    ) ?? [];
  const title = profile === null ? `sandbox at ${baseUrl}` : `sandbox of profile ${profile}`;
  return { client, baseUrl, profile, name: profile ?? baseUrl, title };
}

async function connectProfile(context: Context): Promise<ConnectedSandbox> {
  const { name, profile } = chooseSandboxProfile(context);
  if (profile.key === undefined) {
    throw new SvcError('auth', `Profile \`${name}\` has no key.`, {
      hint: '--reuse restores the key if the sandbox stores its data in a folder. Otherwise, log in with the key that `svc sandbox start` printed.',
      next: [`svc sandbox start --reuse${profileNameOption(name)}`, `svc login --profile ${name}`],
    });
  }
  const { baseUrl } = profile;
  const client = await context.clientFor(baseUrl, profile.key, { retries: 0 });
  return { client, baseUrl, profile: name, name, title: `sandbox of profile ${name}` };
}

/** Returns the given profile, else the current one if it is for a sandbox, else `sandbox`; never any other. */
function chooseSandboxProfile(context: Context): { name: string; profile: Profile } {
  const chosen = context.profile();
  if (chosen?.profile.sandbox) return { name: chosen.value, profile: chosen.profile };
  const { profiles } = context.configuration.read();
  const sandboxes = Object.keys(profiles).filter((one) => profiles[one]?.sandbox);
  const sandboxList = sandboxes.length === 0 ? '' : ` Sandboxes: ${sandboxes.join(', ')}.`;
  const hint = 'Select a sandbox with --profile.';
  if (chosen && chosen.from !== 'file') {
    throw usageError(
      `Profile \`${chosen.value}\` is for ${chosen.profile.baseUrl}, which is not a sandbox.${sandboxList}`,
      { hint },
    );
  }
  const profile = Object.hasOwn(profiles, 'sandbox') ? profiles.sandbox : undefined;
  if (profile?.sandbox) return { name: 'sandbox', profile };
  if (sandboxes.length > 0) throw usageError(`No sandbox is selected.${sandboxList}`, { hint });
  throw new SvcError('notFound', 'No sandbox found.', { next: ['svc sandbox start'] });
}

/** Returns the option of `svc sandbox start` for that profile; empty for the default, `sandbox`. */
export const profileNameOption = (name: string) =>
  name === 'sandbox' ? '' : ` --profile-name ${name}`;

/** Prints which sandbox is used if neither the command line nor the output shows it. */
export function noteChosenSandbox(
  { globals, note, configuration, host }: Context,
  connected: ConnectedSandbox,
) {
  const { SVC_PROFILE, SVC_BASE_URL } = host.env;
  if (globals.profile || globals.baseUrl || SVC_PROFILE || SVC_BASE_URL) return;
  const { current } = configuration.read();
  if (current !== undefined && current !== connected.profile)
    note(`Using the ${connected.title}: the current profile, ${current}, is not a sandbox.`);
}

/** Calls a control route. Throws `unavailable` if the sandbox is not running. */
export async function callControl(
  { client, profile, title, baseUrl }: ConnectedSandbox,
  method: 'GET' | 'POST' | 'DELETE',
  action: string,
  body?: object,
): Promise<unknown> {
  const response = await callControlIfRunning(client, method, action, body);
  if (response) return response.value;
  const where = profile === null ? '' : ` at ${baseUrl}`;
  throw new SvcError('unavailable', `The ${title} is not running${where}.`, {
    ...(profile === null
      ? { hint: 'Check the address, or start a sandbox with `svc sandbox start --detach`.' }
      : { next: [`svc sandbox start --detach${profileNameOption(profile)}`] }),
  });
}
