import { command } from '../../../cli/command.ts';
import { required } from '../../../cli/options.ts';
import { parseTime } from '../../../core/durations.ts';
import { callControl, connectSandbox, sandboxProfile } from '../connect.ts';
import { reportMove } from './view.ts';

export const set = command({
  summary: 'Set the time in the sandbox and run the jobs due by then',
  details:
    'Setting the clock back does not undo anything: newer data is kept, and pending jobs run when they come due again.',
  arguments: {
    time: required('<ISO>', 'A time such as 2026-01-15T12:00:00Z, or now for the real time'),
  },
  output:
    'The new time and the number of jobs run; as JSON, {profile, now, frozen, offset, jobsRun, movedMs}.',
  writes: true,
  targetProfile: sandboxProfile,
  localOnly: true,
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox clock set 2026-01-19T09:00:00Z':
      'After `start --time 2026-01-15T12:00:00Z`: move to Monday at nine',
    'svc sandbox clock set now': 'Return to the time of this machine',
    'svc sandbox clock set 2030-01-01T00:00:00Z --json': 'Move far ahead; print JSON for a script',
  },
  async run(context, { args: { time } }) {
    const to = time === 'now' ? time : new Date(parseTime(time)).toISOString();
    const connected = await connectSandbox(context);
    const move = await callControl(connected, ({ setClock }) => setClock(to));
    return reportMove(connected, move);
  },
});
