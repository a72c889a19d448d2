// `svc sandbox faults clear`
import { command } from '../../../cli/command.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox } from '../connect.ts';

export const clear = command({
  summary: 'Remove all injected faults',
  output: '{cleared, profile}.',
  writes: false,
  tool: 'write',
  localOnly: true,
  exitCodes: ['notFound'],
  examples: [
    {
      line: 'svc sandbox faults clear -p sandbox',
      description: 'Remove all faults, including rate limits',
    },
    {
      line: 'svc sandbox faults clear --quiet -p sandbox',
      description: 'Print nothing on success',
    },
  ],
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
