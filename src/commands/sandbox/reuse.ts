// Uses a sandbox that already runs, if it is what the command asks for.
import type { Context } from '../../app/context.ts';
import { openProfiles } from '../../config/profiles.ts';
import { usageError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import type { ReusedSandbox } from './claim.ts';
import { findDifference, type StartRequest } from './running.ts';
import { startAnotherCommand } from './start-options.ts';
import { connectionLines, connectionTsv, type StartedSandbox } from './start-summary.ts';

/** Returns the running sandbox. If its profile has lost the key, saves it again. */
export async function reuseSandbox(
  context: Context,
  { name, running }: ReusedSandbox,
  request: StartRequest,
) {
  const { profile, key, pid, mode, page } = running;
  const { baseUrl, environment } = profile;
  const difference = await findDifference(context, running, request);
  if (difference !== undefined) {
    throw usageError(
      `The sandbox of profile ${name} is already running at ${baseUrl} with ${difference}.`,
      {
        hint: 'Stop that sandbox first, or start another one with its own profile on a free port (--port 0).',
        next: [
          `svc sandbox stop --profile ${name}`,
          startAnotherCommand(request, { name, ...running }),
        ],
      },
    );
  }
  if (profile.key === undefined) {
    const saved = { baseUrl, key, sandbox: true, ...(environment ? { environment } : {}) };
    await openProfiles(context.configuration).save(name, saved);
  }
  const value: StartedSandbox = { baseUrl, key, profile: name, pid, compat: mode, page };
  return result.report({
    value,
    lines: [`The sandbox is already running at ${baseUrl}.`, ...connectionLines(context, value)],
    ids: [baseUrl],
    tsv: connectionTsv(value),
  });
}
