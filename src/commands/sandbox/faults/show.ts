// `svc sandbox faults show`
import { command } from '../../../cli/command.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox } from '../connect.ts';

export const show = command({
  summary: 'Show the injected faults',
  output: '{profile, latency, fail, …}: what was set; shares from 0 to 1, latency in milliseconds.',
  examples: [
    { line: 'svc sandbox faults show -p sandbox', description: 'Every fault that holds' },
    { line: 'svc sandbox faults show --json -p sandbox', description: 'As data' },
  ],
  writes: false,
  async run(context) {
    const connected = await connectSandbox(context);
    const faults = (await callControl(connected, 'GET', 'faults')) as object;
    if (Object.keys(faults).length === 0) context.note('No faults are set.');
    return result.one({ value: { profile: connected.profile, ...faults } });
  },
});
