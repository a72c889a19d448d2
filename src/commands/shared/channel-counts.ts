// Messages by channel and outcome, as lines for progress and notes.
import { grouped } from '../../core/text.ts';
import type { OutcomeCounts } from '../../explain/deliveries.ts';
import { stepOutcomes } from '../../service/job-outcomes.ts';

export function channelCountLines(channels: ReadonlyMap<string, OutcomeCounts>): string[] {
  const width = Math.max(0, ...[...channels.keys()].map(({ length }) => length));
  return [...channels].map(([channel, counts]) => {
    const parts = stepOutcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `${grouped(counts[outcome])} ${outcome}`);
    return `  ${channel.padEnd(width)}  ${parts.join(', ')}`;
  });
}
