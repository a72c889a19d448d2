import { command } from '../../../cli/command.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox } from '../connect.ts';
import { formatFaults } from './options.ts';

export const show = command({
  summary: 'Show the injected faults',
  output:
    '{profile, latency, fail, …}: the faults that were set; rates are from 0 to 1, latency is in milliseconds. deliveries has the faults of channels and providers.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox faults show -p sandbox': 'Show the active faults',
    'svc sandbox faults show --json -p sandbox': 'Print the active faults as JSON',
  },
  writes: false,
  tool: 'read',
  async run(context) {
    const connected = await connectSandbox(context);
    const faults = await callControl(connected, (control) => control.faults());
    if (Object.keys(faults).length === 0) context.note('No faults are active.');
    const { deliveries = [] } = faults;
    const value = { profile: connected.profile, ...faults };
    return result.one({
      value,
      fields: Object.keys(value).map((field) => ({
        field,
        header: result.toHeader(field),
        ...(field === 'deliveries' ? { value: () => formatFaults({ deliveries }) } : {}),
      })),
    });
  },
});
