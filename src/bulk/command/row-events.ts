// With `-o ndjson` a run prints a line for each row as it settles.
import type { Context } from '../../app/context.ts';
import { safeJson } from '../../output/safe-text.ts';
import type { RunOptions } from '../engine/run.ts';

export function rowLines({ preferences, host }: Context) {
  if (preferences.output !== 'ndjson') return undefined;
  let held: string[] = [];
  const settled: NonNullable<RunOptions['settled']> = ({ number, record, id }, outcome) => {
    const { state } = outcome;
    const why = 'why' in outcome ? { error: outcome.why } : {};
    const row = JSON.stringify({
      row: number,
      line: record.line,
      ...(id === undefined ? {} : { id }),
      result: state,
      ...why,
    });
    held.push(`${host.stdout.isTty ? safeJson(row) : row}\n`);
  };
  return {
    settled,
    /** A reader that goes away does not end a run. */
    flush: async () => {
      const text = held.join('');
      held = [];
      await host.stdout.write(text).catch(() => undefined);
    },
  };
}
