import { command } from '../../../cli/command.ts';
import { required } from '../../../cli/options.ts';
import { readDuration } from '../../../core/durations.ts';
import { SvcError, usageError } from '../../../core/errors.ts';
import { callControl, connectSandbox, sandboxProfile } from '../connect.ts';
import { reportMove } from './view.ts';

export const advance = command({
  summary: 'Advance the time in the sandbox and run the jobs that come due',
  arguments: { duration: required('<duration>', 'How far to advance: 90s, 10m, 2h30m, 3d') },
  output:
    'The new time and the number of jobs run; as JSON, {profile, now, frozen, offset, jobsRun, movedMs}.',
  writes: true,
  targetProfile: sandboxProfile,
  localOnly: true,
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox clock advance 10m': 'Complete a ten-minute digest',
    'svc sandbox clock advance 3d': 'Complete a three-day delay',
  },
  async run(context, { args: { duration } }) {
    const milliseconds = Math.round(parseDuration(duration));
    const connected = await connectSandbox(context);
    const move = await callControl(connected, ({ advanceClock }) => advanceClock(milliseconds));
    return reportMove(connected, move);
  },
});

function parseDuration(text: string): number {
  try {
    return readDuration(text);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw usageError(`${error.message}.`, { next: ['svc sandbox clock advance 10m'] });
  }
}
