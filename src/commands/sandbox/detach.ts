// Starts a sandbox in the background: spawns svc again and waits until it accepts connections.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { readSeed, reportStepErrors } from './read-seed.ts';
import { type StartOptions, startArguments } from './start-options.ts';
import {
  connectionLines,
  connectionTsv,
  noteOtherTarget,
  noteSeedMode,
  type StartedSandbox,
} from './start-summary.ts';

export async function startDetached(context: Context, options: StartOptions) {
  const child = await context.host.spawn([
    'sandbox',
    'start',
    '--json',
    ...startArguments(options),
  ]);
  // The process in the background prints its warnings nowhere, so this one finds them, at the same time. It does not
  // repeat an error of the other process.
  const { seed: file } = options;
  const reading =
    file === undefined ? undefined : readSeed(context, file, '--seed').catch(() => undefined);
  const [started, seed] = await Promise.all([child.ready, reading]);
  if (!('output' in started)) throw childError(started.error);
  if (seed) await reportStepErrors(context, seed, {});
  child.release();
  const value = JSON.parse(started.output) as StartedSandbox;
  const { baseUrl, profile, pid } = value;
  const isNew = pid === child.pid;
  const stop = profile === null ? ' (with these variables set)' : ` -p ${profile}`;
  return result.report({
    value,
    lines: [
      isNew
        ? `The sandbox runs in the background at ${baseUrl}.`
        : `The sandbox is already running at ${baseUrl}.`,
      ...connectionLines(context, value),
      [{ text: `Stop it  svc sandbox stop${stop}` }],
    ],
    ids: [baseUrl],
    tsv: connectionTsv(value),
    end: {
      kind: 'work',
      run: async () => {
        if (isNew) await noteSeedMode(context, options, seed, value.compat);
        noteOtherTarget(context, profile);
        return 'ok';
      },
    },
  });
}

/** Returns the error that the child process printed as JSON. */
function childError(printed: string): SvcError {
  try {
    const { error } = JSON.parse(printed.trim().split('\n').at(-1) ?? '');
    return new SvcError(error.name, error.message, {
      hint: error.hint ?? undefined,
      next: error.next.map((line: string) => line.replace(/^svc sandbox start\b/, '$& --detach')),
      fieldErrors: error.details,
    });
  } catch {
    return new SvcError('local', `The sandbox did not start: ${printed.trim()}`);
  }
}
