// Finds the sandbox that a command should use, and calls its control routes.
import type { Context } from '../../app/context.ts';
import { findProfile, type Profile } from '../../config/store.ts';
import { explicitBaseUrl } from '../../config/target.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import type { ListPage } from '../../output/result.ts';
import {
  type ControlClient,
  connectControl,
  ifRunning,
  isSandboxStatus,
} from '../../sandbox/control/client.ts';

export interface ConnectedSandbox {
  control: ControlClient;
  baseUrl: string;
  /** Null if only the address is known. */
  profile: string | null;
  /** The name of the profile, or the address if `profile` is null. */
  name: string;
  /** The current profile, if the profile of another one is used because it is not a sandbox. */
  insteadOf?: string | undefined;
  /** `sandbox of profile main`, or `sandbox at http://127.0.0.1:4400`. */
  title: string;
}

/** Connects to the sandbox given by --base-url or SVC_BASE_URL, or to the one of the selected profile. */
export const connectSandbox = (context: Context): Promise<ConnectedSandbox> =>
  isAddressGiven(context) ? connectByAddress(context) : connectByProfile(context);

/** The profile of the sandbox that a command changes; undefined if its address is given. */
export const sandboxProfile = (context: Context): string | undefined =>
  isAddressGiven(context) ? undefined : chooseSandboxProfile(context).name;

const isAddressGiven = ({ globals, host }: Context): boolean =>
  explicitBaseUrl({ globals, env: host.env }) !== undefined;

async function connectByAddress(context: Context): Promise<ConnectedSandbox> {
  const { value: baseUrl, source } = context.connection.target().baseUrl;
  const key = await context.connection.apiKey();
  const client = await context.connection.clientFor(baseUrl, key, { retries: 0 });
  // Check first that the address is a sandbox, because it could be the real service.
  const control = connectControl(client);
  const status = await ifRunning(control.status()).catch((error: unknown) => {
    if (error instanceof SvcError && error.details.status === 404) return null;
    throw error;
  });
  if (status !== undefined && !isSandboxStatus(status)) {
    throw usageError(`${baseUrl} (from ${source}) is not a sandbox.`, {
      hint: 'Select a sandbox with --profile.',
    });
  }
  const { profiles } = context.configuration.read();
  const [profile = null] =
    Object.entries(profiles).find(
      ([, candidate]) =>
        candidate.sandbox && candidate.baseUrl === baseUrl && candidate.key === key,
    ) ?? [];
  const title = profile === null ? `sandbox at ${baseUrl}` : `sandbox of profile ${profile}`;
  return { control, baseUrl, profile, name: profile ?? baseUrl, title };
}

async function connectByProfile(context: Context): Promise<ConnectedSandbox> {
  const { name, profile, insteadOf } = chooseSandboxProfile(context);
  // From here on it is in use, also for the commands that svc proposes.
  if (insteadOf !== undefined) context.globals.profile = name;
  if (profile.key === undefined) {
    throw new SvcError('auth', `Profile \`${name}\` has no key.`, {
      hint: 'Log in with the key that the sandbox printed when it started. If it has stopped and stores its data in a folder, a start with --reuse restores the key.',
      next: [`svc login --profile ${name}`, `svc sandbox start --reuse${profileNameOption(name)}`],
    });
  }
  const { baseUrl } = profile;
  const client = await context.connection.clientFor(baseUrl, profile.key, { retries: 0 });
  const title = `sandbox of profile ${name}`;
  return { control: connectControl(client), baseUrl, profile: name, name, title, insteadOf };
}

/** Returns the active profile. If the current profile is not for a sandbox, returns the profile `sandbox` instead. */
function chooseSandboxProfile(context: Context): {
  name: string;
  profile: Profile;
  insteadOf?: string | undefined;
} {
  const active = context.profile();
  if (active?.profile.sandbox) return { name: active.value, profile: active.profile };
  const { profiles, current } = context.configuration.read();
  const sandboxes = Object.keys(profiles).filter((name) => profiles[name]?.sandbox);
  const sandboxList = sandboxes.length === 0 ? '' : ` Sandboxes: ${sandboxes.join(', ')}.`;
  const hint = 'Select a sandbox with --profile.';
  if (active && active.from !== 'file') {
    throw usageError(
      `Profile \`${active.value}\` is for ${active.profile.baseUrl}, which is not a sandbox.${sandboxList}`,
      { hint },
    );
  }
  const profile = findProfile({ profiles }, 'sandbox');
  if (profile?.sandbox) return { name: 'sandbox', profile, insteadOf: current };
  if (sandboxes.length > 0) throw usageError(`No sandbox is selected.${sandboxList}`, { hint });
  throw new SvcError('notFound', 'No sandbox found.', { next: ['svc sandbox start'] });
}

/** Returns the option that makes `svc sandbox start` use this profile. Empty for `sandbox`, which is the default. */
export const profileNameOption = (name: string) =>
  name === 'sandbox' ? '' : ` --profile-name ${name}`;

/** Prints which sandbox is used if no option or variable selects it and it does not belong to the current profile. */
export function noteChosenSandbox({ note }: Context, { title, insteadOf }: ConnectedSandbox) {
  if (insteadOf !== undefined)
    note(`Using the ${title}: the current profile, ${insteadOf}, is not a sandbox.`);
}

/** Calls a control route: `callControl(connected, ({ reset }) => reset())`. Throws `unavailable` if the sandbox is not running. */
export async function callControl<T>(
  { control, profile, title, baseUrl }: ConnectedSandbox,
  call: (control: ControlClient) => Promise<T>,
): Promise<T> {
  const response = await ifRunning(call(control));
  if (response !== undefined) return response;
  const where = profile === null ? '' : ` at ${baseUrl}`;
  throw new SvcError('unavailable', `The ${title} is not running${where}.`, {
    ...(profile === null
      ? { hint: 'Check the address, or start a sandbox.', next: ['svc sandbox start --detach'] }
      : { next: [`svc sandbox start --detach${profileNameOption(profile)}`] }),
  });
}

interface PageOptions {
  limit?: number;
  all?: boolean;
  pageSize?: number;
  page?: number;
}

interface ControlPage<T> {
  data: T[];
  hasMore: boolean;
}

const maxPageSize = 100;

/** The pages of a control route that the options of a list command select. */
export async function* controlPages<T>(
  connected: ConnectedSandbox,
  { all, limit = 50, pageSize = maxPageSize, page: first = 0 }: PageOptions,
  fetchPage: (
    control: ControlClient,
    part: { page: number; limit: number },
  ) => Promise<ControlPage<T>>,
): AsyncGenerator<ListPage<T>> {
  let left = all ? Number.POSITIVE_INFINITY : limit;
  const size = Math.min(pageSize, left, maxPageSize);
  for (let page = first; left > 0; page += 1) {
    const { data, hasMore } = await callControl(connected, (control) =>
      fetchPage(control, { page, limit: size }),
    );
    const items = data.slice(0, left);
    left -= items.length;
    yield { items, info: { page, hasMore: hasMore || items.length < data.length } };
    if (!hasMore) return;
  }
}
