// For tests of bulk runs: how they stop, where their files are, and their command lines.
import path from 'node:path';
import { expect } from 'vitest';
import { parsed, type Rig, writeInput } from './rig.ts';
import { words } from './words.ts';

/** The response to a request with an unknown API key; it stops a run. */
export const unauthorized = {
  status: 401,
  body: { statusCode: 401, message: 'API Key not found' },
};

/** The folder of all runs. */
export const runsFolder = ({ folder }: Rig) => path.join(folder, 'state', 'runs');

/** The folder of a run. */
export const runFolder = (rig: Rig, runId: unknown) => path.join(runsFolder(rig), String(runId));

export const ledgerFile = (rig: Rig, runId: unknown) =>
  path.join(runFolder(rig, runId), 'ledger.ndjson');

/** The command line that imports a file with one request at a time. */
export const importLine = (file: string, ...more: string[]) =>
  words`subscribers bulk-import ${file} --concurrency 1 --json ${more}`;

/** The command line that cancels the transactions of a run. */
export const cancelLine = (runId: string, ...more: string[]) =>
  words`events cancel --run ${runId} --yes ${more}`;

/** A CSV file with 1,200 subscribers. */
export const people = `subscriberId\n${Array.from({ length: 1200 }, (_unused, index) => `p${index}`).join('\n')}\n`;

/** Stops an import after 500 of 1,200 rows: the API key is rejected for the second request. */
export async function stopImport(rig: Rig, more: string[] = []) {
  const csv = writeInput(rig, 'users.csv', people);
  rig.pass(1);
  rig.answer(unauthorized);
  const { code, stdout } = await rig.svc(importLine(csv, ...more));
  expect(code).toBe(4);
  const summary = parsed(stdout);
  return { csv, summary, runId: String(summary.runId) };
}
