// A plugin of stryker: runs only the mutants that scripts/mutants.ts chose.
import { readFileSync } from 'node:fs';

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

export const strykerPlugins = [{ kind: 'Checker', name: 'chosen', factory: createChecker }];
