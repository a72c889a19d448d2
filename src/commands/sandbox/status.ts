// `svc sandbox status`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { connectSandbox, control } from './connect.ts';

export const status = command({
  summary: 'Show whether the sandbox runs, and what it holds',
  gives: 'What it is and what it holds.',
  examples: [
    { line: 'svc sandbox status', means: 'Ends with 7 when it is not running' },
    { line: 'svc sandbox status --jq .subscribers', means: 'How many subscribers it has' },
  ],
  async run(context) {
    const connected = await connectSandbox(context);
    const facts = (await control(connected, 'GET', 'status')) as object;
    return result.one({ value: { profile: connected.name, baseUrl: connected.baseUrl, ...facts } });
  },
});
