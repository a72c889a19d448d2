// `svc sandbox clock advance`
import { command } from '../../../cli/command.ts';
import { required } from '../../../cli/options.ts';
import { readDuration } from '../../../core/durations.ts';
import { SvcError, usageError } from '../../../core/errors.ts';
import { connectSandbox, control } from '../connect.ts';
import { type ClockFacts, moved } from './view.ts';

export const advance = command({
  summary: 'Advance the time in the sandbox and run everything due in between',
  arguments: { duration: required('<duration>', 'How far: 90s, 10m, 2h30m, 3d') },
  output:
    'The new time and how many jobs came due; as data, {profile, now, frozen, offset, ran, moved}.',
  writes: false,
  localOnly: true,
  examples: [
    {
      line: 'svc sandbox clock advance 10m -p sandbox',
      description: 'To the end of a digest of ten minutes',
    },
    { line: 'svc sandbox clock advance 3d -p sandbox', description: 'Past a delay of three days' },
  ],
  async run(context, { args: { duration } }) {
    const milliseconds = Math.round(spanOf(duration));
    const connected = await connectSandbox(context);
    const facts = await control(connected, 'POST', 'clock', { advance: milliseconds });
    return moved(connected, facts as ClockFacts);
  },
});

function spanOf(text: string): number {
  try {
    return readDuration(text);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw usageError(`${error.message}.`, { next: ['svc sandbox clock advance 10m'] });
  }
}
