import { command } from '../../../cli/command.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox } from '../connect.ts';
import { clockText } from './view.ts';

export const show = command({
  summary: 'Show the time in the sandbox',
  output:
    '{profile, now, frozen, offset}; offset is how far the clock is ahead of this machine, in milliseconds.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox clock show -p sandbox': 'Show the time and the offset',
    'svc sandbox clock show --jq .now -p sandbox': 'Print only the time',
  },
  writes: false,
  tool: 'read',
  async run(context) {
    const connected = await connectSandbox(context);
    const clock = await callControl(connected, (control) => control.clock());
    return result.one({
      value: { profile: connected.profile, ...clock },
      fields: [
        { field: 'profile', header: 'PROFILE' },
        { field: 'now', header: 'TIME', value: () => clockText(clock) },
      ],
    });
  },
});
