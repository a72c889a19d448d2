// `npm run bench`: measures start-up, reading CSV, importing and listing, runs at a rate limit, the sandbox, the sandbox
// in tests, pulling, replays and snapshots, reading the deliveries of runs, an audit, and the commands for people. Prints each figure, writes the table to
// bench/RESULTS.md with the machine, the version of Node and the date, and exits with 1 if a goal is missed.
// `npm run bench -- csv` measures only that part and writes no file.
import { cpus, totalmem } from 'node:os';
import { measureAudit } from './audit.ts';
import { measureCsv } from './csv.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureImport } from './import.ts';
import { formatTable, type Measurement, replaceSection } from './measurements.ts';
import { measurePeople } from './people.ts';
import { measurePull } from './pull.ts';
import { measureRateLimit } from './rate-limit.ts';
import { measureReplay } from './replay.ts';
import { measureSandbox } from './sandbox.ts';
import { measureStartUp } from './start-up.ts';
import { measureTesting } from './testing.ts';

const rows = Number(process.env.ROWS ?? 1_000_000);
const measurements: Measurement[] = [];
const report = (measurement: Measurement) => {
  measurements.push(measurement);
  const verdict =
    measurement.goal === undefined
      ? ''
      : `   goal ${measurement.goal}: ${measurement.isMet ? 'met' : 'MISSED'}`;
  process.stdout.write(`${measurement.name.padEnd(52)} ${measurement.figure}${verdict}\n`);
};

const parts: Record<string, () => Promise<void>> = {
  'start-up': () => measureStartUp(report),
  csv: () => measureCsv(rows, report),
  import: () => measureImport(rows, report),
  'rate-limit': () => measureRateLimit(report),
  sandbox: () => measureSandbox(report),
  deliveries: () => measureDeliveries(report),
  audit: () => measureAudit(report),
  pull: () => measurePull(report),
  replay: () => measureReplay(report),
  people: () => measurePeople(report),
  testing: () => measureTesting(report),
};
const selected = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) {
  if (selected.length === 0 || selected.includes(name)) await measure();
}

if (rows === 1_000_000 && selected.length === 0) {
  const [processor] = cpus();
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;
  replaceSection(
    'bench',
    `Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${machine}. Start-up is the ratio of wall time to \`node -e 0\`, the median of alternating runs. Reading is the best of three rounds, with the ratio to csv-parse over the same rows. Imports send rows of 8, 9 or 32 columns to a loopback server that responds immediately; the pipeline and svc take turns, five times each, and the ratio is the median of the five ratios. The sandbox runs in memory. Memory is resident memory.\n\n${formatTable(measurements)}`,
  );
}
process.exitCode = measurements.every(({ isMet }) => isMet !== false) ? 0 : 1;
