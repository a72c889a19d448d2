// Compares the sandbox with the recorded service: prints what differs, and a table of the exchanges that agree.
// With --write, stores the numbers that test/sandbox/conformance.test.ts expects.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { countByArea, judge } from '../test/support/recorded/agreement.ts';
import { readCorpus, recordedFolder } from '../test/support/recorded/corpus.ts';
import { play } from '../test/support/recorded/play.ts';
import { startRecordedState } from '../test/support/recorded/sandbox.ts';

const sandbox = await startRecordedState();
const results = judge(await play(sandbox, readCorpus()));
await sandbox.close();
for (const { area, name, differences } of results)
  for (const text of differences) process.stdout.write(`${area} ${name}: ${text}\n`);
const areas = countByArea(results);
const row = (area: string, ...numbers: unknown[]) =>
  `${area.padEnd(20)}${numbers.map((number) => String(number).padStart(10)).join('')}\n`;
process.stdout.write(row('area', 'exchanges', 'status', 'shape', 'whole'));
for (const [area, { exchanges, status, shape, whole }] of Object.entries(areas))
  process.stdout.write(row(area, exchanges, status, shape, whole));
if (process.argv.includes('--write')) {
  const file = path.join(recordedFolder, 'agreement.json');
  writeFileSync(file, `${JSON.stringify(areas, null, 2)}\n`);
}
process.exit(0);
