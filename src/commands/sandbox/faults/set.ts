// `svc sandbox faults set`
import { command } from '../../../cli/command.ts';
import { usageError } from '../../../core/errors.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox } from '../connect.ts';
import { faultOptions, formatFaults, pickFaults } from './options.ts';

export const set = command({
  summary: 'Inject faults: latency, errors, rate limits, truncated responses',
  details:
    'Options that you omit keep their values; a rate of 0 turns a fault off. The random sequence restarts, so the same seed and the same requests produce the same faults. Faults last until `svc sandbox faults clear`, `svc sandbox reset`, or until the sandbox stops.',
  options: faultOptions,
  output:
    'The active faults: {profile, latency, fail, …}; rates are from 0 to 1, latency is in milliseconds.',
  writes: false,
  tool: 'write',
  localOnly: true,
  exitCodes: ['notFound'],
  examples: [
    {
      line: 'svc sandbox faults set --fail 5% --status 503 -p sandbox',
      description: 'Fail one request in twenty',
    },
    {
      line: 'svc sandbox faults set --fail-next 2 -p sandbox',
      description: 'Fail the next two requests, to test how a program tries again',
    },
    {
      line: 'svc sandbox faults set --after-commit 10% --fault-seed 42 -p sandbox',
      description: 'Process some requests, then respond with an error',
    },
    {
      line: 'svc sandbox faults set --rate-limit free -p sandbox',
      description: 'Apply the limits of the free plan',
    },
  ],
  async run(context, { options }) {
    const faults = pickFaults(options);
    if (Object.keys(faults).length === 0) {
      throw usageError('No fault given.', {
        hint: 'Add an option such as --latency 100ms or --fail 5%.',
        next: ['svc sandbox faults set --help'],
      });
    }
    const connected = await connectSandbox(context);
    const value = await callControl(connected, ({ setFaults }) => setFaults(faults));
    return result.report({
      value: { profile: connected.profile, ...value },
      lines: [`Active faults in the ${connected.title}: ${formatFaults(value)}.`],
      ids: [connected.name],
    });
  },
});
