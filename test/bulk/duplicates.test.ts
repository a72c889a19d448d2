// Counting rows with a repeated id, also in a resumed run.
import path from 'node:path';
import { expect, it } from 'vitest';
import { createStats } from '../../src/bulk/engine/stats.ts';
import { openJournal } from '../../src/bulk/journal/journal.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects.ts';
import { SvcError } from '../../src/core/errors.ts';
import { openFolder } from './run-folder.ts';
import { created, importSender, runImport } from './run-import.ts';

/** One process of a run. The service rejects its requests after the first `limit` ones. */
async function startProcess(folder: string, rows: { subscriberId: string }[], requests: number) {
  const journal = openJournal({
    runId: 'r1',
    isNew: false,
    folder,
    rejects: { file: path.join(folder, 'rejects.ndjson'), format: rejectsFormat('ndjson') },
    every: () => () => undefined,
  });
  const stats = createStats({
    successStates: importSender.successStates,
    ticks: () => 0,
    earlier: journal.earlier,
  });
  const reply = (ids: string[], call: number) => {
    if (call > requests) throw new SvcError('auth', 'no longer');
    return created([...new Set(ids)]);
  };
  const { end } = await runImport(rows, reply, { journal, stats });
  await journal.close();
  return { stopped: end.stopped !== null, wire: stats.totals(), rows: stats.rows() };
}

const ids = Array.from({ length: 2_000 }, (_unused, index) => ({ subscriberId: `u${index}` }));

it.each([
  ['next to each other', ids.flatMap((id) => [id, id])],
  ['far from each other', [...ids, ...ids]],
])(
  'ids that stand twice, %s, are counted once, however often a run goes on',
  async (_name, rows) => {
    const folder = openFolder();
    expect((await startProcess(folder, rows, 3)).stopped).toBe(true);
    expect((await startProcess(folder, rows, 2)).stopped).toBe(true);
    const { stopped, wire, rows: settled } = await startProcess(folder, rows, 100);
    expect({ stopped, settled, duplicates: wire.duplicates }).toEqual({
      stopped: false,
      settled: 4_000,
      duplicates: 2_000,
    });
  },
);
