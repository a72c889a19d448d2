import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { openProfiles } from '../../config/profiles.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { readSeed } from '../shared/run-in-sandbox.ts';
import { claimProfile, type ReusedSandbox } from './claim.ts';
import { fixedKey } from './open-server.ts';
import { findDifference, type StartRequest } from './running.ts';
import { checkWatched, reportStepErrors } from './seed-files.ts';
import { serve } from './serve.ts';
import {
  type StartOptions,
  startAnotherCommand,
  startArguments,
  startOptions,
} from './start-options.ts';
import {
  noteOtherMachines,
  noteOtherTarget,
  noteSeedMode,
  type StartedSandbox,
  startedReport,
} from './start-summary.ts';

export const start = command({
  summary: 'Start the sandbox and create a profile for it',
  details:
    'The sandbox runs until Ctrl-C or `svc sandbox stop`; with --detach, in the background. Its profile is `sandbox`, or `sandbox-2` and so on if the sandbox of that profile is already running. Select it with `-p sandbox` or `export SVC_PROFILE=sandbox`. If no profile is current, the new profile becomes the current one. Each profile has its own data. With --no-profile, select the sandbox with SVC_BASE_URL and SVC_API_KEY. The sandbox behaves like the service in its version 3.19; with --service 3.11, like version 3.11. In a few places, the service differs from its specification, for example in envelopes and skip conditions; with --compat specification, a sandbox of version 3.11 follows the specification there.\n\nWith --watch, a valid change of a file replaces only that workflow or layout. If a file is deleted, is broken or has a step with an error, the sandbox keeps the last version. It reports errors on standard error and on the page. --log writes to standard error and cannot be combined with --detach. To log in the background, run `svc sandbox start --log 2> sandbox.log &`.',
  options: startOptions,
  output:
    'Address, key and profile, once the sandbox accepts connections; as JSON, {baseUrl, key, profile, pid, compat, service, page}. profile is null with --no-profile, compat is the mode, service is the version, and page is null if the sandbox does not listen on loopback only. page is an address that only works in a browser after `svc sandbox open`. On a terminal, also a link that opens the page once, within a minute; with --open, this link is url in every format.',
  examples: {
    'svc sandbox start': 'Listen on port 4400 and keep the data',
    'svc sandbox start --open': 'Also open its page in the browser',
    'svc sandbox start --in-memory --port 0 --detach --json': 'Run in the background, for a test',
    'svc sandbox start --seed workflows':
      'Start with the workflows of a folder, as written by `svc workflows pull`',
    'svc sandbox start --seed workflows --watch':
      'Show a changed template at once, on the page under Workflows',
    'svc sandbox start --in-memory --time 2026-01-15T12:00:00Z --frozen':
      'Use the same start time in every run',
  },
  writes: false,
  tool: 'none',
  localOnly: true,
  selectedBy: 'nothing',
  async run(context, { options: typedOptions }) {
    const name = typedOptions.profileName ?? (context.globals.profile || undefined);
    const options = { ...typedOptions, ...(name === undefined ? {} : { profileName: name }) };
    noteOtherMachines(context, options);
    if (options.watch) checkWatched(context, options.seed);
    if (options.detach) return startDetached(context, options);
    const seed =
      options.seed === undefined ? undefined : await readSeed(context, options.seed, '--seed');
    if (seed) await reportStepErrors(context, seed, options);
    const data = options.data && path.resolve(context.host.cwd, options.data);
    const key = fixedKey(context, options.keyFile);
    const request = { options, seed, dataPath: data, key };
    const claim = options.noProfile ? undefined : await claimProfile(context, request);
    if (claim && 'running' in claim) return reuseSandbox(context, claim, request);
    return serve(context, { ...request, claim });
  },
});

/** Returns the running sandbox. If its profile has lost the key, saves it again. */
async function reuseSandbox(
  context: Context,
  { name, running }: ReusedSandbox,
  request: StartRequest,
) {
  const { profile, key, pid, mode, service, page } = running;
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
  const value: StartedSandbox = { baseUrl, key, profile: name, pid, compat: mode, service, page };
  const { open } = request.options;
  return startedReport(context, value, {
    heading: `The sandbox is already running at ${baseUrl}.`,
    open,
  });
}

// Starts a sandbox in the background: spawns svc again and waits until it accepts connections.

async function startDetached(context: Context, options: StartOptions) {
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
  return startedReport(context, value, {
    heading: isNew
      ? `The sandbox runs in the background at ${baseUrl}.`
      : `The sandbox is already running at ${baseUrl}.`,
    footer: [`Stop it  svc sandbox stop${stop}`],
    open: options.open,
    work: async () => {
      if (isNew) await noteSeedMode(context, options, seed, value.compat);
      noteOtherTarget(context, profile);
      return 'ok';
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
