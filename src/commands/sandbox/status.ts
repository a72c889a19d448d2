// `svc sandbox status`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { callControlIfRunning } from '../../sandbox/control/client.ts';
import { connectSandbox, profileNameOption } from './connect.ts';

export const status = command({
  summary: 'Show whether the sandbox runs, and its contents',
  output:
    '{profile, baseUrl, running}, and what it is and holds while it runs. Ends with 0 either way.',
  exitCodes: ['auth', 'notFound', 'unavailable'],
  examples: [
    { line: 'svc sandbox status -p sandbox', description: 'Whether it runs, and where' },
    {
      line: 'svc sandbox status -p sandbox --jq .running',
      description: 'In a script: true or false',
    },
  ],
  writes: false,
  async run(context) {
    const { client, profile, baseUrl } = await connectSandbox(context);
    const answer = await callControlIfRunning(client, 'GET', 'status');
    const facts = (answer?.value ?? {}) as object;
    const value = { profile, baseUrl, running: answer !== undefined, ...facts };
    if (!answer && profile !== null)
      context.note(`Start it with \`svc sandbox start --detach${profileNameOption(profile)}\`.`);
    return result.one({
      value,
      fields: Object.keys(value).map((field) => ({
        field,
        header: field,
        ...(field === 'running' ? { value: () => (answer ? 'yes' : 'no') } : {}),
      })),
    });
  },
});
