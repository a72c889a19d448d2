import type { StoredRun } from '../../bulk/journal/run-store.ts';
import type { Column, Tone } from '../../output/result.ts';

const stateTones: Record<StoredRun['state'], Tone> = {
  running: 'strong',
  stopped: 'warn',
  finished: 'good',
  unreadable: 'bad',
};

const badTone = (count: number): Tone => (count > 0 ? 'bad' : 'plain');

export const invalidColumn: Column<Pick<StoredRun, 'invalid'>> = {
  field: 'invalid',
  header: 'INVALID',
  right: true,
  tone: ({ invalid }) => badTone(invalid),
  drop: 1,
};

export const runColumns: readonly Column<StoredRun>[] = [
  { field: 'runId', header: 'RUN', shorten: true, tone: () => 'strong' },
  {
    field: 'command',
    header: 'COMMAND',
    value: ({ command, validateOnly }) => `${command}${validateOnly ? ' --validate-only' : ''}`,
    // The state of a finished run says that it validated.
    tableText: ({ command, state, validateOnly }) =>
      validateOnly && state !== 'finished' ? `${command} --validate-only` : command,
  },
  {
    field: 'state',
    header: 'STATE',
    value: ({ state, validateOnly }) =>
      validateOnly && state === 'finished' ? 'validated' : state,
    tone: ({ state }) => stateTones[state],
  },
  {
    field: 'rows',
    header: 'ROWS',
    right: true,
    tableText: ({ rows, estimatedRows }) =>
      estimatedRows === undefined ? `${rows}` : `${rows} of ~${estimatedRows}`,
  },
  { field: 'done', header: 'DONE', right: true, drop: 5 },
  {
    field: 'failed',
    header: 'FAILED',
    right: true,
    tone: ({ failed }) => badTone(failed),
    drop: 1,
  },
  { field: 'startedAt', header: 'STARTED', time: true, drop: 2 },
];

interface ListedRun extends StoredRun {
  /** Null for a run from standard input. */
  file: string | null;
  profile: string | null;
}

/** New columns come last: scripts cut the tab-separated lines by position. */
export const listColumns: readonly Column<ListedRun>[] = [
  ...runColumns,
  { field: 'file', header: 'FILE', shrink: 9, cutStart: true, drop: 2 },
  { field: 'profile', header: 'PROFILE', drop: 3 },
  invalidColumn,
];
