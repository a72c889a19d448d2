// A start where the profile's sandbox already runs: a second one would leave it behind with no way to stop it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Profile } from '../../config/store.ts';
import type { Context } from '../../context.ts';
import { localError, SvcError } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { controlIfRunning } from '../sandbox-control.ts';

/** Refuses the start when it runs; gives a report instead when the forgotten key was what was missing. */
export async function refuseTwice(
  context: Context,
  name: string,
  { baseUrl, key, environment }: Profile,
  directory: string,
) {
  const known = key ?? keyOf(directory);
  if (known === undefined || !(await runs(context, baseUrl, known))) return undefined;
  if (key !== undefined) {
    throw localError(`The sandbox of profile ${name} already runs at ${baseUrl}.`, {
      hint: 'Stop it first, or start another with --profile-name, --port and --data.',
      next: [`svc sandbox stop --profile ${name}`],
    });
  }
  const facts = { baseUrl, key: known, sandbox: true, ...(environment ? { environment } : {}) };
  await (await context.profiles()).save(name, facts);
  return result.report({
    value: { baseUrl, key: known, profile: name },
    lines: [`The sandbox already runs at ${baseUrl}; profile ${name} has its key again.`],
    ids: [baseUrl],
  });
}

async function runs(context: Context, baseUrl: string, key: string): Promise<boolean> {
  const client = await context.clientFor(baseUrl, key, { retries: 0 });
  try {
    const { value } = (await controlIfRunning(client, 'GET', 'status')) ?? {};
    return (value as { name?: unknown } | undefined)?.name === 'svc-sandbox';
  } catch (error) {
    // Something else has the address by now.
    if (error instanceof SvcError) return false;
    throw error;
  }
}

/** The key that a data folder keeps. */
function keyOf(directory: string): string | undefined {
  try {
    return readFileSync(path.join(directory, 'key'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
