// `npm run bench`: start-up, reading CSV, importing and listing. Prints a table, writes it to bench/RESULTS.md
// with the machine, Node's version and the date, and fails when a goal is missed.
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { type Measured, measureImport } from './import.ts';
import { measureStartUp } from './start-up.ts';

const rows = Number(process.env.ROWS ?? 1_000_000);
const all: Measured[] = [];
const tell = (one: Measured) => {
  all.push(one);
  const verdict =
    one.goal === undefined ? '' : `   goal ${one.goal}: ${one.holds ? 'holds' : 'MISSED'}`;
  process.stdout.write(`${one.name.padEnd(52)} ${one.figure}${verdict}\n`);
};

await measureStartUp(tell);
await measureImport(rows, tell);

const [processor] = cpus();
const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`;
const lines = all.map(
  ({ name, figure, goal = '', holds }) =>
    `| ${name} | ${figure} | ${goal}${holds === undefined ? '' : holds ? ', holds' : ', **missed**'} |`,
);
if (rows === 1_000_000) {
  writeFileSync(
    'bench/RESULTS.md',
    `# Results

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${machine}. Start-up is the ratio of wall time to \`node -e 0\`, the median of alternating runs. Rows of eight columns go to a loopback service that answers at once; both baselines run beside it. Memory is resident memory, looked at every second.

| What | Figure | Goal |
| ---- | ------ | ---- |
${lines.join('\n')}
`,
  );
}
process.exitCode = all.every(({ holds }) => holds !== false) ? 0 : 1;
