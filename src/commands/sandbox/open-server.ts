// Opens the server of a sandbox in this process, with the options that `start` and `exec` share.
import type { Context } from '../../app/context.ts';
import { safeText } from '../../output/safe-text.ts';
import { requestedMode } from './compat.ts';
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
    mode: requestedMode(context, options.compat, seed?.state),
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
