// Plugins of stryker: one runs only the mutants that scripts/mutants.ts chose, one prints each survivor at once.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A text that is the same for a mutant in each run over the same code. */
export function mutantKey({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = fileName.slice(fileName.lastIndexOf('src/'));
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column} ${mutatorName} ${replacement}`;
}

function createChecker() {
  const chosen = new Set(JSON.parse(readFileSync(process.env.CHOSEN_MUTANTS, 'utf8')));
  const result = (mutant) =>
    chosen.has(mutantKey(mutant))
      ? { status: 'passed' }
      : { status: 'compileError', reason: 'not chosen' };
  return {
    async init() {},
    async check(mutants) {
      return Object.fromEntries(mutants.map((mutant) => [mutant.id, result(mutant)]));
    },
  };
}
createChecker.inject = [];

export const isSurvivor = ({ status }) => status === 'Survived' || status === 'NoCoverage';

function createReporter() {
  return {
    onMutantTested(mutant) {
      if (!isSurvivor(mutant)) return;
      const { fileName, location, mutatorName, replacement } = mutant;
      const { line } = location.start;
      const code = readFileSync(fileName, 'utf8').split('\n')[line - 1]?.trim();
      process.stdout.write(
        `${path.relative('.', fileName)}:${line} ${mutatorName}: ${code} → ${replacement}\n`,
      );
    },
  };
}
createReporter.inject = [];

export const strykerPlugins = [
  { kind: 'Checker', name: 'chosen', factory: createChecker },
  { kind: 'Reporter', name: 'survivors', factory: createReporter },
];
