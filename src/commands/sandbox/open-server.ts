// Opens the server of a sandbox in this process, with the options that `start` and `exec` share.

import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { choice, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { maxKeyFileBytes, readTextFile } from '../../input/values.ts';
import { safeText } from '../../output/safe-text.ts';
import { type Mode, modes } from '../../service/mode.ts';
import { isSandboxKey, sandboxKeyFormat } from '../../service/sandbox-key.ts';
import { type SandboxVersion, sandboxVersions } from '../../service/versions.ts';
import { pickFaults } from './faults/options.ts';
import { markStarted, type StartRequest } from './running.ts';

type Sandbox = Awaited<ReturnType<Context['sandbox']>>;
export type Server = Awaited<ReturnType<Sandbox['serveSandbox']>>;
type Place = Pick<
  Parameters<Sandbox['serveSandbox']>[0],
  'host' | 'port' | 'allowHosts' | 'directory' | 'profile' | 'isEmbedded'
>;

export async function openServer(
  context: Context,
  { options, seed, key }: Omit<StartRequest, 'dataPath'>,
  place: Place,
): Promise<Server> {
  const { serveSandbox, eventLine } = await context.sandbox();
  const server = await serveSandbox({
    ...place,
    ownProcess: true,
    processes: context.host,
    ...requestedBehavior(context, options, seed?.state),
    queueDelayMs: options.queueDelay ?? 'mode',
    ...(options.envelope ? { envelope: true } : {}),
    frozen: options.frozen === true,
    strictVariables: options.strictVariables === true,
    ...(options.time === undefined ? {} : { time: options.time }),
    faults: pickFaults(options),
    ...(options.allowOrigin ? { allowOrigins: options.allowOrigin } : {}),
    ...(seed ? { seed: seed.state } : {}),
    ...(key === undefined ? {} : { key }),
    ...(options.bridge === undefined ? {} : { bridge: options.bridge }),
    ...(options.allowBridge === undefined ? {} : { allowedBridges: options.allowBridge }),
    ...(options.allowHttp === undefined ? {} : { allowedHttp: options.allowHttp }),
    onBridgeProblem: (problem) =>
      context.warn(`The workflows of ${options.bridge} are unknown: ${problem}`),
    onInternalError: (_error, text) => context.warn(text),
    ...(options.log
      ? { onEvent: (event) => writeLine(context, eventLine(event, context.host.clock.now())) }
      : {}),
  });
  if (place.directory === undefined && place.profile === undefined)
    void server.closed.then(markStarted(context, server.key));
  return server;
}

function writeLine({ host }: Context, line: string): void {
  void host.stderr.write(`${safeText(line)}\n`).catch(() => undefined);
}

// The behavior of a sandbox: a version of the service as it runs, or its specification where the two differ.

interface BehaviorOptions {
  compat?: Mode | undefined;
  service?: SandboxVersion | undefined;
}

export const compatOption = (
  summary: string,
  more: { defaultText: string; variable?: 'SVC_SANDBOX_COMPAT' },
) => choice('--compat <mode>', modes, summary, more);

export const serviceOption = (
  summary: string,
  more: { defaultText: string; variable?: 'SVC_SANDBOX_SERVICE' },
) => choice('--service <version>', sandboxVersions, summary, more);

/** The mode given with `--compat` or `SVC_SANDBOX_COMPAT`. */
export const explicitMode = (context: Context, option?: Mode): Mode | undefined =>
  option ?? readVariable(context, 'SVC_SANDBOX_COMPAT', modes);

function readVariable<T extends string>(
  { host }: Context,
  name: string,
  values: readonly T[],
): T | undefined {
  const text = host.env[name];
  const value = values.find((candidate) => candidate === text);
  if (value !== undefined || text === undefined || text === '') return value;
  throw usageError(
    `${name}: \`${text}\` is not a valid value. It must be one of: ${values.join(', ')}.`,
  );
}

/** The given mode and version, or those of the state file. */
export const requestedBehavior = (
  context: Context,
  options: BehaviorOptions,
  seed: BehaviorOptions | undefined,
) => ({
  mode: explicitMode(context, options.compat) ?? seed?.compat,
  service:
    options.service ??
    readVariable(context, 'SVC_SANDBOX_SERVICE', sandboxVersions) ??
    seed?.service,
});

// The API key of a sandbox that the user chooses, for compose files and containers.

export const keyFileOption = text(
  '--key-file <path>',
  `File with the API key of the sandbox: ${sandboxKeyFormat}; other users must not have access to it, except in /run/secrets. SVC_SANDBOX_KEY can contain the key itself`,
  { complete: 'files', defaultText: 'the key of the data folder, else a random key', tool: false },
);

/** The key in the file, else in SVC_SANDBOX_KEY; undefined if neither is given. */
export function fixedKey({ host }: Context, file: string | undefined): string | undefined {
  if (file === undefined) {
    const { SVC_SANDBOX_KEY: key } = host.env;
    return key ? checkKey(key, 'SVC_SANDBOX_KEY') : undefined;
  }
  const key = readTextFile(file, '--key-file', host, maxKeyFileBytes).trim();
  const place = realpathSync(path.resolve(host.cwd, file));
  const status = statSync(place);
  if (host.platform !== 'win32' && status.isFile() && !isPrivate(place, status.mode))
    throw usageError(`--key-file: other users have access to ${file}.`, {
      hint: `Run \`chmod 600 ${shellWord(file)}\`.`,
    });
  return checkKey(key, `--key-file: ${file}`);
}

/**
 * Whether only the user has access. A container gets its secrets as files in /run/secrets that every user of the container
 * can read: there, it is enough that no other user can write.
 */
export const isPrivate = (file: string, mode: number): boolean =>
  (mode & (file.startsWith('/run/secrets/') ? 0o022 : 0o077)) === 0;

function checkKey(key: string, source: string): string {
  if (isSandboxKey(key)) return key;
  throw usageError(`${source} is not a key for a sandbox. It must have ${sandboxKeyFormat}.`, {
    hint: 'Create one with `openssl rand -hex 16`.',
  });
}
