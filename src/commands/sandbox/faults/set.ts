// `svc sandbox faults set`
import { command } from '../../../cli/command.ts';
import { usageError } from '../../../core/errors.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox } from '../connect.ts';
import { faultOptions, formatFaults, pickFaults } from './options.ts';

export const set = command({
  summary: 'Inject faults: latency, errors, rate limits, cut responses',
  details:
    'What is not named stays as it is; a share of 0 ends a fault. The sequence of faults begins anew, so the same seed and the same requests meet the same faults. They end with the sandbox, too.',
  options: faultOptions,
  output:
    'The faults that hold now: {profile, latency, fail, …}; shares from 0 to 1, latency in milliseconds.',
  writes: false,
  localOnly: true,
  examples: [
    {
      line: 'svc sandbox faults set --fail 5% --status 503 -p sandbox',
      description: 'One request in twenty',
    },
    {
      line: 'svc sandbox faults set --after-commit 10% --fault-seed 42 -p sandbox',
      description: 'Done, not told',
    },
    {
      line: 'svc sandbox faults set --rate-limit free -p sandbox',
      description: 'The limits of the free plan',
    },
  ],
  async run(context, { options }) {
    const faults = pickFaults(options);
    if (Object.keys(faults).length === 0) {
      throw usageError('No fault is named.', {
        hint: 'Name one, such as --latency 100ms or --fail 5%.',
        next: ['svc sandbox faults set --help'],
      });
    }
    const connected = await connectSandbox(context);
    const value = (await callControl(connected, 'POST', 'faults', faults)) as object;
    return result.report({
      value: { profile: connected.profile, ...value },
      lines: [`The ${connected.title} makes faults: ${formatFaults(value)}.`],
      ids: [connected.name],
    });
  },
});
