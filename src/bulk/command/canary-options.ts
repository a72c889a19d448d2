// Options of the canary of a mass send.
import { duration, flag, text } from '../../cli/options.ts';

const canary = { group: 'Canary', run: ['original'] } as const;

export const canaryOptions = {
  canary: text(
    '--canary <n|p%>',
    'Send the first n rows (or this percentage) alone, and the other rows only if enough of the first events were delivered',
    canary,
  ),
  canaryTimeout: duration(
    '--canary-timeout <duration>',
    'Maximum time to wait for the deliveries of the canary',
    { ...canary, defaultText: '5m', rare: true },
  ),
  canaryRate: text(
    '--canary-rate <p%>',
    'Minimum percentage of events that must be delivered: delivered / (delivered + failed)',
    { ...canary, defaultText: '95%', rare: true },
  ),
};

export const skipCanaryOption = {
  skipCanary: flag('--skip-canary', 'Send the other rows although the canary did not pass', {
    run: ['unrecorded', 'changeable', 'original'],
  }),
};
