// `svc sandbox stop`

import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { ifRunning } from '../../sandbox/control/client.ts';
import { connectSandbox } from './connect.ts';

export const stop = command({
  summary: 'Stop the sandbox after its open requests have finished',
  output:
    '{stopped, profile, baseUrl}; stopped is false if the sandbox was not running; the exit code is still 0. Without a sandbox profile, it is 5.',
  exitCodes: ['notFound'],
  examples: [
    { line: 'svc sandbox stop -p sandbox', description: 'Stop the sandbox of profile sandbox' },
    {
      line: 'svc sandbox stop -p sandbox --jq .stopped',
      description: 'Print whether it was running, for a script',
    },
  ],
  writes: false,
  localOnly: true,
  async run(context) {
    const { control, profile, title, name, baseUrl } = await connectSandbox(context);
    const status = await ifRunning(control.status());
    const response = status && (await ifRunning(control.stop()));
    if (response) await waitForExit(context, status.pid);
    const where = profile === null ? '' : ` at ${baseUrl}`;
    const outcome = response ? 'has stopped' : 'is not running';
    return result.report({
      value: { stopped: response !== undefined, profile, baseUrl },
      lines: [`The ${title}${where} ${outcome}.`],
      ids: [name],
    });
  },
});

/** Open requests may take this long. */
const exitTimeoutMs = 5_000;

/** Waits until the process has exited: then its folder and profile can be used again. */
async function waitForExit({ host }: Context, pid: unknown): Promise<void> {
  if (typeof pid !== 'number') return;
  const { clock, isAlive } = host;
  for (const startedAt = clock.ticks(); isAlive(pid) && clock.ticks() - startedAt < exitTimeoutMs; )
    await clock.sleep(20);
}
