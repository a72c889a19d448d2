import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { ifRunning, notEmulatedText } from '../../sandbox/control/client.ts';
import { connectSandbox, profileNameOption } from './connect.ts';

export const status = command({
  summary: 'Show whether the sandbox is running, and what it contains',
  output:
    '{profile, baseUrl, running}; while it runs, also its storage, seed, record counts and pending jobs, and in notEmulated the requested routes of the service that the sandbox does not have: [{method, path, requests}]. If the sandbox is not running, the exit code is still 0. Without a sandbox profile, the exit code is 5.',
  exitCodes: ['notFound'],
  examples: [
    { line: 'svc sandbox status -p sandbox', description: 'Show state, address and record counts' },
    {
      line: 'svc sandbox status -p sandbox --jq .running',
      description: 'Print true or false, for a script',
    },
  ],
  writes: false,
  tool: 'read',
  async run(context) {
    const { control, profile, baseUrl } = await connectSandbox(context);
    const response = await ifRunning(control.status());
    const value = { profile, baseUrl, running: response !== undefined, ...response };
    if (!response && profile !== null)
      context.note(`Start it with \`svc sandbox start --detach${profileNameOption(profile)}\`.`);
    return result.one({
      value,
      fields: Object.keys(value).map((field) => ({
        field,
        header: result.toHeader(field),
        ...(field === 'running' ? { value: () => (response ? 'yes' : 'no') } : {}),
        ...(field === 'notEmulated'
          ? { value: () => notEmulatedText(response?.notEmulated ?? []) }
          : {}),
      })),
    });
  },
});
