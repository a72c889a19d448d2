// Serves a sandbox in this process: starts it, saves its profile, and cleans up when it stops.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { openProfiles } from '../../config/profiles.ts';
import { raceAbort } from '../../core/async.ts';
import { type ExitReason, localError, SvcError, systemCode } from '../../core/errors.ts';
import type { Claim } from './claim.ts';
import { openServer, type Server } from './open-server.ts';
import {
  dataFolder,
  findDifference,
  findRunningSandbox,
  isForeignSandbox,
  type StartRequest,
} from './running.ts';
import { type FollowFolder, openWatchedFolder } from './seed-files.ts';
import { reuseCommand, startAnotherCommand } from './start-options.ts';
import {
  noteOtherTarget,
  noteSeedMode,
  type StartedSandbox,
  startedReport,
} from './start-summary.ts';

export interface ServeRequest extends StartRequest {
  /** The reserved profile name; undefined with --no-profile. */
  claim: Claim | undefined;
}

export async function serve(context: Context, request: ServeRequest) {
  const { options, claim } = request;
  const folder = await prepareFolder(context, request);
  const cleanUp = async () => {
    if (folder?.temporary) await rm(folder.path, { recursive: true, force: true });
    claim?.release();
  };
  let server: Server | undefined;
  let follow: FollowFolder | undefined;
  try {
    server = await startServer(context, request, folder?.path);
    if (options.watch && options.seed !== undefined && request.seed)
      follow = await openWatchedFolder(context, server, options.seed, request.seed);
    if (claim) await saveProfile(context, claim.name, server);
  } catch (error) {
    await server?.close();
    await cleanUp();
    throw error;
  }
  // Start to wait before the output is printed: if printing fails because of a closed pipe, cleanUp must still run.
  const stopped = waitUntilStopped(context, server, follow).finally(cleanUp);
  const { baseUrl, key, page } = server;
  await noteSeedMode(context, options, request.seed, server.mode);
  const value: StartedSandbox = {
    baseUrl,
    key,
    profile: claim?.name ?? null,
    pid: context.host.pid,
    compat: server.mode,
    service: server.service,
    page,
  };
  return startedReport(context, value, {
    heading: `The sandbox runs at ${baseUrl}${options.inMemory ? ', in memory' : ''}.`,
    footer: ['Press Ctrl-C to stop it.'],
    open: options.open,
    work: () => {
      noteOtherTarget(context, value.profile);
      return stopped;
    },
  });
}

async function prepareFolder(context: Context, { options, claim, dataPath }: ServeRequest) {
  if (options.inMemory) return undefined;
  if (dataPath !== undefined) return { path: dataPath, temporary: false };
  if (claim) return { path: dataFolder(context, claim.name), temporary: false };
  return { path: await mkdtemp(path.join(tmpdir(), 'svc-sandbox-')), temporary: true };
}

async function startServer(context: Context, request: ServeRequest, directory: string | undefined) {
  const { host = '127.0.0.1', port = 4400, allowHost } = request.options;
  try {
    return await openServer(context, request, {
      host,
      port,
      profile: request.claim?.name,
      ...(directory === undefined ? {} : { directory }),
      ...(allowHost ? { allowHosts: allowHost } : {}),
    });
  } catch (error) {
    if (!(error instanceof SvcError) || systemCode(error.cause) !== 'EADDRINUSE') throw error;
    throw await portInUseError(context, { ...request, host, port }, error);
  }
}

/** Creates the error for a port in use. The message names the sandbox on that port, if it belongs to a profile. */
async function portInUseError(
  context: Context,
  request: StartRequest & { host: string; port: number },
  cause: SvcError,
) {
  const { options, host, port } = request;
  const { profiles } = context.configuration.read();
  for (const [name, { sandbox, baseUrl }] of Object.entries(profiles)) {
    if (!sandbox || !baseUrl.endsWith(`:${port}`)) continue;
    const running = await findRunningSandbox(context, name, dataFolder(context, name));
    if (!running) continue;
    const another = startAnotherCommand(request, { name, ...running });
    const difference = await findDifference(context, running, request);
    const user = `the sandbox of profile ${name} (${baseUrl})`;
    if (options.noProfile || difference !== undefined)
      return localError(
        `Port ${port} is in use by ${user}${difference === undefined ? '' : `, with ${difference}`}.`,
        { hint: 'Start another sandbox on a free port with --port 0.', next: [another], cause },
      );
    return localError(`Port ${port} is in use by ${user}.`, {
      hint: 'Use that sandbox with --reuse, or start another sandbox on a free port with --port 0.',
      next: [reuseCommand(options, name), another],
      cause,
    });
  }
  const isSandbox = await isForeignSandbox(context, `http://127.0.0.1:${port}`);
  const user = isSandbox ? 'a sandbox without a profile here' : 'another program';
  return localError(`Port ${port} on ${host} is in use by ${user}.`, {
    hint: isSandbox
      ? 'Start another sandbox on a free port with --port 0. To use that sandbox, set SVC_BASE_URL and SVC_API_KEY to its address and key.'
      : 'Use --port 0 for a free port, or select another port with --port.',
    next: [startAnotherCommand(request)],
    cause,
  });
}

async function saveProfile(context: Context, name: string, { baseUrl, key }: Server) {
  const profiles = openProfiles(context.configuration);
  await profiles.save(name, { baseUrl, key, environment: 'Development', sandbox: true });
}

async function waitUntilStopped(
  context: Context,
  server: Server,
  follow: FollowFolder | undefined,
): Promise<ExitReason> {
  const { shutdownSignal } = context.host;
  const closed = new AbortController();
  const signal = AbortSignal.any([closed.signal, shutdownSignal]);
  const ends = follow ? Promise.race([server.closed, follow(signal)]) : server.closed;
  await raceAbort(ends, shutdownSignal)
    .catch((reason: unknown) => {
      if (!shutdownSignal.aborted) throw reason;
    })
    .finally(() => closed.abort());
  await server.close();
  return shutdownSignal.aborted ? (shutdownSignal.reason as ExitReason) : 'ok';
}
