// `svc sandbox stop`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { controlIfRunning } from '../sandbox-control.ts';
import { connectSandbox } from './connect.ts';

export const stop = command({
  summary: 'Stop the sandbox; requests under way finish first',
  gives: '{stopped, profile, baseUrl}. Ends with 0 also when it does not run.',
  examples: [
    {
      line: 'svc sandbox stop',
      means: 'That of the current profile if it is a sandbox, else of the profile sandbox',
    },
    { line: 'svc sandbox stop --quiet', means: 'Without a word' },
  ],
  writes: false,
  local: true,
  async run(context) {
    const { client, name, baseUrl } = await connectSandbox(context);
    const answer = await controlIfRunning(client, 'POST', 'stop');
    const becomes = answer ? 'stops' : 'is not running';
    return result.report({
      value: { stopped: true, profile: name, baseUrl },
      lines: [`The sandbox of profile ${name} at ${baseUrl} ${becomes}.`],
      ids: [name],
    });
  },
});
