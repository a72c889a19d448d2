import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { integer } from '../../cli/options.ts';
import {
  type ExitReason,
  errorMessage,
  exitCodes,
  localError,
  SvcError,
  systemCode,
  usageError,
} from '../../core/errors.ts';
import type { Host } from '../../platform/host.ts';
import { controlPath, notEmulatedText, type SandboxStatus } from '../../sandbox/control/client.ts';
import { faultOptions } from './faults/options.ts';
import { fixedKey, openServer, type Server } from './open-server.ts';
import { readSeed, reportStepErrors } from './seed-files.ts';
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
  examples: [
    { line: 'svc sandbox exec -- npm test', description: 'Run the tests of an application' },
    {
      line: 'svc sandbox exec --seed workflows -- svc workflows list',
      description: 'Use the workflows of a folder',
    },
    {
      line: "svc sandbox exec -- bash -c 'svc topics list && svc sandbox status'",
      description: 'Run several commands with the same sandbox',
    },
  ],
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
    const configFolder = await mkdtemp(path.join(tmpdir(), 'svc-exec-'));
    let server: Server | undefined;
    try {
      const { port = 0 } = options;
      server = await openServer(context, request, { host: '127.0.0.1', port, isEmbedded: true });
      let isStopped = false;
      void server.closed.then(() => {
        isStopped = true;
      });
      await noteSeedMode(context, options, seed, server.mode);
      const exitCode = await runInSandbox(context, [file, ...rest], { server, configFolder });
      // The command may have stopped the sandbox.
      if (!isStopped) await warnOfNotEmulated(context, server);
      return { type: 'none', exitCode };
    } finally {
      await server?.close();
      await rm(configFolder, { recursive: true, force: true });
    }
  },
});

/** Returns the exit code of the command. Throws if it cannot be started. */
async function runInSandbox(
  { host }: Context,
  line: [string, ...string[]],
  sandbox: { server: Server; configFolder: string },
): Promise<number> {
  if (host.shutdownSignal.aborted) return exitCodes[host.shutdownSignal.reason as ExitReason].code;
  const env = childEnvironment(host.env, sandbox);
  const end = await host.runChild(line, { env, cwd: host.cwd });
  if ('exitCode' in end) return end.exitCode;
  throw startError(line[0], end.failure);
}

function startError(file: string, cause: unknown): SvcError {
  switch (systemCode(cause)) {
    case 'ENOENT':
    case 'ERR_INVALID_ARG_VALUE':
      return new SvcError('commandNotFound', `The command \`${file}\` does not exist.`, {
        hint: 'Check its spelling, and that PATH contains its folder.',
        cause,
      });
    case 'EACCES':
    case 'ENOEXEC':
      return new SvcError('notExecutable', `\`${file}\` cannot be executed.`, {
        hint: 'The file needs the permission to be executed: chmod +x.',
        cause,
      });
    default:
      return localError(`\`${file}\` cannot be started: ${errorMessage(cause)}`, { cause });
  }
}

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

// The variables of a command that runs in a sandbox: only the address and key of the sandbox select a service.

const loopback = ['127.0.0.1', 'localhost'];

function childEnvironment(
  env: Host['env'],
  { server, configFolder }: { server: Server; configFolder: string },
): Host['env'] {
  const { baseUrl, key, applicationIdentifier } = server;
  const inherited = Object.entries(env).filter(
    ([name]) => !name.startsWith('SVC_') || name.startsWith('SVC_SANDBOX_'),
  );
  const { no_proxy: lower, NO_PROXY: upper } = env;
  return {
    ...Object.fromEntries(inherited),
    SVC_BASE_URL: baseUrl,
    SVC_API_KEY: key,
    SVC_CONFIG_DIR: configFolder,
    NOVU_API_URL: baseUrl,
    NOVU_SECRET_KEY: key,
    NOVU_SOCKET_URL: baseUrl,
    NOVU_APPLICATION_IDENTIFIER: applicationIdentifier,
    NO_PROXY: withLoopback(upper || lower),
    // Most programs read this one first.
    ...(lower === undefined ? {} : { no_proxy: withLoopback(lower || upper) }),
  };
}

const withLoopback = (hosts = '') =>
  [...new Set([...hosts.split(',').map((host) => host.trim()), ...loopback])]
    .filter((host) => host !== '')
    .join(',');
