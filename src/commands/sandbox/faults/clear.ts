import { command } from '../../../cli/command.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox, sandboxProfile } from '../connect.ts';

export const clear = command({
  summary: 'Remove all injected faults',
  output: '{cleared, profile}.',
  writes: true,
  targetProfile: sandboxProfile,
  localOnly: true,
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox faults clear': 'Remove all faults, including rate limits',
    'svc sandbox faults clear --quiet': 'Print nothing on success',
  },
  async run(context) {
    const connected = await connectSandbox(context);
    await callControl(connected, ({ clearFaults }) => clearFaults());
    return result.report({
      value: { cleared: true, profile: connected.profile },
      lines: [`Removed all faults from the ${connected.title}.`],
      ids: [connected.name],
    });
  },
});
