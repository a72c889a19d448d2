import { expect, it } from 'vitest';
import { dataTables } from '../../src/sandbox/store/schema.ts';
import { frozenNow, testKey } from '../support/fixed.ts';
import { openStore } from '../support/sandbox-311.ts';

/** All rows of a new sandbox. */
async function rowsAt(time: number) {
  const { sql, close } = await openStore({ clock: { now: () => time }, key: testKey });
  const rows = dataTables.map((table) => [table, sql.all(`SELECT * FROM ${table}`)]);
  close();
  return rows;
}

it('every sandbox that starts at the same time has the same data, and another time has its own', async () => {
  const first = await rowsAt(frozenNow);
  const second = await rowsAt(frozenNow);
  const third = await rowsAt(frozenNow);

  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(await rowsAt(frozenNow + 60_000)).not.toEqual(first);
});
