// `svc sandbox stop`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { connectSandbox, control } from './connect.ts';

export const stop = command({
  summary: 'Stop the sandbox; requests under way finish first',
  gives: '{stopped, profile, baseUrl}.',
  examples: [
    {
      line: 'svc sandbox stop',
      means: 'That of the current profile if it is a sandbox, else of the profile sandbox',
    },
    { line: 'svc sandbox stop --quiet', means: 'Without a word' },
  ],
  local: true,
  async run(context) {
    const connected = await connectSandbox(context);
    await control(connected, 'POST', 'stop');
    return result.report({
      value: { stopped: true, profile: connected.name, baseUrl: connected.baseUrl },
      lines: [`The sandbox of profile ${connected.name} at ${connected.baseUrl} stops.`],
      ids: [connected.name],
    });
  },
});
