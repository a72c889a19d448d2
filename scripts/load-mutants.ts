// Loads the code of an area before its tests. The coverage of what a module does when it is loaded would otherwise belong to
// the test that happens to load it first, and its mutants would be tried with that test only.
import path from 'node:path';

const { MUTANT_CODE = '[]' } = process.env;
for (const file of JSON.parse(MUTANT_CODE) as string[]) await import(path.resolve(file));
