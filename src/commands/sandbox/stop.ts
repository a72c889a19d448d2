// `svc sandbox stop`

import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { callControlIfRunning } from '../../sandbox/control/client.ts';
import { connectSandbox } from './connect.ts';

export const stop = command({
  summary: 'Stop the sandbox after its open requests',
  output:
    '{stopped, profile, baseUrl}; stopped is false when it was not running. Ends with 0 either way.',
  examples: [
    { line: 'svc sandbox stop -p sandbox', description: 'The sandbox of that profile' },
    {
      line: 'svc sandbox stop -p sandbox --jq .stopped',
      description: 'In a script: whether it ran',
    },
  ],
  writes: false,
  localOnly: true,
  async run(context) {
    const { client, profile, title, name, baseUrl } = await connectSandbox(context);
    const status = await callControlIfRunning(client, 'GET', 'status');
    const answer = status && (await callControlIfRunning(client, 'POST', 'stop'));
    if (answer) await waitForExit(context, (status.value as { pid?: unknown }).pid);
    const where = profile === null ? '' : ` at ${baseUrl}`;
    const outcome = answer ? 'has stopped' : 'is not running';
    return result.report({
      value: { stopped: answer !== undefined, profile, baseUrl },
      lines: [`The ${title}${where} ${outcome}.`],
      ids: [name],
    });
  },
});

/** As long as requests under way may take. */
const exitTimeoutMs = 5_000;

/** Its folder and profile are free once its process has ended. */
async function waitForExit({ host }: Context, pid: unknown): Promise<void> {
  if (typeof pid !== 'number') return;
  const { clock, isAlive } = host;
  for (const began = clock.ticks(); isAlive(pid) && clock.ticks() - began < exitTimeoutMs; )
    await clock.sleep(20);
}
