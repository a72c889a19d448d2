// `svc sandbox start`
import path from 'node:path';
import { command } from '../../cli/command.ts';
import { flag, integer, several, text } from '../../cli/options.ts';
import type { Context } from '../../context.ts';
import { type Ending, usageError } from '../../errors.ts';
import { readTextFile } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { refuseTwice } from './already.ts';
import { startDetached } from './detach.ts';
import { faultOptions, givenFaults } from './faults/options.ts';
import { noteOther } from './not-current.ts';
import { moment } from './time.ts';

export const start = command({
  summary: 'Start the sandbox and make a profile for it',
  details:
    'Runs until Ctrl-C or `svc sandbox stop`; with --detach it goes on in the background. Other commands find it through its profile, which becomes the current one when there is no other; else it says which one still is.',
  options: {
    port: integer('--port <n>', 'Port to listen on; 0 takes a free one', {
      min: 0,
      max: 65_535,
      defaultText: '4400',
    }),
    host: text('--host <address>', 'Address to listen on', { defaultText: '127.0.0.1' }),
    allowHost: several(
      '--allow-host <name>',
      'Answer requests for this host name too; needed beyond loopback',
    ),
    data: text('--data <folder>', 'Where it keeps its data; else in the state folder', {
      complete: 'files',
      conflicts: ['inMemory'],
    }),
    inMemory: flag('--in-memory', 'Keep nothing: everything is gone when it stops'),
    seed: text('--seed <file>', 'What an empty sandbox begins with, and a reset goes back to', {
      complete: 'files',
    }),
    envelope: flag('--envelope', 'Wrap answers in {"data": …}, as some servers do'),
    time: moment('--time <ISO>', 'The time in the sandbox at the start; else the real one'),
    frozen: flag('--frozen', 'Time stands still, but for `svc sandbox clock`'),
    detach: flag('--detach', 'Go on in the background; return when it accepts connections'),
    profileName: text('--profile-name <name>', 'Name of the profile it makes', {
      defaultText: 'sandbox',
    }),
    ...faultOptions,
  },
  gives:
    'Address, key and profile, once it accepts connections; as data, {baseUrl, key, profile, pid}.',
  examples: [
    { line: 'svc sandbox start', means: 'On port 4400, data kept' },
    {
      line: 'svc sandbox start --in-memory --port 0 --detach --json',
      means: 'For a test, in the background',
    },
    {
      line: 'svc sandbox start --in-memory --time 2026-01-15T12:00:00Z --frozen',
      means: 'At the same moment every time',
    },
  ],
  writes: false,
  local: true,
  async run(context, { options }) {
    const { profiles, name, before } = await ownProfile(context, options.profileName);
    const directory = options.data
      ? path.resolve(context.world.cwd, options.data)
      : path.join(context.folders.state, 'sandbox');
    if (before) {
      const restored = await refuseTwice(context, name, before, directory);
      if (restored) return restored;
    }
    if (options.detach) return startDetached(context, { ...options, profileName: name });
    const { serveSandbox, readState } = await context.sandbox();
    const seedFile = options.seed && path.resolve(context.world.cwd, options.seed);
    const server = await serveSandbox({
      host: options.host ?? '127.0.0.1',
      port: options.port ?? 4400,
      envelope: options.envelope === true,
      frozen: options.frozen === true,
      ...(options.time === undefined ? {} : { time: options.time }),
      faults: givenFaults(options),
      ...(seedFile ? { seed: readState(readTextFile(seedFile, '--seed'), seedFile) } : {}),
      onDefect: (error) =>
        context.note(`Answered with 500, which is a defect of the sandbox: ${String(error)}`),
      ...(options.inMemory ? {} : { directory }),
      ...(options.allowHost ? { allowHosts: options.allowHost } : {}),
    });
    const saved = await profiles
      .save(name, {
        baseUrl: server.baseUrl,
        key: server.key,
        environment: 'Development',
        sandbox: true,
      })
      .catch(async (error: unknown) => {
        await server.close();
        throw error;
      });
    return result.report({
      value: { baseUrl: server.baseUrl, key: server.key, profile: name, pid: context.world.pid },
      lines: [
        `The sandbox runs at ${server.baseUrl}${options.inMemory ? ', in memory' : ''}.`,
        `Key      ${server.key}`,
        `Profile  ${name}${saved.current ? ' (current)' : ''}`,
        `Try      svc topics list${saved.current ? '' : ` --profile ${name}`}`,
        'Ctrl-C stops it.',
      ],
      ids: [server.baseUrl],
      hold: () => {
        noteOther(context, name);
        return serving(context, server);
      },
    });
  },
});

/** A profile of that name made by anything else is never overwritten. */
async function ownProfile(context: Context, given: string | undefined) {
  const name = given ?? (context.globals.profile || 'sandbox');
  const profiles = await context.profiles();
  profiles.checkName(name);
  const stored = context.configuration.read().profiles;
  const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
  if (before && !before.sandbox) {
    throw usageError(`Profile \`${name}\` is for ${before.baseUrl}, which is no sandbox.`, {
      hint: 'Give the sandbox another name with --profile-name.',
    });
  }
  return { profiles, name, before };
}

interface Server {
  closed: Promise<void>;
  close(): Promise<void>;
}

/** Until somebody stops it. */
async function serving({ world }: Context, server: Server): Promise<Ending> {
  const interrupted = new Promise<void>((resolve) => {
    if (world.interruption.aborted) resolve();
    world.interruption.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([interrupted, server.closed]);
  await server.close();
  return world.interruption.aborted ? (world.interruption.reason as Ending) : 'ok';
}
