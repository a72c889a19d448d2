import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { callControl, connectSandbox, sandboxProfile } from './connect.ts';
import { compatOption, serviceOption } from './open-server.ts';

export const reset = command({
  summary: 'Reset the sandbox to its seed data; API keys are kept',
  details:
    'The clock and the faults are reset to the options of `svc sandbox start`. The messages and the activity are deleted.',
  options: {
    compat: compatOption(
      'Also change the mode. novu: like the service; specification: like its specification, where the two differ',
      { defaultText: 'the mode stays' },
    ),
    service: serviceOption('Also change the version of the service', {
      defaultText: 'the version stays',
    }),
  },
  output: '{reset, profile}.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox reset --yes': 'Start the next test run with fresh data',
    'svc sandbox reset --yes --quiet': 'Print nothing on success',
  },
  writes: true,
  targetProfile: sandboxProfile,
  localOnly: true,
  async run(context, { options }) {
    const connected = await connectSandbox(context);
    await context.confirm(`Delete everything in the ${connected.title} and restore its seed data`);
    await callControl(connected, (control) => control.reset(options));
    return result.report({
      value: { reset: true, profile: connected.profile },
      lines: [`Reset the ${connected.title} to its seed data.`],
      ids: [connected.name],
    });
  },
});
