// The second step of `npm run mutate`: writes the results of stryker to bench/RESULTS.md. Exits with 1 if more mutants
// of a file survive than bench/mutants.md explains.
import { readFileSync } from 'node:fs';
import { formatTable, replaceSection } from '../bench/measurements.ts';

/** The report of stryker, as far as it is used here. */
interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
  status: 'Killed' | 'Survived' | 'Timeout' | 'NoCoverage' | 'CompileError' | 'RuntimeError';
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number } };
}

const report: Report = JSON.parse(readFileSync('reports/mutation/mutation.json', 'utf8'));
const explanations = readFileSync('bench/mutants.md', 'utf8');

const figures = Object.entries(report.files).map(([file, { source, mutants }]) => {
  const counted = mutants.filter(({ status }) => !status.endsWith('Error'));
  const alive = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const { mutatorName, replacement, location } of alive) {
    const { line } = location.start;
    process.stdout.write(
      `${file}:${line} ${mutatorName}: ${source.split('\n')[line - 1]?.trim()} → ${replacement}\n`,
    );
  }
  const explained = explanations.split(`| \`${file}\``).length - 1;
  const killed = counted.length - alive.length;
  const score = counted.length === 0 ? 100 : (100 * killed) / counted.length;
  return {
    name: `\`${file}\``,
    figure: `${killed} of ${counted.length} killed, ${score.toFixed(1)} %`,
    goal: 'every survivor explained in mutants.md',
    isMet: alive.length <= explained,
  };
});
const table = formatTable(figures.filter(({ figure }) => !figure.startsWith('0 of 0')));
replaceSection(
  'mutants',
  `Made by \`npm run mutate\` on ${new Date().toISOString().slice(0, 10)}.\n\n${table}`,
);
process.stdout.write(`${table}\n`);
process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
