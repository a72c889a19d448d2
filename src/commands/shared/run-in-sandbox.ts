// Runs a command of the user with its own sandbox: the initial data of the sandbox, and the variables of the command.

import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import {
  type ExitReason,
  errorMessage,
  exitCodes,
  localError,
  SvcError,
  systemCode,
} from '../../core/errors.ts';
import type { Seed } from '../../environment/sandbox-state.ts';
import { readTextFile } from '../../input/values.ts';
import type { Host } from '../../platform/host.ts';
import type { SandboxServer } from '../../sandbox/index.ts';

/** Reads a state file, a workflow file or a folder of workflow files. `source` names the option or argument in errors. */
export async function readSeed(context: Context, file: string, source: string): Promise<Seed> {
  const { cwd } = context.host;
  const { readWorkflowFile, readWorkflowFolder } = await import(
    '../../environment/sandbox-state.ts'
  );
  if (statSync(path.resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory())
    return readWorkflowFolder(file, cwd);
  const text = readTextFile(file, source, context.host);
  return readWorkflowFile(file, text, cwd) ?? readStateSeed(context, text, file);
}

/** `name` names the text in errors. */
export async function readStateSeed(context: Context, text: string, name: string): Promise<Seed> {
  const { readState } = await context.sandbox();
  const state = readState(text, name);
  return { state, fileOf: () => name, markOf: (mode) => `compat: ${mode}` };
}

/**
 * Returns the exit code of the command. Throws if it cannot be started. `output`: where its standard output goes, by
 * default to that of svc.
 */
export async function runInSandbox(
  { host }: Context,
  line: readonly [string, ...string[]],
  server: SandboxServer,
  output?: 'stderr',
): Promise<number> {
  if (host.shutdownSignal.aborted) return exitCodes[host.shutdownSignal.reason as ExitReason].code;
  const configFolder = await mkdtemp(path.join(tmpdir(), 'svc-exec-'));
  try {
    const env = childEnvironment(host.env, server, configFolder);
    const end = await host.runChild(line, { env, cwd: host.cwd, output });
    if ('exitCode' in end) return end.exitCode;
    throw startError(line[0], end.failure);
  } finally {
    await rm(configFolder, { recursive: true, force: true });
  }
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

// The variables of a command that runs in a sandbox: only the address and key of the sandbox select a service.

const loopback = ['127.0.0.1', 'localhost'];

function childEnvironment(
  env: Host['env'],
  { baseUrl, key, applicationIdentifier }: SandboxServer,
  configFolder: string,
): Host['env'] {
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
