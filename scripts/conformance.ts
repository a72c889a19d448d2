// Compares the sandbox with the recorded service in each version: prints what differs, and a table of the exchanges that agree.
// With --write, stores the numbers that the tests of the sandbox expect.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { sandboxVersions } from '../src/service/versions.ts';
import { countByArea, type Result } from '../test/support/recorded/agreement.ts';
import { beyondFolder, playArea, readAreas } from '../test/support/recorded/beyond.ts';
import { playCorpora } from '../test/support/recorded/corpora.ts';
import { agreementFiles } from '../test/support/recorded/corpus.ts';

for (const service of sandboxVersions) {
  process.stdout.write(`version ${service}\n`);
  compare(await playCorpora(service), agreementFiles[service]);
}
const beyond: Result[] = [];
for (const area of readAreas()) beyond.push(...(await playArea(area)));
compare(beyond, path.join(beyondFolder, 'agreement.json'));
process.exit(0);

function compare(results: readonly Result[], file: string): void {
  for (const { area, name, differences } of results)
    for (const text of differences) process.stdout.write(`${area} ${name}: ${text}\n`);
  const areas = countByArea(results);
  process.stdout.write(row('area', 'exchanges', 'status', 'shape', 'whole'));
  for (const [area, { exchanges, status, shape, whole }] of Object.entries(areas))
    process.stdout.write(row(area, exchanges, status, shape, whole));
  if (process.argv.includes('--write')) writeFileSync(file, `${JSON.stringify(areas, null, 2)}\n`);
}

function row(area: string, ...numbers: unknown[]): string {
  return `${area.padEnd(24)}${numbers.map((number) => String(number).padStart(10)).join('')}\n`;
}
