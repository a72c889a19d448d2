// The sandbox that a command means: the profile `sandbox`, or the one named with -p.
import type { Client } from '../../api/client.ts';
import type { Context } from '../../context.ts';
import { SvcError, usageError } from '../../errors.ts';

export interface Connected {
  client: Client;
  name: string;
  baseUrl: string;
}

/** A client for the sandbox. A profile that is no sandbox is refused. */
export async function connectSandbox(context: Context): Promise<Connected> {
  const name = context.globals.profile ?? 'sandbox';
  const { profiles } = context.configuration.read();
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile) {
    throw usageError(`There is no sandbox: no profile \`${name}\`.`, {
      next: ['svc sandbox start'],
    });
  }
  if (profile.sandbox && profile.key === undefined) {
    throw new SvcError('auth', `The key of profile \`${name}\` is forgotten.`, {
      hint: 'The key stands in the file `key` of the data folder, and was printed at the start.',
      next: [`svc login --profile ${name}`],
    });
  }
  if (!profile.sandbox || profile.key === undefined) {
    throw usageError(`Profile \`${name}\` is for ${profile.baseUrl}, which is no sandbox.`, {
      hint: 'Name the profile of a sandbox with --profile.',
    });
  }
  return {
    client: await context.clientFor(profile.baseUrl, profile.key),
    name,
    baseUrl: profile.baseUrl,
  };
}

/** Calls a control route; says so when no sandbox runs there. */
export async function control(
  { client, name, baseUrl }: Connected,
  method: 'GET' | 'POST' | 'DELETE',
  action: string,
  body?: object,
): Promise<unknown> {
  try {
    const bytes = body && Buffer.from(JSON.stringify(body));
    const target = `/__sandbox/${action}`;
    return (await client.send({ method, target, ...(bytes ? { body: bytes } : {}) })).value;
  } catch (error) {
    if (!(error instanceof SvcError) || error.ending !== 'unavailable' || error.facts.status)
      throw error;
    throw new SvcError(
      'unavailable',
      `The sandbox of profile ${name} is not running at ${baseUrl}.`,
      {
        next: ['svc sandbox start'],
      },
    );
  }
}
