// `svc sandbox clock set`
import { command } from '../../../cli/command.ts';
import { required } from '../../../cli/options.ts';
import { connectSandbox, control } from '../connect.ts';
import { readTime } from '../time.ts';
import { type ClockFacts, moved } from './view.ts';

export const set = command({
  summary: 'Set the time in the sandbox and run everything due until then',
  details:
    'Going back undoes nothing: what is newer stays as it is, and what waits is due when its time comes again.',
  arguments: {
    time: required(
      '<ISO>',
      'The time, such as 2026-01-15T12:00:00Z; now is the time of this machine',
    ),
  },
  output:
    'The new time and how many jobs came due; as data, {profile, now, frozen, offset, ran, moved}.',
  writes: false,
  localOnly: true,
  examples: [
    {
      line: 'svc sandbox clock set 2026-01-19T09:00:00Z -p sandbox',
      description: 'To a Monday at nine, when a weekly report is due',
    },
    {
      line: 'svc sandbox clock set now -p sandbox',
      description: 'Back to the time of this machine',
    },
    {
      line: 'svc sandbox clock set 2030-01-01T00:00:00Z --json -p sandbox',
      description: 'Far ahead, in a script',
    },
  ],
  async run(context, { args: { time } }) {
    const to = time === 'now' ? time : new Date(readTime(time)).toISOString();
    const connected = await connectSandbox(context);
    return moved(connected, (await control(connected, 'POST', 'clock', { set: to })) as ClockFacts);
  },
});
