// Prints one JSON line for each finished row with `-o ndjson`.
import type { Context } from '../../app/context.ts';
import { safeJson } from '../../output/safe-text.ts';
import type { RunOptions } from '../engine/run-options.ts';

export function createRowEvents({ settings, host }: Context) {
  if (settings.output !== 'ndjson') return undefined;
  let lines: string[] = [];
  const onRowFinished: NonNullable<RunOptions['onRowFinished']> = (
    { number, record, id },
    outcome,
  ) => {
    const { state } = outcome;
    const error = 'reason' in outcome ? { error: outcome.reason } : {};
    const row = JSON.stringify({
      row: number,
      line: record.line,
      ...(id === undefined ? {} : { id }),
      result: state,
      ...error,
    });
    lines.push(`${safeJson(row)}\n`);
  };
  return {
    onRowFinished,
    /** Prints the collected lines. A closed pipe does not stop the run. */
    flush: async () => {
      const text = lines.join('');
      lines = [];
      await host.stdout.write(text).catch(() => undefined);
    },
  };
}
