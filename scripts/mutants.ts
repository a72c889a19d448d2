// `npm run mutate [area…]`: changes code piece by piece and runs the tests of its area against each change. Without an
// area, a sample over all areas; MUTANTS is the number of changes, or `all`. Exits with 1 if more changes of a file
// of a complete area survive than bench/mutants.md explains.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { formatTable, type Measurement, replaceSection } from '../bench/measurements.ts';
import { limit } from '../vitest.config.ts';
import { isSurvivor, mutantKey } from './chosen-mutants.js';
import { type MutantArea, mutantAreas } from './mutant-areas.ts';

type Mutant = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];
type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const [, , ...names] = process.argv;
const { MUTANTS = names.length === 0 ? '300' : 'all', MUTANTS_SEED: seed = today() } = process.env;
const count = MUTANTS === 'all' ? Number.POSITIVE_INFINITY : Number(MUTANTS);

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function chosenAreas(): [string, MutantArea][] {
  const unknown = names.filter((name) => !(name in mutantAreas));
  if (unknown.length > 0 || Number.isNaN(count))
    throw new Error(
      `MUTANTS is a number or all; the areas are ${Object.keys(mutantAreas).join(', ')}.`,
    );
  return Object.entries(mutantAreas).filter(([name]) => names.length === 0 || names.includes(name));
}

/** Lists the mutants of an area. Tests of help and reference hold what a command says before its `run`. */
async function listMutants({ code, skipsHelp }: MutantArea): Promise<readonly Mutant[]> {
  const silent = () => undefined;
  const logger = {
    ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
    ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
    ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
  };
  const sources = code.map((name) => ({
    name: path.resolve(name),
    mutate: true,
    content: readFileSync(name, 'utf8'),
  }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants } = await new Instrumenter(logger).instrument(sources, options);
  const firstLines = new Map(
    sources.map(({ name, content }) => [
      name,
      skipsHelp
        ? content.split('\n').findIndex((line) => /^ {2}(?:async )?run(?:: )?\(/.test(line))
        : 0,
    ]),
  );
  return mutants.filter(
    ({ fileName, location }) => location.start.line >= (firstLines.get(fileName) ?? 0),
  );
}

/** The order of a sample: the same for a seed, unless the code of a mutant changed. */
const rank = (key: string) => createHash('sha256').update(`${seed} ${key}`).digest('hex');

/** Runs the chosen mutants of an area. */
async function runArea(area: MutantArea, chosen: readonly string[]): Promise<MutantResult[]> {
  const list = path.resolve('reports/chosen-mutants.json');
  mkdirSync(path.dirname(list), { recursive: true });
  writeFileSync(list, JSON.stringify(chosen));
  process.env.CHOSEN_MUTANTS = list;
  process.env.MUTANT_TESTS = JSON.stringify(area.tests);
  process.env.MUTANT_CODE = JSON.stringify(area.replacesModules ? [] : area.code);
  process.env.TZ = area.timeZone ?? 'UTC';
  const results = await new Stryker({
    testRunner: 'vitest',
    // The tests of an area are listed, so that those related to a file need not be found for each mutant.
    vitest: { configFile: 'vitest.mutate.config.ts', related: false },
    mutate: [...area.code],
    plugins: ['@stryker-mutator/vitest-runner', path.resolve('scripts/chosen-mutants.js')],
    checkers: ['chosen'],
    ignorePatterns: ['bench', 'coverage', 'dist', 'man', 'reports', 'tsconfig.json'],
    reporters: ['survivors'],
    coverageAnalysis: 'perTest',
    timeoutMS: limit(20),
    // Half of them run tests, and the others only choose mutants.
    concurrency: 2 * availableParallelism(),
  }).runMutationTest();
  return results.filter(({ status }) => !status.endsWith('Error') && status !== 'Ignored');
}

const explanations = readFileSync('bench/mutants.md', 'utf8');
const explained = (file: string) => explanations.split(`| \`${file}\``).length - 1;

/** Returns the row of an area in bench/RESULTS.md. */
function judge(name: string, area: MutantArea, results: readonly MutantResult[]): Measurement {
  const alive = results.filter(isSurvivor);
  const fileOf = ({ fileName }: Mutant) => path.relative('.', fileName);
  const unexplained = area.code.reduce((sum, file) => {
    const survivors = alive.filter((mutant) => fileOf(mutant) === file).length;
    return sum + Math.max(0, survivors - explained(file));
  }, 0);
  const killed = results.length - alive.length;
  const late = results.filter(({ status }) => status === 'Timeout').length;
  const time = late > 0 ? ` (${late} by the time limit)` : '';
  return {
    name,
    figure: `${killed} of ${results.length} killed${time}, ${alive.length - unexplained} explained, ${today()}`,
    ...(area.isComplete ? { goal: 'no other survivor', isMet: unexplained === 0 } : {}),
  };
}

/** Replaces the rows of these areas in bench/RESULTS.md. */
function publish(rows: readonly Measurement[]): void {
  const [, section = ''] =
    /<!-- mutants -->([\s\S]*?)<!--/.exec(readFileSync('bench/RESULTS.md', 'utf8')) ?? [];
  const others = section.split('\n').filter((line) => {
    const [, name = ''] = /^\| ([a-z]+) \|/.exec(line) ?? [];
    return name in mutantAreas && !rows.some((row) => row.name === name);
  });
  replaceSection('mutants', [formatTable(rows), ...others].join('\n'));
}

const areas = chosenAreas();
const listed = await Promise.all(
  areas.map(async ([name, area]) => {
    const keys = (await listMutants(area)).map(mutantKey);
    return { name, area, keys: keys.map((key) => ({ key, rank: rank(key) })) };
  }),
);
const all = listed.flatMap(({ keys }) => keys);
const sample = new Set(
  all
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ key }) => key),
);
process.stdout.write(
  `${sample.size} of ${all.length} mutants. MUTANTS_SEED=${seed} chooses the same ones.\n`,
);
const rows: Measurement[] = [];
for (const { name, area, keys } of listed) {
  const chosen = keys.map(({ key }) => key).filter((key) => sample.has(key));
  if (chosen.length === 0) continue;
  const start = performance.now();
  const row = await runArea(area, chosen).then(
    (results) => judge(name, area, results),
    (error: Error) => ({ name, figure: error.message, goal: 'no survivor', isMet: false }),
  );
  rows.push(row);
  const seconds = Math.round((performance.now() - start) / 1000);
  process.stdout.write(`${name}: ${row.figure}, ${seconds} s\n`);
}
process.stdout.write(`${formatTable(rows)}\n`);
if (MUTANTS === 'all') publish(rows);
process.exitCode = rows.some(({ isMet }) => isMet === false) ? 1 : 0;
