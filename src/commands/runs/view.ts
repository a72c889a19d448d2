// How runs are shown.

import type { StoredRun } from '../../bulk/journal/run-store.ts';
import type { Column, Tone } from '../../output/result.ts';

const stateTones: Record<StoredRun['state'], Tone> = {
  running: 'strong',
  stopped: 'warn',
  finished: 'good',
  unreadable: 'bad',
};

export const runColumns: readonly Column<StoredRun>[] = [
  { field: 'runId', header: 'RUN', tone: () => 'strong' },
  { field: 'command', header: 'COMMAND', shrink: true },
  { field: 'state', header: 'STATE', tone: ({ state }) => stateTones[state] },
  { field: 'rows', header: 'ROWS' },
  { field: 'done', header: 'DONE', drop: 2 },
  {
    field: 'failed',
    header: 'FAILED',
    tone: ({ failed }) => (failed > 0 ? 'bad' : 'plain'),
    drop: 1,
  },
  { field: 'startedAt', header: 'STARTED', time: true },
];
