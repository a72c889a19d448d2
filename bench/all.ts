// `npm run bench`: start-up, reading CSV, importing and listing. Prints a table, keeps it in bench/RESULTS.md with
// the machine, Node's version and the date, and fails when a goal is missed. `-- csv` measures a part alone.
import { cpus, totalmem } from 'node:os';
import { measureCsv } from './csv.ts';
import { measureImport } from './import.ts';
import { keepSection, type Measured, tableOf } from './measured.ts';
import { measureStartUp } from './start-up.ts';

const rows = Number(process.env.ROWS ?? 1_000_000);
const all: Measured[] = [];
const tell = (one: Measured) => {
  all.push(one);
  const verdict =
    one.goal === undefined ? '' : `   goal ${one.goal}: ${one.holds ? 'holds' : 'MISSED'}`;
  process.stdout.write(`${one.name.padEnd(52)} ${one.figure}${verdict}\n`);
};

const parts: Record<string, () => Promise<void>> = {
  'start-up': () => measureStartUp(tell),
  csv: () => measureCsv(rows, tell),
  import: () => measureImport(rows, tell),
};
const asked = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) {
  if (asked.length === 0 || asked.includes(name)) await measure();
}

if (rows === 1_000_000 && asked.length === 0) {
  const [processor] = cpus();
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;
  keepSection(
    'bench',
    `Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${machine}. Start-up is the ratio of wall time to \`node -e 0\`, the median of alternating runs. Reading is the best of three rounds, with its ratio to csv-parse over the same rows. Imported rows of eight columns go to a loopback service that answers at once; both baselines run beside it. Memory is resident memory, looked at every second.\n\n${tableOf(all)}`,
  );
}
process.exitCode = all.every(({ holds }) => holds !== false) ? 0 : 1;
