// Runs the command of a tool in this process. Each call has its own host: output, signals, variables and folder, so that
// calls at the same time do not affect each other.

import { setMaxListeners } from 'node:events';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Context } from '../app/context.ts';
import type { Program } from '../cli/command.ts';
import { cacheFolder, configFolder, stateFolder } from '../config/folders.ts';
import { durationText } from '../core/durations.ts';
import { exitCodes, SvcError, usageError } from '../core/errors.ts';
import { closestMatches } from '../core/suggestions.ts';
import { kebabCase, listText } from '../core/text.ts';
import { errorJson } from '../output/report-error.ts';
import {
  BrokenPipeError,
  type Host,
  type OutputStream,
  type RunObserver,
} from '../platform/host.ts';
import { type Access, isOffered, whyNotOffered } from './access.ts';
import type { RootFolder } from './start-server.ts';
import { maxCharacters, toolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';
import { commandLine } from './tools.ts';

export interface CallerOptions {
  context: Context;
  runLine: Program['runLine'];
  tools: readonly Tool[];
  root: RootFolder;
  access: () => Access;
}

export interface Call {
  name: string;
  args: Readonly<Record<string, unknown>>;
  /** Aborts when the client cancels the call. */
  signal: AbortSignal;
  progress: RunObserver['progress'];
}

/** A list is read as far as its first items could be shown. */
const maxCapturedCharacters = 2 * maxCharacters;

export function toolCaller({ context, runLine, tools, root, access }: CallerOptions) {
  const { host } = context;
  const globals = serviceOptions(context);
  const env = variables(context);

  const toLine = (call: Call, tool: Tool | undefined, now: Access) => {
    const offered = tools.filter((other) => isOffered(other, now)).map(({ name }) => name);
    if (!tool) throw unknownTool(call.name, offered);
    const refused = whyNotOffered(tool, now);
    if (refused) throw usageError(refused.message, { hint: refused.hint });
    const readOnly = now.refusal ? ['--read-only'] : [];
    return commandLine(tool, call.args, {
      root,
      profile: serverProfile(context),
      environment: now.environment,
      globals: [...globals, ...readOnly],
    });
  };

  return async (call: Call) => {
    const tool = tools.find(({ name }) => name === call.name);
    const stop = stopSignal(host, call.signal);
    const stdout = captureStart(tool?.writes === false);
    const stderr = captureEnd();
    const next: string[] = [];
    let environment = '';
    let storedKey: string | undefined;
    let code: number;
    try {
      const now = access();
      ({ environment, storedKey } = now);
      code = await runLine(toLine(call, tool, now), {
        env,
        cwd: root.folder,
        stdin: Readable.from([]),
        stdinIsTty: false,
        stdout: stdout.stream,
        stderr: stderr.stream,
        shutdownSignal: stop.signal,
        uncaughtError: new Promise(() => undefined),
        refusesReferences: true,
        resolveNamedPath: root.resolve,
        observer: { progress: call.progress, next: (line) => void next.push(line) },
      });
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      code = exitCodes[error.exitReason].code;
      await stderr.stream.write(errorJson(error));
    } finally {
      stop.release();
    }
    return toolResult(
      { code, stdout: stdout.text(), stderr: stderr.text(), next },
      {
        tool: {
          name: call.name,
          hasLimit: tool?.parameters.options.some(({ name }) => name === 'limit') === true,
        },
        environment,
        keys: [storedKey, await context.connection.apiKey().catch(() => undefined)],
      },
    );
  };
}

/** Aborts like Ctrl-C when the client cancels the call, and with the signals of the process. */
function stopSignal({ shutdownSignal }: Host, cancelled: AbortSignal) {
  const controller = new AbortController();
  // Each call listens to the signals, and each of its requests.
  setMaxListeners(0, controller.signal, shutdownSignal);
  const onCancel = () => controller.abort('interrupted');
  const onShutdown = () => controller.abort(shutdownSignal.reason);
  if (cancelled.aborted) onCancel();
  if (shutdownSignal.aborted) onShutdown();
  cancelled.addEventListener('abort', onCancel);
  shutdownSignal.addEventListener('abort', onShutdown);
  return {
    signal: controller.signal,
    release: () => {
      cancelled.removeEventListener('abort', onCancel);
      shutdownSignal.removeEventListener('abort', onShutdown);
    },
  };
}

function unknownTool(name: string, offered: readonly string[]) {
  const close = closestMatches(name, offered);
  return usageError(`Unknown tool \`${name}\`.`, {
    hint: close.length === 0 ? undefined : `Did you mean ${listText(close, 'or')}?`,
  });
}

const serverProfile = ({ connection, globals }: Context) => {
  const { keyFrom } = connection.target();
  return keyFrom.type === 'profile' ? keyFrom.name : globals.profile;
};

/** The options with which the server was started, for every command. */
function serviceOptions(context: Context): string[] {
  const { globals, host } = context;
  const { baseUrl, apiKeyFile, caFile, insecureHttp, timeout, retries, maxWait } = globals;
  const absolutePath = (file: string | undefined) => file && path.resolve(host.cwd, file);
  const toDuration = (ms: number | undefined) => (ms === undefined ? undefined : durationText(ms));
  const values = {
    profile: serverProfile(context),
    baseUrl,
    apiKeyFile: absolutePath(apiKeyFile),
    caFile: absolutePath(caFile),
    timeout: toDuration(timeout),
    retries,
    maxWait: toDuration(maxWait),
  };
  return [
    ...(insecureHttp ? ['--insecure-http'] : []),
    ...Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [`--${kebabCase(name)}=${value}`],
    ),
  ];
}

/** Folders do not depend on the folder of the files. The log of requests is for people. */
function variables({ host }: Context): Host['env'] {
  return {
    ...host.env,
    SVC_CONFIG_DIR: configFolder(host),
    SVC_STATE_DIR: stateFolder(host),
    SVC_CACHE_DIR: cacheFolder(host),
    SVC_DEBUG: undefined,
  };
}

/** Collects the first characters that a command prints. A command that `stops` ends there, as with a closed pipe. */
function captureStart(stops: boolean) {
  let text = '';
  const stream = captureStream((more) => {
    if (stops && text.length >= maxCapturedCharacters) throw new BrokenPipeError();
    text += more.slice(0, maxCapturedCharacters - text.length);
  });
  return { stream, text: () => text };
}

/** Collects the last messages that a command prints, because the error is at the end. */
function captureEnd() {
  const messages: string[] = [];
  let length = 0;
  const stream = captureStream((message) => {
    messages.push(message);
    length += message.length;
    while (messages.length > 1 && length > maxCapturedCharacters)
      length -= messages.shift()?.length ?? 0;
  });
  return { stream, text: () => messages.join('') };
}

const captureStream = (collect: (text: string) => void): OutputStream => ({
  isTty: false,
  columns: 80,
  rows: 24,
  // For prompts, which a tool does not have.
  stream: new PassThrough(),
  write: async (text) => collect(text),
});
