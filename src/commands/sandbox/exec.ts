import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { integer } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { controlPath, notEmulatedText, type SandboxStatus } from '../../sandbox/control/client.ts';
import { readSeed, runInSandbox } from '../shared/run-in-sandbox.ts';
import { faultOptions } from './faults/options.ts';
import { fixedKey, openServer, type Server } from './open-server.ts';
import { reportStepErrors } from './seed-files.ts';
import { allowOriginOption, contentOptions, logOption } from './start-options.ts';
import { noteSeedMode } from './start-summary.ts';

export const exec = command({
  summary: 'Run a command with its own sandbox, and stop the sandbox when the command ends',
  details:
    'The sandbox is in memory, listens on a free port of loopback, and has no profile. The command gets its address and key in SVC_BASE_URL, SVC_API_KEY, NOVU_API_URL, NOVU_SECRET_KEY, NOVU_SOCKET_URL and NOVU_APPLICATION_IDENTIFIER. It also gets an empty configuration folder, and NO_PROXY with 127.0.0.1 and localhost. It gets no other SVC_ variables except SVC_SANDBOX_….\n\nOptions of svc must precede `--`. svc prints nothing on standard output and forwards signals to the command. It exits with the exit code of the command. If a signal ended the command, the code is 128 plus the number of the signal. Errors of svc itself have the exit codes below.',
  arguments: {
    command: { syntax: '<command...>', summary: 'Command with its arguments', complete: 'files' },
  },
  options: {
    port: integer('--port <n>', 'Port to listen on; 0 selects a free port', {
      min: 0,
      max: 65_535,
      defaultText: '0',
    }),
    ...contentOptions,
    allowOrigin: allowOriginOption,
    log: logOption,
    ...faultOptions,
  },
  output: 'The output of the command.',
  exitCodes: ['notExecutable', 'commandNotFound', 'hangup', 'interrupted', 'terminated'],
  examples: {
    'svc sandbox exec -- npm test': 'Run the tests of an application',
    'svc sandbox exec --seed workflows -- svc workflows list': 'Use the workflows of a folder',
    "svc sandbox exec -- bash -c 'svc topics list && svc sandbox status'":
      'Run several commands with the same sandbox',
  },
  writes: false,
  tool: 'none',
  localOnly: true,
  offline: true,
  gracefulShutdown: true,
  allowInvalidConfig: true,
  async run(context, { args, options }) {
    const [file, ...rest] = args.command as string[];
    if (file === undefined)
      throw usageError('Missing <command...>.', { next: ['svc sandbox exec --help'] });
    const seed =
      options.seed === undefined ? undefined : await readSeed(context, options.seed, '--seed');
    if (seed) await reportStepErrors(context, seed, options);
    const request = { options, seed, key: fixedKey(context, options.keyFile) };
    let server: Server | undefined;
    try {
      const { port = 0 } = options;
      server = await openServer(context, request, { host: '127.0.0.1', port, isEmbedded: true });
      let isStopped = false;
      void server.closed.then(() => {
        isStopped = true;
      });
      await noteSeedMode(context, options, seed, server.mode);
      const exitCode = await runInSandbox(context, [file, ...rest], server);
      // The command may have stopped the sandbox.
      if (!isStopped) await warnOfNotEmulated(context, server);
      return { type: 'none', exitCode };
    } finally {
      await server?.close();
    }
  },
});

async function warnOfNotEmulated(
  context: Context,
  { handle, baseUrl, key }: Server,
): Promise<void> {
  const headers = { authorization: `ApiKey ${key}` };
  const response = await handle(new Request(`${baseUrl}${controlPath}/status`, { headers }));
  const { notEmulated } = (await response.json()) as SandboxStatus;
  if (notEmulated.length > 0)
    context.warn(
      `The command requested routes that exist in the service, not in the sandbox: ${notEmulatedText(notEmulated)}.`,
    );
}
