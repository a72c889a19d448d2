// Options of the canary of a mass send.
import { duration, flag, text } from '../../cli/options.ts';

const group = 'Canary';

export const canaryOptions = {
  canary: text(
    '--canary <n|p%>',
    'Send the first n rows (or this percentage) alone, and the others only if enough of their events were delivered',
    { group, run: ['original'] },
  ),
  canaryTimeout: duration(
    '--canary-timeout <duration>',
    'Maximum time to wait for the deliveries of the canary',
    { group, defaultText: '5m', run: ['original'] },
  ),
  canaryRate: text(
    '--canary-rate <p%>',
    'Minimum percentage of events that must be delivered: delivered / (delivered + failed)',
    { group, defaultText: '95%', run: ['original'] },
  ),
};

export const skipCanaryOption = {
  skipCanary: flag('--skip-canary', 'Send the other rows although the canary did not pass', {
    run: ['unrecorded', 'changeable', 'original'],
  }),
};
