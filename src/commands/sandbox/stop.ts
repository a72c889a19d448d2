import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { durationText } from '../../core/durations.ts';
import { localError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { ifRunning } from '../../sandbox/control/client.ts';
import { connectSandbox, sandboxProfile } from './connect.ts';
import { wasStartedHere } from './running.ts';

export const stop = command({
  summary: 'Stop the sandbox after its open requests have finished',
  details:
    'svc asks before it stops a foreign sandbox in memory, because its data is lost. A sandbox is foreign if it has no profile here and was not started with this state folder.',
  output:
    '{stopped, profile, baseUrl}; if the sandbox was not running, stopped is false and the exit code is still 0. Without a sandbox profile, the exit code is 5.',
  exitCodes: ['notFound', 'local'],
  examples: {
    'svc sandbox stop': 'Stop the selected sandbox',
    'svc sandbox stop -p sandbox --jq .stopped': 'Print whether it was running, for a script',
  },
  writes: true,
  targetProfile: sandboxProfile,
  tool: 'write',
  localOnly: true,
  async run(context) {
    const { control, profile, title, name, baseUrl } = await connectSandbox(context);
    const status = await ifRunning(control.status());
    if (
      status?.storage === 'memory' &&
      profile === null &&
      !wasStartedHere(context, await context.connection.apiKey())
    )
      await context.confirm(`Stop the ${title} and delete its data, which is in memory`);
    const response = status && (await ifRunning(control.stop()));
    if (response && !(await hasExited(context, status)))
      throw localError(`The ${title} has not stopped within ${durationText(exitTimeoutMs)}.`, {
        hint: `The sandbox stops when its current step has ended. To end the process at once: kill -9 ${status.pid}. The data is kept.`,
      });
    const where = profile === null ? '' : ` at ${baseUrl}`;
    const outcome = response ? 'has stopped' : 'is not running';
    return result.report({
      value: { stopped: response !== undefined, profile, baseUrl },
      lines: [`The ${title}${where} ${outcome}.`],
      ids: [name],
    });
  },
});

/** Open requests may take 5 seconds. */
const exitTimeoutMs = 8_000;

/** Waits for the process to exit: then its folder and profile can be used again. Returns false if it takes too long. */
async function hasExited({ host }: Context, status: SandboxProcess): Promise<boolean> {
  const { pid, processStart } = status;
  // On another machine or in a container, its process id means another process. Only Linux provides process starts.
  const isSameSystem = (processStart === undefined) === (host.identity === undefined);
  if (typeof pid !== 'number' || !isSameSystem) return true;
  const { clock } = host;
  const startedAt = clock.ticks();
  while (host.isAlive(pid, processStart)) {
    if (clock.ticks() - startedAt >= exitTimeoutMs) return false;
    await clock.sleep(20);
  }
  return true;
}

interface SandboxProcess {
  pid?: number | undefined;
  processStart?: string | undefined;
}
